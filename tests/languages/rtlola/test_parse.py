"""The parser: every spelling of the language reference."""

from __future__ import annotations

from fractions import Fraction

import pytest

from horae.data.types import Type
from horae.languages.rtlola.syntax import tree
from horae.languages.rtlola.syntax.build_expressions import join_operands
from horae.languages.rtlola.syntax.parse import parse
from horae.source.text import Source, Span

HERE = Span(0, 0)


def parsed(text: str) -> tree.Specification:
    specification, diagnostics = parse(Source("test.lola", text))
    assert specification is not None, diagnostics
    assert diagnostics == []
    return specification


def output(text: str) -> tree.Output:
    (declaration,) = parsed(text).declarations
    assert isinstance(declaration, tree.Output)
    return declaration


def expression(text: str) -> tree.Expression:
    return output(f"output x := {text}").expression


def name(text: str) -> tree.Name:
    return tree.Name(text, span=HERE)


def number(value: int) -> tree.Literal:
    return tree.Literal(Type.INT, value, span=HERE)


def binary(operator: str, left: tree.Expression, right: tree.Expression) -> tree.Expression:
    return join_operands(operator, left, right, HERE)


A, B, C = name("a"), name("b"), name("c")

# --- the listings of the paper, as printed

FIGURE_1 = """\
input int prod_id
output int sales_freq<int id>
  invoke: prod_id
  extend: id = prod_id
  := prod_id[1h, 0, count(id)]
trigger any(sales_freq > 100)
"""
SHOP = """\
input int viewed
input int sold_out
output int num_of_views<int id>
    invoke: viewed
    extend: viewed = id
    terminate: sold_out = id
    := num_of_views(id)[-1,0] + 1
output int view_freq <int id >
    invoke: viewed
    extend: viewed = id
    terminate: sold_out = id
    := num_of_views[120m, 0, count]
trigger any(view_freq > 100)
trigger count(view_freq > 100) > 5
"""
DIFFERENCES = """\
input double a,b
output double diff = abs(a - b[-1,0])
output double acc = diff[10sec,0,avg]
output double diff
    extend: 1Hz
    = abs(a - b[-1,0])
output double diff
    extend: 1Hz
    = abs(a - b[1sec,0])
"""
FIGURE_8 = """\
frequency 0.1 Hz
input string uid, pid
input double stars
timeinput double ts
output double stars_by_prod <string prod>
  invoke: pid
  extend: pid = prod
  := stars
output double star_avg_l <string prod>
  invoke: pid
 := stars_by_prod(prod)[100 s, average, 0.0]
output double star_avg_s <string prod>
  invoke: pid
  := stars_by_prod(prod)[10 s, average, 0.0]
output double avg_delta <string prod>
  invoke: pid
 := star_avg_l(prod)[0, 0.0] - star_avg_s(prod)[0, 0.0]
trigger any(avg_delta > 1.0)
"""


@pytest.mark.parametrize(
    ("text", "count"), [(FIGURE_1, 3), (SHOP, 6), (DIFFERENCES, 5), (FIGURE_8, 9)]
)
def test_the_listings_of_the_paper(text: str, count: int) -> None:
    assert len(parsed(text).declarations) == count


def test_figure_1_in_full() -> None:
    sales = parsed(FIGURE_1).declarations[1]
    assert isinstance(sales, tree.Output)
    assert sales.invoke == (name("prod_id"),)
    assert sales.extend == binary("=", name("id"), name("prod_id"))
    assert sales.terminate is None
    hour = tree.DurationLiteral(Fraction(3600), "1h", span=HERE)
    use = tree.AggregationUse("count", name("id"), span=HERE)
    assert sales.expression == tree.Window(name("prod_id"), hour, number(0), use, span=HERE)


def test_nothing_but_white_space_separates_declarations() -> None:
    assert len(parsed("input int a output b := a trigger b > 1 frequency 1Hz").declarations) == 4
    assert parsed("").declarations == ()
    assert parsed("\ufeff// only a comment\r\n/* and\r\n another */").declarations == ()


# --- inputs, outputs, triggers


def test_inputs_in_all_spellings() -> None:
    assert parsed("input int a, b") == parsed("input a: int, b: int")
    assert parsed("timeinput float ts") == parsed("timeinput ts: double")
    (clock,) = parsed("timeinput double ts").declarations
    assert isinstance(clock, tree.Input)
    assert clock.is_clock


def test_outputs_in_all_spellings() -> None:
    assert output("output int x := 1") == output("output x: int = 1")
    assert output("output x := 1").type is None
    assert output("output x<int a, string b> := 1") == output("output x <a: int, b:string>:= 1")
    assert output("output x<int a>= 1") == output("output x<int a> := 1")
    assert output("output x invoke: (a, b) := 1").invoke == (A, B)


def test_clauses_stand_in_any_order() -> None:
    one = output("output x invoke: a extend: b terminate: c := 1")
    assert one == output("output x terminate: c extend: b invoke: a := 1")
    assert (one.extend, one.terminate) == (B, C)


@pytest.mark.parametrize(
    ("text", "extend", "definition"),
    [
        ("extend: a\n= b", A, B),
        ("extend: a = b", A, B),
        ("extend: a = b\n= c", binary("=", A, B), C),
        ("extend: a = b = c", binary("=", A, B), C),
        ("extend: a\n = b = c", A, binary("=", B, C)),
        ("extend: a\n = b\n = c", binary("=", A, B), C),
        ("extend: a = b := b = c", binary("=", A, B), binary("=", B, C)),
        ("extend: (a = b)\n= c", binary("=", A, B), C),
        ("extend: a < b = c", binary("<", A, B), C),
        ("extend: a = b and b = c = a", binary("and", binary("=", A, B), binary("=", B, C)), A),
        ("invoke: c extend: a\n= b", A, B),
        ("extend: a invoke: c = b = c", A, binary("=", B, C)),
        ("= b = c", None, binary("=", B, C)),
        ("<int id> = b = c", None, binary("=", B, C)),
    ],
)
def test_which_equal_sign_defines(
    text: str, extend: tree.Expression | None, definition: tree.Expression
) -> None:
    found = output(f"output x {text}")
    assert (found.extend, found.expression) == (extend, definition)


def test_after_a_rate_the_first_equal_sign_defines() -> None:
    assert output("output x extend: 1 Hz = a = b").expression == binary("=", A, B)


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("2Hz", Fraction(1, 2)),
        ("0.1 Hz", Fraction(10)),
        ("2kHz", Fraction(1, 2000)),
        ("500 mHz", Fraction(2)),
        ("10s", Fraction(10)),
        ("5 min", Fraction(300)),
        ("3Hz", Fraction(1, 3)),
    ],
)
def test_rates_are_exact(text: str, period: Fraction) -> None:
    rate = output(f"output x extend: {text} := 1").extend
    assert isinstance(rate, tree.Rate)
    assert rate.period == period
    assert rate.text == text.replace(" ", "")


def test_triggers_share_a_message() -> None:
    (trigger,) = parsed('trigger a > 1, b "too \\"much\\"\\u0021"').declarations
    assert trigger == tree.Trigger((binary(">", A, number(1)), B), 'too "much"!', span=HERE)
    (silent,) = parsed("trigger a").declarations
    assert silent == tree.Trigger((A,), None, span=HERE)


# --- expressions


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a == b", "a = b"),
        ("a ≠ b", "a != b"),
        ("a ≤ b", "a <= b"),
        ("a ≥ b", "a >= b"),
        ("a && b", "a and b"),
        ("a ∧ b", "a and b"),
        ("a || b", "a or b"),
        ("a ∨ b", "a or b"),
        ("!a", "not a"),
        ("¬a", "not a"),
        ("float(a)", "double(a)"),
        ("a[+1, 0]", "a[ 1 ,0 ]"),
        ("a[10s, avg, 0]", "a[10 sec, 0, average]"),
        ("a[1m, count(b), 0]", "a[60 s, 0, count(b)]"),
        ("a[1h, exists, b]", "a[60min, b, any]"),
        ("a[1d, percentile(90), 0]", "a[24h, 0, percentile(90)]"),
        ("a[500 ms, min(b, c), max]", "a[0.5s, max, min(b, c)]"),
        ("a + b * c", "a + (b * c)"),
        ("a - b - c", "(a - b) - c"),
        ("a ^ b ^ c", "a ^ (b ^ c)"),
        ("-a ^ b", "(-a) ^ b"),
        ("a ^ -b", "a ^ (-b)"),
        ("not a = b", "not (a = b)"),
        ("not a and b", "(not a) and b"),
        ("a or b and c", "a or (b and c)"),
        ("if a then b else c + 1", "if a then b else (c + 1)"),
        ("a /* c */ + // d\n b", "a + b"),
        (".5", "0.5"),
        ("1e3", "1000.0"),
    ],
)
def test_two_ways_to_write_the_same(text: str, same: str) -> None:
    assert expression(text) == expression(same)


def test_offsets_and_their_signs() -> None:
    assert expression("a[-2, b]") == tree.Offset(A, -2, B, span=HERE)
    second = tree.DurationLiteral(Fraction(-1), "-1sec", span=HERE)
    assert expression("a[- 1 sec, b]") == tree.TimeOffset(A, second, B, span=HERE)
    called = tree.Apply("a", (B, C), span=HERE)
    assert expression("a(b, c)[0, b]") == tree.Offset(called, 0, B, span=HERE)
    assert expression("-1") == tree.Unary("-", number(1), span=HERE)


def test_names_that_only_look_like_keywords() -> None:
    for text in ("inputs", "iff", "nothing", "state", "left", "s", "Hz", "count", "größe"):
        assert expression(text) == name(text)


def test_spans_point_into_the_source() -> None:
    source = Source("test", "input int a, b\noutput x := b[0, 1] * a[-1, 2]")
    specification, _ = parse(source)
    assert specification is not None
    _, found = specification.declarations
    assert isinstance(found, tree.Output)
    product = found.expression
    assert isinstance(product, tree.Chain)
    assert source.snippet(found.span) == "output x := b[0, 1] * a[-1, 2]"
    assert source.snippet(found.name.span) == "x"
    assert source.snippet(product.rest[0].operand.span) == "a[-1, 2]"


# --- aggregations

SPREAD = """\
aggregation spread(x: double) -> double {
    state: lo double = 1e300, hi double = -1e300;    // the neutral element
    step: lo := min(lo, x), hi := max(hi, x);        // one more value
    combine: lo := min(left.lo, right.lo), hi := max(left.hi, right.hi);
    result: hi - lo
}
"""


def test_an_aggregation_of_ones_own() -> None:
    spread, use = parsed(SPREAD + "output x := a[1s, spread, 0.0]").declarations
    assert isinstance(spread, tree.Aggregation)
    assert [v.name.name for v in spread.state] == ["lo", "hi"]
    assert spread.combine[0].expression == tree.Apply(
        "min",
        (tree.Field("left", "lo", span=HERE), tree.Field("right", "lo", span=HERE)),
        span=HERE,
    )
    assert spread.inverse == ()
    assert isinstance(use, tree.Output)
    assert isinstance(use.expression, tree.Window)
    assert use.expression.aggregation == tree.AggregationUse("spread", None, span=HERE)


def test_sections_stand_in_any_order() -> None:
    one = "aggregation f(int x) → int { result: n; inverse: n = whole.n - left.n; "
    one += "state: n: int := 0; step: n := n + x; combine: n := left.n + right.n; }"
    other = "aggregation f(x: int) -> int { state: int n = 0; step: n := n + x; "
    other += "combine: n := left.n + right.n; inverse: n := whole.n - left.n; result: n }"
    assert parsed(one) == parsed(other)
