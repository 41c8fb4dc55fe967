"""Names that only the program or only the input has: a warning, or an error where one is strict."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import horae
from horae.data.catalogue_roll import PREDICATES
from horae.data.roll import Names, called, note, noting, open_roll
from horae.languages.rtlola.options import RTLolaOptions
from horae.spark.streaming.settings import refuse_stream_options

LOLA = horae.compile("input int a\ninput int b\noutput int o := a\noutput int p := b")
DMTL = horae.compile("late(X) :- Diamondminus[0,5] signal(X).", language="datalogmtl")
LARS = horae.compile("late(X) :- win[5] <> signal(X).", language="lars")
CQL = horae.compile("REGISTER STREAM Signal(x string); SELECT x FROM signal [NOW];", language="cql")
RULES = pytest.mark.parametrize("program", [DMTL, LARS, CQL], ids=lambda p: p.language)
SINGAL = [("signal", ["a"], 1), ("singal", ["b"], 2), ("singal", ["c"], 3)]


def told(program, inputs, **options) -> list[horae.InputError]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        program.evaluate(inputs, **options)
    assert all(warning.filename == __file__ for warning in found), "it is the caller's"
    return [w.message.problem for w in found if isinstance(w.message, horae.InputWarning)]


@RULES
@pytest.mark.parametrize("inputs", [SINGAL, "signal(a)@1\nsingal(b)@2\nsingal(c)@3\n"])
def test_facts_of_an_unknown_predicate(program, inputs):
    """Once, however many there are, at the first one."""
    (problem,) = told(program, inputs)
    assert problem.code == "INP130"
    assert problem.message.startswith("the input has facts about `singal`, but the program has no")
    assert problem.help.lower().startswith("did you mean `signal`?")
    assert problem.place in ("row 2", "<facts>:2:1")


@RULES
def test_facts_of_an_unknown_predicate_where_one_is_strict(program):
    with pytest.raises(horae.InputError, match=r"INP130.*singal"):
        program.evaluate(SINGAL, strict=True)


@RULES
def test_nothing_is_given(program):
    (problem,) = told(program, "")
    assert (problem.code, "`signal`" in problem.message.lower()) == ("INP131", True)
    with pytest.raises(horae.InputError, match="INP131"):
        program.evaluate([], strict=True)


@RULES
def test_all_is_as_it_should_be(program):
    assert told(program, SINGAL[:1]) == []
    assert told(program, {"signal": [{"x": "a", "time": 1}]}) == []
    assert program.evaluate(SINGAL[:1], strict=True)


def test_names_of_queries_are_the_same_in_any_case():
    assert told(CQL, "SIGNAL(a)@1") == []


def test_what_a_program_says_itself_is_not_awaited():
    program = horae.compile("p(a).\nq(X) :- p(X), not r(X).\nr(X) :- q2(X).", "datalogmtl")
    (problem,) = told(program, "")
    assert "`q2`" in problem.message
    assert "`p`" not in problem.message


def test_an_input_without_a_value():
    (problem,) = told(LOLA, [{"time": 1, "a": 2}, {"time": 2, "a": 3, "b": None}])
    assert (problem.code, problem.message) == ("INP131", "no row has a value of the input `b`")
    assert told(LOLA, [{"time": 1, "a": 2, "b": 3}]) == []
    assert told(LOLA, []) == []


def test_tables_of_files(tmp_path: Path):
    (tmp_path / "s.csv").write_text("time,x\n1,a\n")
    (tmp_path / "more.facts").write_text("signal(b)@2\n\nsingnal(c)@3\n")
    names = [f"signal={tmp_path / 's.csv'}", str(tmp_path / "more.facts")]
    with pytest.warns(horae.InputWarning, match=r"singnal.*more\.facts:3:1"):
        assert LARS.run_files(names, engine="local")


# --- the roll itself


def test_a_name_is_told_once():
    with open_roll(Names(["p"], ["p"], PREDICATES)) as roll:
        note("q", "a.facts", "a.facts:7:1")
        note("q", "b.facts")
    with pytest.warns(horae.InputWarning, match=r"a\.facts:7:1"):
        roll.check_unknown()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        roll.check_unknown()


def test_other_processes_tell_what_they_noted():
    """Lines of a part of a file have other numbers: the file must do."""
    notes: dict[str, str] = {}
    with noting(notes, is_whole=False):
        note("q", "a.facts", "a.facts:1:1")
    with open_roll(Names(["p"], [], PREDICATES)) as roll:
        roll.sources.append(lambda: notes)
    with pytest.warns(horae.InputWarning, match=r"\(a\.facts\)"):
        roll.check()


def test_nothing_is_noted_where_no_roll_is_open():
    note("q")
    with (
        pytest.raises(horae.InputError, match="`p`"),
        called(Names(["p"], ["p"], PREDICATES), strict=True),
    ):
        pass


@pytest.mark.parametrize("given", [{"lateness": "5 s"}, {"idle": 3}, {"whole_rows": True}])
def test_options_of_streams_on_frames_that_are_none(given):
    with pytest.raises(ValueError, match="is for streams"):
        refuse_stream_options(RTLolaOptions.read(given))
    refuse_stream_options(RTLolaOptions.read({"lateness": 0, "idle": None, "whole_rows": False}))
