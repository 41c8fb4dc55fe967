"""Random LARS syntax trees: everything that the grammar can say, safe or not.

A window refused by the checks (`by` a variable that is not in the pattern) is in here as well.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from horae.data.intervals import ALWAYS, Interval, point
from horae.languages.lars.syntax import tree
from horae.rules.arithmetic import Comparator, Comparison, Operation, Sign, TermExpression
from horae.rules.terms import Atom, Constant, Variable
from horae.rules.window_keywords import INFINITY, RESERVED, TIME, WINDOWS
from horae.source.text import Span

HERE = Span(0, 0)
_here = st.just(HERE)
_KEYWORDS = frozenset((*RESERVED, *WINDOWS, TIME, *INFINITY, "by"))

# --- terms

predicates = st.one_of(
    st.sampled_from(("p", "at", "win", "win1", "by", "inf", "min", "ex:flags", "größe", "notpos")),
    st.from_regex(r"[a-z][a-z0-9_]{0,5}(:[A-Z0-9]{1,2})?", fullmatch=True),
).filter(lambda name: name.lower() not in RESERVED)
variables = (
    st.from_regex(r"[A-Z][a-z0-9]{0,2}|_[a-z0-9]{1,2}", fullmatch=True)
    .filter(lambda name: name.lower() not in _KEYWORDS)
    .map(lambda name: Variable(name, span=HERE))
)
_texts = st.one_of(
    st.sampled_from(("n1", "not", "win", "At", "inf", "by", "s")),
    st.text(st.characters(codec="utf-8"), max_size=6),
)
_rationals = st.fractions(-1000, 1000, max_denominator=1000)
numbers = _rationals.map(lambda r: r.numerator if r.denominator == 1 else r)
constants = st.one_of(_texts, numbers).map(lambda value: Constant(value, span=HERE))
terms = st.one_of(variables, constants)
_arguments = st.lists(terms, max_size=3).map(tuple)
atoms = st.builds(Atom, predicates, _arguments, span=_here)

# --- arithmetic


def _is_fraction(operation: Operation) -> bool:
    """`1/3` is read as a number."""
    match operation:
        case Operation(Sign.DIVIDED, Constant(int()), Constant(int() as below)):
            return below > 0
        case _:
            return False


def _operations(inner: st.SearchStrategy[TermExpression]) -> st.SearchStrategy[TermExpression]:
    found = st.builds(Operation, st.sampled_from(Sign), inner, inner, span=_here)
    return found.filter(lambda operation: not _is_fraction(operation))


expressions: st.SearchStrategy[TermExpression] = st.recursive(terms, _operations, max_leaves=4)
comparisons = st.builds(
    Comparison, st.sampled_from(Comparator), expressions, expressions, span=_here
)

# --- windows

_extents = st.one_of(expressions, st.builds(tree.Infinite, span=_here))
_time_windows = st.builds(tree.TimeWindow, _extents, _extents, expressions, span=_here)
_short_time_windows = st.builds(
    tree.TimeWindow,
    _extents,
    st.one_of(st.just(Constant(0, span=HERE)), _extents),
    st.just(Constant(1, span=HERE)),
    span=_here,
)
_tuple_windows = st.builds(tree.TupleWindow, expressions, expressions, span=_here)
_partition_windows = st.builds(
    tree.PartitionWindow,
    atoms.filter(lambda atom: atom.predicate not in INFINITY),
    st.lists(variables, max_size=2).map(tuple),
    expressions,
    expressions,
    span=_here,
)
_window_names = predicates.filter(lambda name: name not in INFINITY and ":" not in name)
_named_windows = st.builds(
    tree.NamedWindow, _window_names, st.lists(expressions, max_size=2).map(tuple), span=_here
)
windows = st.one_of(
    _short_time_windows, _time_windows, _tuple_windows, _partition_windows, _named_windows
)

# --- formulas


def _composed(inner: st.SearchStrategy[tree.Formula]) -> st.SearchStrategy[tree.Formula]:
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        st.builds(tree.Not, inner, span=_here),
        st.builds(tree.And, several, span=_here),
        st.builds(tree.Or, several, span=_here),
        st.builds(tree.Implies, inner, inner, span=_here),
        st.builds(tree.Some, inner, span=_here),
        st.builds(tree.Always, inner, span=_here),
        st.builds(tree.At, terms, inner, span=_here),
        st.builds(tree.Window, st.sampled_from(tree.Choice), windows, inner, span=_here),
    )


formulas: st.SearchStrategy[tree.Formula] = st.recursive(
    st.one_of(atoms, comparisons), _composed, max_leaves=6
)

# --- statements

_bodies = st.lists(formulas, min_size=1, max_size=3).map(tuple)
rules = st.builds(tree.Rule, st.one_of(formulas, st.none()), _bodies, span=_here)
_bare_rules = st.builds(
    tree.Rule,
    formulas.filter(lambda f: not isinstance(f, Atom) or bool(f.variables)),
    st.just(()),
    span=_here,
)
_times = st.integers(0, 10**6)


def _interval(low: int, length: int) -> Interval:
    return Interval(Fraction(low), Fraction(low + length))


facts = st.builds(
    tree.Fact,
    st.builds(Atom, predicates, st.lists(constants, max_size=3).map(tuple), span=_here),
    st.one_of(
        st.just(ALWAYS),
        _times.map(lambda time: point(Fraction(time))),
        st.builds(_interval, _times, st.integers(0, 100)),
    ),
    span=_here,
)
queries = st.builds(
    tree.Query,
    st.lists(predicates.map(lambda name: (name, HERE)), min_size=1, max_size=3).map(tuple),
    span=_here,
)
statements: st.SearchStrategy[tree.Statement] = st.one_of(rules, rules, _bare_rules, facts, queries)
