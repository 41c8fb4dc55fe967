"""Options of a run: read once, with the same words for Python and the command line."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest

from horae.data.answer_times import AtTimes
from horae.data.time_points import AtEvery
from horae.engine.options import BadRows, OptionError, RunOptions, Scope, options_of
from horae.languages.cql.options import CQLOptions
from horae.languages.datalogmtl.options import DatalogMTLOptions
from horae.languages.lars.options import Consequences, LARSOptions, Mode
from horae.languages.rtlola.options import Emit, RTLolaOptions

CLASSES = (RTLolaOptions, DatalogMTLOptions, LARSOptions, CQLOptions)


def test_what_is_not_given_has_its_default():
    assert RTLolaOptions.read({"emit": None, "origin": None}) == RTLolaOptions()
    assert RTLolaOptions().emit is Emit.ALL
    assert DatalogMTLOptions().precision == Fraction(1, 10**6)


def test_text_and_values_are_read():
    options = RTLolaOptions.read(
        {"columns": "time,a", "header": False, "emit": "changes", "origin": "2024-01-01"}
    )
    assert options.columns == ("time", "a")
    assert (options.emit, options.origin) == (Emit.CHANGES, Fraction(1704067200))
    lars = LARSOptions.read({"mode": "history", "at": "every 5", "horizon": "7/2", "answers": "3"})
    assert (lars.mode, lars.at, lars.horizon, lars.answers) == (Mode.HISTORY, AtEvery(5), 3, 3)
    rules = DatalogMTLOptions.read({"at": "1,7/2", "precision": "ms", "lateness": "2 min"})
    assert rules.at == AtTimes((Fraction(1), Fraction(7, 2)))
    assert (rules.precision, rules.lateness) == (Fraction(1, 1000), Fraction(120))
    assert CQLOptions.read({"bad_rows": "keep"}).bad_rows is BadRows.KEEP


def test_the_last_time_point_before_a_negative_horizon():
    """Truncation would let time point 0 in."""
    assert LARSOptions.read({"horizon": "-1/2"}).horizon == -1


@pytest.mark.parametrize(
    ("cls", "given", "message"),
    [
        (RTLolaOptions, {"emit": "some"}, "emit: `some` is not one of all, changes, triggers"),
        (RTLolaOptions, {"time_unit": "h"}, "time_unit: `h` is not one of s, ms, us, ns"),
        (RTLolaOptions, {"time": 5}, "time: `5` is not the name of a column"),
        (RTLolaOptions, {"header": False}, "header: `columns` must be given too"),
        (RTLolaOptions, {"yes": "no"}, "yes: `no` is neither True nor False"),
        (RTLolaOptions, {"origin": "noon"}, "origin: `noon` is neither a number of seconds nor"),
        (RTLolaOptions, {"shards": 0}, "shards: `0` is not a number of at least 1"),
        (DatalogMTLOptions, {"precision": 0}, "precision: `0` must be greater than 0"),
        (DatalogMTLOptions, {"at": "noon"}, "at: `noon` is not a time"),
        (LARSOptions, {"mode": Consequences.ALL}, "mode: `all` is not one of stateless, history"),
        (LARSOptions, {"answers": True}, "answers: `True` is not a number of answers"),
        (LARSOptions, {"answers": 1, "consequences": "brave"}, "answers: brave consequences are"),
        (CQLOptions, {"lateness": "0.5s"}, "lateness: `0.5s` is not a whole number of time"),
    ],
)
def test_what_cannot_be_read(cls: type[RunOptions], given, message):
    with pytest.raises(OptionError) as refused:
        cls.read(given)
    assert str(refused.value).startswith(message)
    assert refused.value.name == message.partition(":")[0]


def test_an_option_that_the_language_does_not_have():
    with pytest.raises(TypeError, match="`orderr` is not an option of this language"):
        LARSOptions.read({"orderr": "x"})
    with pytest.raises(TypeError, match="They are time, time_unit, delimiter, strict"):
        CQLOptions.read({"xyz": "x"})


def test_changed_options_of_streams():
    options = CQLOptions.read({"lateness": "0 s", "idle": 5, "strict": True})
    assert options.changed(Scope.STREAMS) == ["idle"]


@pytest.mark.parametrize("cls", CLASSES)
def test_every_option_says_what_it_is_for(cls):
    for about in options_of(cls).values():
        assert about.purpose == about.purpose.rstrip(".") != ""


def test_options_load_no_columns():
    languages = [cls.__module__ for cls in CLASSES]
    code = f"import sys, {', '.join(languages)}\nprint({{'numpy', 'pyarrow'}} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("set()\n", "")
