"""The table of §3.1, row by row, and what the engine keeps for it."""

from fractions import Fraction

import pytest
from tests.languages.rtlola.analysis.programs import (
    ZERO,
    binary,
    every,
    hold,
    inputs,
    later,
    offset,
    output,
    parameter,
    program,
    stars,
    template,
    trigger,
    variant,
    views,
    window,
)

from horae.data.types import Type
from horae.engine.report.bounds import Bound, Bounded, Unbounded
from horae.languages.rtlola.analysis.graph import EdgeKind, build_graph
from horae.languages.rtlola.analysis.memory import Keeping, Need, find_needs
from horae.languages.rtlola.program import Access, Periodic, When
from horae.languages.rtlola.report import analyze

HZ2, HZ4 = every("1/2"), every("1/4")


def need_of(access: Access, target: Periodic | None, reader: Periodic | None) -> Need:
    """The need of a reader of `t`, where no pace means variable."""
    expression = binary("+", access, hold("a"), Type.DOUBLE)
    found = program(inputs("a"), output("t", hold("a"), target), output("r", expression, reader))
    return next(
        n for n in find_needs(build_graph(found)) if n.edge.reader == "r" and n.edge.target == "t"
    )


def number(bound: Bound) -> object:
    return bound.n if isinstance(bound, Bounded) else "unbounded"


@pytest.mark.parametrize(
    ("name", "expected"), [("variable", "unbounded"), ("clocked", 10), ("real_time", 10)]
)
def test_the_average_of_the_paper(name: str, expected: object):
    needs = {n.edge.target: n for n in find_needs(build_graph(variant(name)))}
    assert number(needs["diff"].values) == expected
    assert number(needs["a"].values) == 1
    assert number(needs["b"].values) == (1 if name == "real_time" else 2)


@pytest.mark.parametrize(
    ("target", "reader", "gamma", "gamma_star", "real_time"),
    [
        (None, None, "unbounded", "unbounded", "unbounded"),
        (None, HZ2, "unbounded", 20, 20),
        (HZ2, None, 20, 20, 20),
        (HZ2, HZ4, 20, 20, 20),
        (HZ4, HZ2, 40, 20, 20),
    ],
)
def test_the_table(
    target: Periodic | None,
    reader: Periodic | None,
    gamma: object,
    gamma_star: object,
    real_time: object,
):
    assert number(need_of(window("t", 10, "median"), target, reader).values) == gamma
    assert number(need_of(window("t", 10, "sum"), target, reader).values) == gamma_star
    assert number(need_of(later("t", -10), target, reader).values) == real_time
    assert number(need_of(later("t", 10), target, reader).values) == real_time


@pytest.mark.parametrize(("by", "values"), [(-1, 2), (-7, 8), (3, 4)])
def test_discrete_offsets_need_no_rate(by: int, values: int):
    assert number(need_of(offset("t", by), None, None).values) == values


def test_a_time_offset_of_zero_is_the_last_value():
    need = need_of(later("t", 0), None, None)
    assert (need.values, need.kept, need.suggestion) == (Bounded(1), Bounded(1), None)


def test_what_is_not_whole_rounds_up():
    need = need_of(window("t", Fraction(5, 2), "sum"), None, every(1))
    assert number(need.values) == 3
    assert need.panes == 3  # the window of 2.5 s touches at most three panes


def test_the_pane_in_progress_is_kept_besides():
    need = need_of(window("t", 10, "sum"), None, every(1))
    assert (number(need.values), need.panes, need.keeping) == (10, 11, Keeping.PANES)


def test_counting_by_value_keeps_the_values():
    """`count(v)` has no panes: only a rate of what it counts bounds it."""
    item = parameter("id")
    counted = window("t", 10, "count", counted=item)
    assert number(need_of(counted, None, HZ2).values) == "unbounded"
    assert number(need_of(counted, HZ2, None).values) == 20


def test_a_terminate_condition_does_not_tick_with_its_stream():
    """It is considered at every event, so that the stream's rate bounds nothing."""
    closing = binary(">", window("a", 10, "sum"), ZERO)
    found = program(inputs("a"), output("o", ZERO, every(1), template(terminate=closing)))
    (need,) = find_needs(build_graph(found))
    assert need.edge.kind is EdgeKind.TERMINATE
    assert isinstance(need.values, Unbounded)


# --- what would work


def suggestion_of(*parts: object, **more: object) -> str:
    needs = find_needs(build_graph(program(*parts, **more)))  # type: ignore[arg-type]
    return next(n.suggestion.text for n in needs if n.suggestion)


def test_a_homomorphic_window_wants_a_rate_for_its_reader():
    acc = output("acc", window("a", 10, "avg"))
    assert suggestion_of(inputs("a"), acc) == "add `extend: 1Hz` to `acc`: 10 values"


def test_a_median_wants_a_rate_for_its_target():
    middle = output("middle", window("d", 3600, "median"))
    text = suggestion_of(inputs("a"), output("d", hold("a")), middle)
    assert text == "add `extend: 10min` to `d`: 6 values"


def test_an_input_cannot_have_a_rate():
    text = suggestion_of(inputs("a"), output("middle", window("a", 10, "median")))
    assert text == "sample `a` in an output with `extend: 1Hz`, and read that: 10 values"


def test_a_trigger_cannot_have_a_rate():
    read = window("a", 10, "sum")
    text = suggestion_of(inputs("a"), triggers=(trigger(1, read, read),))
    assert text.startswith("move this access into an output with `extend: 1Hz`")


def test_a_condition_gives_way_to_a_rate():
    when = When(binary(">", hold("a"), ZERO))
    text = suggestion_of(inputs("a"), output("acc", window("a", 10, "avg"), when))
    assert text == "give `acc` `extend: 1Hz` instead of its condition: 10 values"


def test_the_advice_is_good():
    """Following it gives the figure that it promises."""
    (bad,) = [n for n in find_needs(build_graph(variant("variable"))) if n.suggestion]
    assert bad.suggestion is not None
    good = need_of(window("t", 10, "avg"), None, every(1))
    assert number(good.values) == bad.suggestion.values == 10


# --- per stream


def test_offsets_share_a_ring_and_equal_windows_are_one():
    reads: list[Access] = [
        offset("t", -1),
        offset("t", -4),
        *(window("t", 10, "avg") for _ in range(2)),
    ]
    readers = [output(f"r{i}", read, every(1)) for i, read in enumerate(reads)]
    report = analyze(program(inputs("a"), output("t", hold("a")), *readers))
    memory = next(m for m in report.memory if m.name == "t")
    assert [s.title for s in memory.stores] == ["last values", "avg over 10s"]
    assert [number(s.values) for s in memory.stores] == [5, 10]
    assert memory.stores[1].readers == ("r2", "r3")
    # bookkeeping 16; ring 5 words and its head; 11 panes of sum, count and time, and their head
    assert memory.bytes == Bounded(16 + (5 + 1) * 8 + (11 * 3 + 1) * 8)


def test_windows_of_different_readers_rates_are_apart():
    readers = [output(f"r{n}", window("t", 10, "avg"), every(n)) for n in (1, 2)]
    report = analyze(program(inputs("a"), output("t", hold("a")), *readers))
    memory = next(m for m in report.memory if m.name == "t")
    assert [number(s.values) for s in memory.stores] == [10, 5]


def test_instances_multiply_where_they_are_finite():
    flags = (parameter("p", 0, Type.BOOL), parameter("q", 1, Type.BOOL))
    each = output("each", hold("a"), every(1), template(*flags, invoke=("b", "b")))
    report = analyze(program(inputs("a", "b"), each))
    memory = next(m for m in report.memory if m.name == "each")
    assert memory.instances == Bounded(4)
    assert report.totals.per_instance == ()
    assert report.totals.fixed == Bounded(2 * 32 + 4 * 32)


def test_instances_stay_a_factor_where_they_are_not():
    totals = analyze(stars()).totals
    assert dict(totals.per_instance)["star_avg_l<prod: string>"] == Bounded(40)
    assert isinstance(totals.fixed, Bounded)
    assert isinstance(analyze(views()).totals.fixed, Unbounded)
