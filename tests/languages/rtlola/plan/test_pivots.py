"""Each rule of the plan: a specification that is spread, one that is not, and the reason in words."""

from __future__ import annotations

import pytest

from horae.languages.rtlola.check.check import load
from horae.languages.rtlola.plan.spread import make_partition
from horae.languages.rtlola.program import Program
from horae.source.text import Source

_INPUTS = "input int a, b, c\ninput double x\n"
COUNTER = "output int n<int i>\n invoke: a\n extend: a = i\n := n(i)[-1, 0] + 1\n"


def checked(text: str) -> Program:
    program, found = load(Source("spec.lola", _INPUTS + text))
    assert program is not None, [d.message for d in found]
    return program


def template(extend: str = "a = i", value: str = "1", more: str = "", invoke: str = "a") -> str:
    clauses = f" extend: {extend}\n" if extend else ""
    return f"output int n<int i>\n invoke: {invoke}\n{clauses}{more} := {value}\n"


SPREAD = {
    "the key in all clauses": (template(), "spread by the value of `a`: `n`"),
    "a second key ends instances": (
        template(more=" terminate: b = i\n"),
        "spread by the value of `a`, `b`: `n`",
    ),
    "ticks": (template("1s"), "spread by the value of `a`: `n`"),
    "ends at ticks": (template(more=" terminate: 5s\n"), "spread by the value of `a`: `n`"),
    "ends by its own value": (
        template(more=" terminate: n(i) > 3\n"),
        "spread by the value of `a`: `n`",
    ),
    "counts its own key": (
        template("2s", "a[5s, 0, count(i)]"),
        "spread by the value of `a`: `n`",
    ),
    "fresh values in a condition": (
        template("a = i and b > 1 and x > 0.5"),
        "spread by the value of `a`: `n`",
    ),
    "a tuple": (
        "output int n<int i, int j>\n invoke: (a, b)\n extend: a = i and b = j\n := 1\n",
        "spread by the value of `a`: `n`",
    ),
    "the second parameter": (
        "output int n<int i, int j>\n invoke: (a, b)\n extend: b = j\n := 1\n",
        "spread by the value of `b`: `n`",
    ),
    "follows an instance": (
        COUNTER + "output int m<int j>\n invoke: a\n := n(j) + 1\n",
        "spread by the value of `a`: `n`, `m`",
    ),
    "an operator over two templates": (
        COUNTER
        + "output int m<int i>\n invoke: a\n extend: b = i\n := 2\ntrigger count(n < m) > 1\n",
        "spread by the value of `a`, `b`: `n`, `m`",
    ),
}


@pytest.mark.parametrize("name", SPREAD)
def test_spread(name):
    text, line = SPREAD[name]
    (stage, *_) = make_partition(checked(text)).shards
    names = ", ".join(f"`{output.name}`" for output in stage.program.outputs)
    keys = ", ".join(f"`{key}`" for key in stage.keys)
    assert f"spread by the value of {keys}: {names}" == line


NOT_SPREAD = {
    "no binding": (template("b > i"), "`n`: a condition does not bind `i` to an input"),
    "one alternative does not bind": (
        template("a = i or b > 2"),
        "`n`: a condition does not bind `i` to an input",
    ),
    "ends by anything": (
        template(more=" terminate: b > 2\n"),
        "`n`: a condition does not bind `i` to an input",
    ),
    "every position": (template("", "1"), "`n`: it is extended at every position"),
    "follows an input": (template("", "b"), "`n`: it is extended wherever `b` is"),
    "an input at ticks": (
        template("1s", "b"),
        "`n`: it reads the input `b` at times without a row of its own",
    ),
    "the past of an input": (
        template(value="b[-1, 0]"),
        "`n`: it looks back at the input `b` over all rows",
    ),
    "a window over an input": (
        template(value="b[5s, 0, sum]"),
        "`n`: it looks back at the input `b` over all rows",
    ),
    "an output without parameters": (
        "output int o := a\n" + template(value="o"),
        "`n`: it reads `o`, which has no parameters",
    ),
    "another instance": (
        template(value="n(i + 1)[-1, 0]"),
        "`n`: it reads an instance of `n` in another shard",
    ),
    "invoked by an output": (
        "output int o := a\n" + template("o = i", invoke="o"),
        "`n`: it is invoked by `o`, which is not an input",
    ),
    "its values invoke": (
        COUNTER + "output int m<int j>\n invoke: n\n extend: n = j\n := 1\n",
        "`n`: its values invoke instances of `m`",
    ),
    "one of several keys is read": (
        template(value="a", more=" terminate: b = i\n"),
        "`n`: it reads `a`, which is also one of several keys",
    ),
    "a key of another alternative is read": (
        template("(a = i or b = i) and a > 2"),
        "`n`: it reads `a`, which is also one of several keys",
    ),
    "an operator inside": (
        COUNTER + "output int m<int j>\n invoke: a\n extend: a = j\n := count(n)\n",
        "`m`: it reads an operator over instances",
    ),
    "read from outside": (
        COUNTER + "output int o\n extend: 1s\n := n(3)[0, 0]\n",
        "`n`: `o` reads one instance of `n`",
    ),
    "an operator that looks back": (
        COUNTER + "trigger any(n[-1, 0] > 2)\n",
        "`n`: trigger 1 asks its instances for more than their latest values",
    ),
    "different lives": (
        COUNTER + "output int m<int i>\n invoke: b\n extend: b = i\n := 1\ntrigger any(n < m)\n",
        "`n`: trigger 1 asks for instances that do not live and die together",
    ),
    "late closing": (
        template(value="n(i)[-1, 0] + 1", more=" terminate: n(i) > 3\n") + "trigger count(n) > 1\n",
        "`n`: trigger 1 asks for instances that close after their own last value",
    ),
    "rows and instances": (
        COUNTER + "trigger any(n > 1) and b > 0\n",
        "trigger 1: it needs `b` together with all instances",
    ),
    "rows and instances in two steps": (
        COUNTER + "output int o := count(n)\noutput int u := o + b\n",
        "`u`: it needs `b` together with all instances",
    ),
    "invoked by a row, reads all instances": (
        COUNTER + "output int o\n invoke: b\n extend: 1s\n := count(n)\n",
        "`o`: it needs `b` together with all instances",
    ),
    "the future": (
        COUNTER + "output int o := a[1, 0]\n",
        "`o`: it looks into the future",
    ),
}


@pytest.mark.parametrize("name", NOT_SPREAD)
def test_not_spread(name):
    text, reason = NOT_SPREAD[name]
    plan = make_partition(checked(text))
    assert not plan.is_spread
    assert plan.single is not None
    assert reason in plan.single.reasons


def test_values_that_must_come_together():
    program = checked("input int d\n" + template(value="b + c[0, 1] + n(i)[-1, d]"))
    (stage,) = make_partition(program).shards
    assert stage.present == (("a", "b"), ("a", "c"), ("a", "d"))


def test_components_with_one_key_share_their_shards():
    other = "output int m<int j>\n invoke: a\n extend: a = j\n := 2\n"
    third = "output int k<int j>\n invoke: b\n extend: b = j\n := 2\n"
    plan = make_partition(checked(COUNTER + other + third + "trigger any(n > 1) or any(k > 1)\n"))
    assert [stage.keys for stage in plan.shards] == [("a",), ("b",)]
    assert [len(stage.exported) for stage in plan.shards] == [1, 1]
    assert plan.join is not None


def test_a_template_may_join_shards():
    """Its instances are invoked by what the join computes, so they live there; nobody asks for all."""
    joining = "output int o := count(n)\noutput int m<int j>\n invoke: o\n extend: o = j\n := 1\n"
    text = COUNTER + joining
    plan = make_partition(checked(text))
    assert plan.join is not None
    assert [output.name for output in plan.join.program.outputs] == ["o", "m"]
    mixed = make_partition(checked(text + "trigger any(m > 0)\n"))
    assert mixed.single is not None
    reason = "trigger 1: it needs the instances of `m` together with those in shards"
    assert mixed.single.reasons[-1] == reason
