"""Random DatalogMTL syntax trees: everything that the grammar can say, checked or not."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from horae.data.fact_lines.words import reserved_kind
from horae.data.intervals import ALWAYS, Interval, point
from horae.languages.datalogmtl.syntax import tree
from horae.rules.terms import Atom, Constant, Variable
from horae.source.text import Span

HERE = Span(0, 0)
_here = st.just(HERE)

predicates = st.one_of(
    st.sampled_from(("p", "S", "u", "inf", "NotPos", "ex:flags", "größe", "_q")),
    st.from_regex(r"[A-Za-z_][a-z0-9_]{0,5}(:[A-Z0-9]{1,2})?", fullmatch=True),
).filter(lambda name: reserved_kind(name) is None)
variables = st.from_regex(r"[A-Z][a-z0-9]{0,2}|_[a-z0-9]{1,2}", fullmatch=True).map(
    lambda name: Variable(name, span=HERE)
)
_texts = st.one_of(st.sampled_from(("n1", "not", "Since")), st.text(st.characters(codec="utf-8")))
rationals = st.fractions(-1000, 1000, max_denominator=1000)
_whole_or_not = rationals.map(lambda r: r.numerator if r.denominator == 1 else r)
constants = st.one_of(_texts, _whole_or_not).map(lambda value: Constant(value, span=HERE))


def _interval(low: Fraction, length: Fraction, low_open: bool, high_open: bool) -> Interval:
    is_point = length == 0
    return Interval(low, low + length, low_open and not is_point, high_open and not is_point)


_lengths = st.one_of(st.just(Fraction(0)), st.fractions(0, 100, max_denominator=60))
_bounded = st.builds(_interval, rationals, _lengths, st.booleans(), st.booleans())
_rays = st.builds(lambda low, is_open: Interval(low, None, is_open), rationals, st.booleans())
intervals = st.one_of(_bounded, _rays)


def _atoms(terms: st.SearchStrategy[Constant | Variable]) -> st.SearchStrategy[Atom]:
    return st.builds(Atom, predicates, st.lists(terms, max_size=3).map(tuple), span=_here)


atoms = _atoms(st.one_of(variables, constants))
_operators = st.sampled_from(tree.Operator)


def _composed(inner: st.SearchStrategy[tree.Formula]) -> st.SearchStrategy[tree.Formula]:
    links = st.sampled_from(tree.BinaryOperator)
    return st.one_of(
        st.builds(tree.Modal, _operators, intervals, inner, span=_here),
        st.builds(tree.Binary, links, intervals, inner, inner, span=_here),
    )


formulas: st.SearchStrategy[tree.Formula] = st.recursive(atoms, _composed, max_leaves=5)
_boxes = st.sampled_from((tree.Operator.BOX_PLUS, tree.Operator.BOX_MINUS))
heads = st.builds(
    tree.Head, st.lists(st.tuples(_boxes, intervals), max_size=2).map(tuple), atoms, span=_here
)
literals = st.builds(tree.Literal, formulas, st.booleans(), span=_here)
rules = st.builds(
    tree.Rule, heads, st.lists(literals, min_size=1, max_size=3).map(tuple), span=_here
)
facts = st.builds(
    tree.Fact,
    _atoms(constants),
    st.one_of(st.just(ALWAYS), rationals.map(point), intervals),
    span=_here,
)
queries = st.builds(
    tree.Query,
    st.lists(predicates.map(lambda name: (name, HERE)), min_size=1, max_size=3).map(tuple),
    span=_here,
)
statements: st.SearchStrategy[tree.Statement] = st.one_of(rules, facts, queries)
