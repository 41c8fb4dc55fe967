"""The plan as `horae analyze` prints it."""

from __future__ import annotations

from tests.case_folders import cases
from tests.plans import in_words

from horae.engine.plan import Plan
from horae.engine.report.bounds import Bounded
from horae.languages.rtlola.check.check import load
from horae.languages.rtlola.report import analyze
from horae.source.text import Source


def plan_of(text: str) -> Plan:
    program, _ = load(Source("spec.lola", text))
    assert program is not None
    return analyze(program).plan


def case(name: str) -> str:
    return next(case.source.text for case in cases() if case.name == name)


def test_fig_1():
    assert in_words(plan_of(case("paper_fig_1"))) == [
        "stage 1, spread: `sales_freq`",
        "  reads `rows` by `prod_id` (those with a value of `prod_id`)",
        "stage 2, in one shard: trigger 1",
        "  reads `any(sales_freq > 100)` of stage 1",
        "  why it sums what all shards count",
    ]


def test_fig_8():
    assert in_words(plan_of(case("paper_fig_8"))) == [
        "stage 1, spread: `stars_by_prod`, `star_avg_l`, `star_avg_s`, `avg_delta`",
        "  reads `rows` by `pid` (those with a value of `pid`)",
        "  requires `stars` has a value in every row with a value of `pid`",
        "stage 2, in one shard: trigger 1",
        "  reads `any(avg_delta > 1.0)` of stage 1",
        "  why it sums what all shards count",
    ]


def test_beside_each_other():
    text = """input int a, b
output int n<int i>
    invoke: a
    extend: a = i
    := n(i)[-1, 0] + b
output int total := total[-1, 0] + a
output int far<int i>
    invoke: a
    extend: 1s
    := b
trigger total > 3
"""
    assert in_words(plan_of(text)) == [
        "stage 1, spread: `n`",
        "  reads `rows` by `a` (those with a value of `a`)",
        "  requires `b` has a value in every row with a value of `a`",
        "stage 2, in one shard: `total`, `far`, trigger 1",
        "  reads `rows`",
        "  why `far`: it reads the input `b` at times without a row of its own",
        "  why there is one instance of `total`, trigger 1",
    ]


def test_nothing_to_spread():
    assert in_words(plan_of("input int a\noutput int n := a")) == [
        "stage 1, in one shard: `n`",
        "  reads `rows`",
        "  why there is one instance of `n`",
    ]


def test_nothing_at_all():
    assert in_words(plan_of("input int a")) == [
        "stage 1, in one shard: nothing",
        "  reads `rows`",
        "  why there is nothing to evaluate",
    ]


def test_a_stage_waits_for_the_slowest_of_its_streams():
    text = "input int a\noutput int t\n extend: 1s\n := a[0, 0]\noutput int s\n extend: 1s\n := t[3s, 0]"
    (stage,) = plan_of(text).stages
    assert stage.delay == Bounded(3)


def test_the_state_of_a_stage_is_that_of_its_own_streams():
    """Both templates alone, and both together: what a shard keeps adds up."""
    head = "input int a, b\n"
    one = "output int n<int i>\n invoke: a\n extend: a = i\n := n(i)[-1, 0] + 1\n"
    two = "output int m<int i>\n invoke: b\n extend: b = i\n := m(i)[-4, 0] + 1\n"
    alone = [plan_of(head + text).stages[0].state for text in (one, two)]
    assert [stage.state for stage in plan_of(head + one + two).stages] == alone
