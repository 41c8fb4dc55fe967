"""A stream that is extended at every position is so at the ticks of streams in other stages too."""

from __future__ import annotations

from random import Random

from tests.languages.rtlola.plan.simulated import events_of, run_spread

from horae.languages.rtlola.check.check import load
from horae.languages.rtlola.options import Emit
from horae.languages.rtlola.plan.spread import make_partition
from horae.source.text import Source

SPEC = """input int a, b
output int n := n[-1, 0] + 1
output int seen<int id>
    invoke: a
    extend: 5 s
    := seen(id)[-1, 0] + 1
"""


def test_ticks_of_spread_instances_are_positions():
    """Positions: the row at 0, the ticks at 0, 5, 10 and 15, and the row at 17."""
    program, _ = load(Source("spec.lola", SPEC))
    assert program is not None
    plan = make_partition(program)
    assert plan.is_spread
    assert plan.single is not None
    rows: list[dict[str, object]] = [{"time": 0, "a": 1}, {"time": 17, "b": 1}]
    events = events_of(program, rows, by_content=False)
    answers = run_spread(Random(1), program, events, Emit.ALL, 3, by_content=False)
    counted = [(answer["time"], answer["value"]) for answer in answers if answer["stream"] == "n"]
    assert counted == [(0, 1), (0, 2), (5, 3), (10, 4), (15, 5), (17, 6)]
