"""The plan as `horae analyze` prints it."""

from __future__ import annotations

from tests.case_folders import cases

from horae.languages.rtlola.check.check import load
from horae.languages.rtlola.plan.explain import explain
from horae.languages.rtlola.plan.spread import make_partition
from horae.source.text import Source


def explained(text: str) -> list[str]:
    program, _ = load(Source("spec.lola", text))
    assert program is not None
    return list(explain(make_partition(program)))


def case(name: str) -> str:
    return next(case.source.text for case in cases() if case.name == name)


def test_fig_1():
    assert explained(case("paper_fig_1")) == [
        "spread by the value of `prod_id`: `sales_freq`",
        "then in one place, from what the shards count: trigger 1",
    ]


def test_fig_8():
    assert explained(case("paper_fig_8")) == [
        "spread by the value of `pid`: `stars_by_prod`, `star_avg_l`, `star_avg_s`, `avg_delta`",
        "  if `stars` has a value in every row with a value of `pid`",
        "then in one place, from what the shards count: trigger 1",
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
    assert explained(text) == [
        "spread by the value of `a`: `n`",
        "  if `b` has a value in every row with a value of `a`",
        "beside it in one place, over all rows: `total`, `far`, trigger 1",
        "  not spread, `far`: it reads the input `b` at times without a row of its own",
    ]


def test_nothing_to_spread():
    assert explained("input int a\noutput int n := a") == ["in one place, over all rows: `n`"]


def test_nothing_at_all():
    assert explained("input int a") == ["in one place, over all rows: nothing"]
