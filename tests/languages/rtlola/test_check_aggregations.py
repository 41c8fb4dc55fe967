"""RTL060 to RTL069: windows and aggregations."""

import pytest
from tests.languages.rtlola.checking import accepted, found, refused

from horae.data.types import Type
from horae.languages.rtlola.program import (
    BuiltinAggregation,
    Call,
    Constant,
    StateVariable,
    UserAggregation,
    Variable,
    Window,
    walk,
)
from horae.source.text import Span

HEAD = "input int i\ninput double d\ninput bool b\ninput string s\n"
SPREAD = """aggregation spread(x: double) -> double {
    state: lo double = 1e300, hi double = -1e300;
    step: lo := min(lo, x), hi := max(hi, x);
    combine: lo := min(left.lo, right.lo), hi := max(left.hi, right.hi);
    result: hi - lo
}
"""
CASES = [
    ("RTL060", "output int x := s[1h, 0, «sum»]", "int or double"),
    ("RTL060", "output bool x := i[1h, false, «any»]", "bool"),
    ("RTL061", "output int x := i[1h, 0, «sum(i)»]", ""),
    ("RTL062", "output double x := i[1h, 0, percentile(«101»)]", "percentile(95)"),
    ("RTL062", "output double x := i[1h, 0, percentile(«i»)]", "percentile(95)"),
    ("RTL062", "output double x := i[1h, 0, «percentile»]", "percentile(95)"),
    ("RTL063", 'output int x := i[1h, 0, count(«"x"»)]', ""),
    ("RTL063", "output int x := i[1h, 0, count(«0.5»)]", ""),
    ("RTL064", "output int x := i[«0s», 0, count]", ""),
    ("RTL060", f"{SPREAD}output double x := s[1h, 0.0, «spread»]", "double"),
    ("RTL061", f"{SPREAD}output double x := d[1h, 0.0, «spread(1)»]", ""),
]


@pytest.mark.parametrize(("code", "text", "help"), CASES)
def test_refused(code, text, help):
    diagnostic = refused(HEAD + text)
    assert diagnostic.code == code
    assert help in diagnostic.help


def _aggregation(
    state="n int = 0", step="n := n + 1", combine="n := left.n + right.n", rest="", result="n"
):
    return (
        f"input int a\naggregation mine(x: int) -> int {{ state: {state}; step: {step}; "
        f"combine: {combine}; {rest} result: {result} }}"
    )


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("RTL022", _aggregation(state="n int = 0, «n» int = 0")),
        (
            "RTL022",
            _aggregation(
                state="n int = 0, «x» int = 0", step="n := 1, x := 1", combine="n := 1, x := 1"
            ),
        ),
        ("RTL034", _aggregation(step="n := «n + 0.5»")),
        ("RTL034", _aggregation(result="«n > 1»")),
        ("RTL065", _aggregation(step="n := n, «m» := 1")),
        ("RTL065", _aggregation(combine="n := left.n, «n» := right.n")),
        (
            "RTL066",
            _aggregation(state="n int = 0, m int = 0", step="«n := n»", combine="n := 1, m := 1"),
        ),
        ("RTL067", _aggregation(state="n int = «1 + 1»")),
        ("RTL067", _aggregation(state="n int = «1.5»")),
        ("RTL067", _aggregation(state="n int = «a»")),
        ("RTL068", _aggregation(step="n := n + «a»")),
        ("RTL068", _aggregation(result="«a»[-1, 0] + n")),
        ("RTL069", _aggregation(step="n := «left.n»")),
        ("RTL069", _aggregation(combine="n := left.n + «x»")),
        ("RTL069", _aggregation(rest="inverse: n := whole.n - «right.n»;")),
        ("RTL069", _aggregation(result="«x»")),
    ],
)
def test_a_definition_is_refused(code, text):
    assert refused(text).code == code


def test_a_variable_that_does_not_exist_comes_with_those_that_do():
    diagnostic = refused(_aggregation(combine="n := «both.n»"))
    assert "`left.n`" in diagnostic.help
    assert "`right.n`" in diagnostic.help


# --- what is built


def _window(text: str) -> Window:
    window = accepted(HEAD + text).output("x").expression
    assert isinstance(window, Window)
    return window


def test_built_in_aggregations():
    assert _window("output x := d[1h, 0, average]").aggregation == BuiltinAggregation("avg")
    percentile = _window("output x := d[1h, percentile(90), 0]").aggregation
    assert percentile == BuiltinAggregation("percentile", percent=90.0)
    counting = _window("output x := d[1h, 0, count(1)]").aggregation
    assert isinstance(counting, BuiltinAggregation)
    assert counting.argument == Call(
        "double", (Constant(Type.INT, 1, span=Span(0, 0)),), Type.DOUBLE, span=Span(0, 0)
    )


def _built(text: str) -> UserAggregation:
    aggregation = _window(text).aggregation
    assert isinstance(aggregation, UserAggregation)
    return aggregation


def test_a_user_defined_aggregation():
    spread = _built(f"{SPREAD}output x := d[1h, 0, spread]")
    assert spread.state == (
        StateVariable("lo", Type.DOUBLE, 1e300),
        StateVariable("hi", Type.DOUBLE, -1e300),
    )
    assert spread.argument_type is Type.DOUBLE
    assert spread.inverse == ()
    assert _owners(spread.step[0]) == {("state", "lo"), ("argument", "x")}
    assert _owners(spread.combine[1]) == {("left", "hi"), ("right", "hi")}


def _owners(expression):
    return {(n.owner, n.name) for n in walk(expression) if isinstance(n, Variable)}


def test_over_ints_an_aggregation_of_doubles_converts_its_argument():
    spread = _built(f"{SPREAD}output x := i[1h, 0, spread]")
    assert spread.argument_type is Type.INT
    arguments = [n for n in walk(spread.step[0]) if isinstance(n, Variable) and n.name == "x"]
    assert [n.type for n in arguments] == [Type.INT]
    assert any(isinstance(n, Call) and n.function == "double" for n in walk(spread.step[0]))


def test_assignments_stand_in_the_order_of_the_state():
    text = """aggregation mean(x: int) -> double {
        state: total int = 0, n int = 0;
        step: n := n + 1, total := total + x;
        combine: n := n + other.n, total := total + other.total;
        inverse: n := n - other.n, total := whole.total - left.total;
        result: total / double(n)
    }
    output x := i[1h, 0, mean]"""
    mean = _built(text)
    assert _owners(mean.step[0]) == {("state", "total"), ("argument", "x")}
    assert _owners(mean.combine[1]) == {("left", "n"), ("right", "n")}
    assert _owners(mean.inverse[1]) == _owners(mean.inverse[0]) - {
        ("whole", "total"),
        ("left", "total"),
    } | {("whole", "n"), ("left", "n")}


def test_several_errors_in_one_aggregation():
    report = found(_aggregation(state="n int = x", step="m := 1", combine="n := left.k"))
    assert sorted(d.code for d in report) == ["RTL065", "RTL066", "RTL067", "RTL069"]
