"""RTL030 to RTL039: types; inference and widening."""

import pytest
from tests.languages.rtlola.checking import accepted, refused

from horae.data.types import Type
from horae.languages.rtlola.program import Call, Chain, Constant, Offset

HEAD = "input int i\ninput double d\ninput bool b\ninput string s\n"
CASES = [
    ("RTL030", "output int x := «i + s»", "takes numbers"),
    ("RTL030", "output bool x := «b < b»", "`=` and `!=` only"),
    ("RTL030", "output bool x := «i = s»", "both sides"),
    ("RTL030", "output bool x := «b and i»", "takes bools"),
    ("RTL030", "output bool x := «not i»", "takes a bool"),
    ("RTL030", "output int x := «-s»", "takes a number"),
    ("RTL030", "output string x := «s + s»", "takes numbers"),
    ("RTL031", "output int x := if b then i else «s»", ""),
    ("RTL032", "output int x := «length(i)»", "it takes (string)"),
    ("RTL032", "output int x := «min(i, s)»", "it takes (int, int) or (double, double)"),
    ("RTL033", "output double x := «sqrt(d, d)»", ""),
    ("RTL033", "output int x := «min(i)»", ""),
    ("RTL033", "output bool x := «any(b, b)»", ""),
    ("RTL034", "output int x := «d»", "`int(…)`"),
    ("RTL034", "output string x := «i»", "`string(…)`"),
    ("RTL034", "output bool x := «i»", ""),
    ("RTL035", "output int x := i[-1, «0.5»]", "for example `0`"),
    ("RTL035", "output bool x := b[-1, «0»]", "for example `false`"),
    ("RTL035", "output int x := i[1h, «0.0», count]", "for example `0`"),
    ("RTL035", "output double x := d[-1s, «s»]", "for example `0.0`"),
    ("RTL036", "output int x extend: «i» := 1", "`i = …`"),
    ("RTL036", "output int x extend: i > 0 terminate: «i + 1» := 1", "compare it"),
    ("RTL036", "output int x := if «i» then 1 else 2", ""),
    ("RTL036", "trigger «d»", "compare it"),
    ("RTL036", "output int t<int p> invoke: i := p\ntrigger any(«t»)", "any(… > 0)"),
    ("RTL036", "output int t<int p> invoke: i := p\ntrigger count(«t + 1») > 1", "compare"),
    ("RTL039", 'output bool x := matches(s, «"(a"»)', ""),
]


@pytest.mark.parametrize(("code", "text", "help"), CASES)
def test_refused(code, text, help):
    diagnostic = refused(HEAD + text)
    assert diagnostic.code == code
    assert help in diagnostic.help


@pytest.mark.parametrize(
    ("expression", "type"),
    [
        ("i + 1", Type.INT),
        ("i + d", Type.DOUBLE),
        ("i / 2", Type.INT),
        ("2 ^ 0.5", Type.DOUBLE),
        ("d % 2", Type.DOUBLE),
        ("i = d", Type.BOOL),
        ("s < s", Type.BOOL),
        ("b != b", Type.BOOL),
        ("if b then 1 else 2.0", Type.DOUBLE),
        ("max(i, 1, d)", Type.DOUBLE),
        ("max(i, 1, 2)", Type.INT),
        ("floor(d)", Type.INT),
        ("round(i)", Type.INT),
        ("sqrt(i)", Type.DOUBLE),
        ("string(b)", Type.STRING),
        ("int(s)", Type.INT),
        ("double(b)", Type.DOUBLE),
        ("length(s)", Type.INT),
        ("i[10s, 0, avg]", Type.DOUBLE),
        ("s[10s, 0, count]", Type.INT),
        ('s[10s, "", last]', Type.STRING),
        ("b[10s, false, exists]", Type.BOOL),
        ("d[10s, 0, percentile(99.5)]", Type.DOUBLE),
        ("d[-1 min, 0]", Type.DOUBLE),
    ],
)
def test_inferred(expression, type):
    assert accepted(f"{HEAD}output x := {expression}").output("x").type is type


def _types(text):
    return {output.name: output.type for output in accepted(HEAD + text).outputs}


def test_recursion_starts_from_the_default():
    assert _types("output x := x[-1, 0] + 1") == {"x": Type.INT}
    assert _types("output x := x[-1, 0] + d") == {"x": Type.DOUBLE}
    assert _types("output x := if b then x[-1, 0.5] else 1") == {"x": Type.DOUBLE}
    assert _types('output x := x[-1, ""]') == {"x": Type.STRING}


def test_types_rise_together_through_mutual_recursion():
    text = "output x := y[-1, 0] + 1\noutput y := x[-1, 0] * z\noutput z := if b then x else d"
    assert set(_types(text).values()) == {Type.DOUBLE}


def test_a_default_may_raise_the_type_of_a_stream_that_is_still_inferred():
    text = "output x := y + 0\noutput y := x[-1, 0.5]"
    assert _types(text) == {"x": Type.DOUBLE, "y": Type.DOUBLE}


def test_widening_is_explicit():
    program = accepted(f"{HEAD}output double x := d[-1, 0] + i\noutput double y := i")
    sum_, copy = program.output("x").expression, program.output("y").expression
    assert isinstance(sum_, Chain)
    left, right = sum_.operands
    assert isinstance(left, Offset)
    assert isinstance(left.default, Call)
    assert left.default.function == "double"
    assert [n.function for n in (right, copy) if isinstance(n, Call)] == ["double"] * 2


def test_a_chain_ends_where_its_type_changes():
    """The sum of the ints is an int, with its overflow, and is widened as a whole."""
    program = accepted(f"{HEAD}output double x := i + i + d + i")
    outer = program.output("x").expression
    assert isinstance(outer, Chain)
    assert isinstance(outer.first, Call)
    assert outer.first.function == "double"
    (inner,) = outer.first.arguments
    assert isinstance(inner, Chain)
    assert (inner.type, len(inner.rest), len(outer.rest)) == (Type.INT, 1, 2)


def test_a_constant_keeps_its_value():
    expression = accepted("output int x := 9223372036854775807").output("x").expression
    assert expression == Constant(Type.INT, 2**63 - 1, span=expression.span)


def test_the_smallest_integer():
    expression = accepted("output int x := -9223372036854775808").output("x").expression
    assert isinstance(expression, Constant)
    assert expression.value == -(2**63)
    assert refused("output int x := «9223372036854775808»").code == "RTL037"
