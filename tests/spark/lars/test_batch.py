"""Answers on Spark are those of one process, for any number of shards."""

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from tests.case_folders import cases
from tests.languages.lars.plan.spreadable import spreadable_program
from tests.spark.lars.running import answers_of, checked, locally, on_spark
from tests.strategies.lars_programs import random_program

from horae.data.facts import read_fact_text
from horae.data.ground_facts import GroundFact
from horae.data.intervals import point
from horae.data.predicate_facts import ground_facts
from horae.languages.lars.check.window_functions import Stream, Substream, register_window
from horae.languages.lars.options import Consequences, LARSOptions, Mode
from horae.languages.lars.plan.route_program import route_program
from horae.source.errors import InputError
from horae.spark.fact_frames import facts_of_frames, in_one_frame, tables_of_files

pytestmark = pytest.mark.spark

CASES = {case.name: case for case in cases("lars")}
TRAM = CASES["paper_tram_without_old"]


def facts_of(text: str) -> list[GroundFact]:
    return ground_facts(read_fact_text(text, {}, others=True))


@pytest.mark.parametrize("shards", [1, 3])
def test_the_trams_of_the_paper(spark, shards: int):
    program = checked(TRAM.source.text)
    assert route_program(program).is_spread
    assert (
        on_spark(spark, program, facts_of(TRAM.facts), shards, TRAM.options["at"]) == TRAM.expected
    )


def test_many_trams_from_a_file(spark, tmp_path: Path):
    """Facts about a predicate that the program does not have are events: at 99 too there are answers."""
    lines = [f"tram(a{number % 7},p{number * 5 % 4})@{number * 3 % 50}" for number in range(40)]
    lines += [f"line(a{number},l{number % 3})" for number in range(7)]
    lines += [f"plan(l{number % 3},p{number},p{number % 4},{number})" for number in range(9)]
    (tmp_path / "trams.facts").write_text("\n".join([*lines, "bus(b1)@99"]))
    program = checked(TRAM.source.text)
    path = str(tmp_path / "trams.facts")
    facts = in_one_frame(tables_of_files(spark, [path], program.arities, others=True))
    expected = locally(program, facts_of((tmp_path / "trams.facts").read_text()))
    assert answers_of(facts, program, 4) == expected
    assert max(answer["time"] for answer in expected) == 99


def _compare(spark, rng: Random, text: str, facts: str, times: list[int]) -> None:
    program, given = checked(text), facts_of(facts)
    consequences = rng.choice([*Consequences])
    answers = rng.choice((None, 1, 2)) if consequences is Consequences.ALL else None
    options = LARSOptions(mode=rng.choice([*Mode]), consequences=consequences, answers=answers)
    try:
        expected = locally(program, given, times, options)
    except InputError as error:
        with pytest.raises(InputError, match=error.code):
            on_spark(spark, program, given, 3, times, options)
    else:
        assert on_spark(spark, program, given, rng.randint(1, 4), times, options) == expected


@pytest.mark.parametrize("seed", range(3))
def test_random_programs_that_can_be_spread(spark, seed: int):
    rng = Random(seed)
    _compare(spark, rng, *spreadable_program(rng))


@pytest.mark.parametrize(
    ("kind", "seed"), [(kind, seed) for kind in ("fast", "mixed", "choices") for seed in range(2)]
)
def test_random_programs(spark, kind: str, seed: int):
    rng = Random(seed)
    _compare(spark, rng, *random_program(rng, kind=kind))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 40))
def test_many_random_programs(spark, seed: int):
    rng = Random(seed)
    _compare(spark, rng, *spreadable_program(rng))
    for kind in ("fast", "mixed", "choices"):
        _compare(spark, rng, *random_program(rng, kind=kind))


@pytest.mark.parametrize("at", ["events", "every 4", "all"])
def test_evaluation_times(spark, at: str):
    """Events are at 3, 4, 5 and 10, the last one about a predicate that no rule reads."""
    program = checked("s(X) :- win[3] <> p(X).\np(b)@10.")
    facts = facts_of("p(a)@[3,5]\nother(x,y)@10")
    found = on_spark(spark, program, facts, 2, at)
    assert found == locally(program, facts, at)
    assert [(a["time"], *a["args"]) for a in found] == {
        "events": [(3, "a"), (4, "a"), (5, "a"), (10, "b")],
        "every 4": [(4, "a"), (8, "a")],
        "all": [*((time, "a") for time in range(3, 9)), (10, "b")],
    }[at]


def test_shards_without_facts_answer_too(spark):
    program = checked("s(K) :- K = 2 + 3.\nt(K) :- s(K), not p(K).")
    found = on_spark(spark, program, [], 4, [1, 2])
    assert [(a["time"], a["predicate"], *a["args"]) for a in found] == [
        (time, name, 5) for time in (1, 2) for name in ("s", "t")
    ]


def test_windows_count_atoms_of_all_predicates(spark):
    """The last two atoms up to 4 are other(y) and other(x): p(a) is not among them."""
    program = checked("s(X) :- win[#2] <> p(X).")
    facts = facts_of("p(a)@1\nother(x)@2\nother(y)@4\np(b)@6")
    found = on_spark(spark, program, facts, 3)
    assert [(a["time"], *a["args"]) for a in found] == [(1, "a"), (2, "a"), (6, "b")]


def test_ties_by_a_column(spark):
    """Of the two trams at 3 the one with the greater number is the last."""
    program = checked("last(X) :- win[tram(_) #1] <> tram(X).")
    rows = [("a", 2, 3), ("b", 1, 3), ("c", 9, 1)]
    frame = spark.createDataFrame(rows, "id string, seq long, time long")
    facts = facts_of_frames({"tram": frame}, program.arities, order="seq")
    assert [a["args"] for a in answers_of(facts, program, 2, [3])] == [["a"]]
    dropped = facts_of_frames({"tram": frame.drop("seq")}, program.arities)
    assert [a["args"] for a in answers_of(dropped, program, 2, [3])] == [["b"]]


def test_windows_of_the_registry_reach_the_workers(spark):
    def even(stream: Stream, time: int) -> Substream:
        return Substream(time, time, [a for a in stream.atoms if a.time % 2 == 0])

    register_window("evenOnly", even, parameters=())
    program = checked("s(X) :- win[evenOnly] p(X).")
    found = on_spark(spark, program, facts_of("p(a)@2\np(b)@3\np(c)@4"), 2)
    assert [(a["time"], *a["args"]) for a in found] == [(2, "a"), (4, "c")]


@pytest.mark.parametrize(
    ("fact", "code"),
    [
        (GroundFact("p", ("a",), point(Fraction(1, 2))), "INP040"),
        (GroundFact("s", ("a",), point(Fraction(1))), "INP041"),
    ],
)
def test_facts_that_cannot_be_in_a_stream(spark, fact: GroundFact, code: str):
    with pytest.raises(InputError, match=code):
        on_spark(spark, checked("s(X) :- p(X)."), [fact], 2)


def test_errors_of_kernels_arrive(spark):
    program = checked("@T s(X) :- win[inf,inf] @T p(X).")
    with pytest.raises(InputError, match="RUN024"):
        on_spark(spark, program, facts_of("p(a)\np(b)@1"), 2)
