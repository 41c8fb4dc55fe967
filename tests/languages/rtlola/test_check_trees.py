"""Mistakes that the parser refuses already, in trees that may come from elsewhere."""

from fractions import Fraction

from horae.data.types import Type
from horae.languages.rtlola.check.check import check
from horae.languages.rtlola.program import Constant, Program
from horae.languages.rtlola.syntax import tree
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source, Span

NOWHERE, HERE = Span(0, 0), Span(3, 7)
ZERO = tree.Literal(Type.INT, 0, span=NOWHERE)
A = tree.Name("a", span=NOWHERE)


def _output(expression: tree.Expression, extend: tree.Rate | None = None) -> tree.Output:
    name = tree.Name("x", span=NOWHERE)
    return tree.Output(name, None, (), (), extend, None, expression, span=NOWHERE)


def _check(*declarations: tree.Declaration) -> tuple[Program | None, list[Diagnostic]]:
    declared = tree.Declared(A, tree.TypeName(Type.INT, span=NOWHERE), span=NOWHERE)
    input_ = tree.Input((declared,), False, span=NOWHERE)
    return check(Source("", ""), tree.Specification((input_, *declarations)))


def _only_error(*declarations: tree.Declaration) -> Diagnostic:
    program, (diagnostic,) = _check(*declarations)
    assert program is None
    assert diagnostic.span == HERE
    return diagnostic


def _window(aggregation: str, seconds: int) -> tree.Window:
    return tree.Window(
        A,
        tree.DurationLiteral(Fraction(seconds), f"{seconds} s", span=HERE),
        ZERO,
        tree.AggregationUse(aggregation, None, span=HERE),
        span=NOWHERE,
    )


def test_an_aggregation_that_nobody_declared():
    diagnostic = _only_error(_output(_window("summ", 1)))
    assert diagnostic.code == "RTL026"
    assert diagnostic.help == "did you mean `sum`?"


def test_an_integer_of_more_than_64_bits():
    assert _only_error(_output(tree.Literal(Type.INT, 2**63, span=HERE))).code == "RTL037"
    assert _only_error(_output(tree.Literal(Type.DOUBLE, float("inf"), span=HERE))).code == "RTL037"


def test_the_smallest_integer_has_digits_that_would_be_too_large_alone():
    digits = tree.Literal(Type.INT, 2**63, span=NOWHERE)
    program, report = _check(_output(tree.Unary("-", digits, span=NOWHERE)))
    assert report == []
    assert program is not None
    assert program.output("x").expression == Constant(Type.INT, -(2**63), span=NOWHERE)


def test_a_rate_that_never_ticks():
    never = tree.Rate(Fraction(0), "0Hz", span=HERE)
    assert _only_error(_output(A, never)).code == "RTL049"
    assert _only_error(tree.Frequency(never, span=NOWHERE)).code == "RTL049"


def test_a_window_into_the_future():
    diagnostic = _only_error(_output(_window("sum", -10)))
    assert diagnostic.code == "RTL064"
    assert diagnostic.help == "drop the minus: `10 s` reaches back from now"
