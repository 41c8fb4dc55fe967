"""Random RTLola syntax trees: everything that the grammar can say, well-typed or not."""

from __future__ import annotations

from typing import TypeVar

from hypothesis import strategies as st

from horae.data.types import Type
from horae.languages.rtlola.syntax import tree
from horae.languages.rtlola.syntax.aggregations import AGGREGATIONS, ALIASES
from horae.languages.rtlola.syntax.build_expressions import (
    duration_seconds,
    join_branches,
    join_operands,
    rate_period,
)
from horae.languages.rtlola.syntax.tokens import KEYWORDS
from horae.source.text import Span

HERE = Span(0, 0)
_TYPES = frozenset(("int", "double", "float", "bool", "string"))

identifiers = st.one_of(
    st.sampled_from(("a", "b", "state", "left", "count", "s", "Hz", "größe", "_x1")),
    st.from_regex(r"[a-z_][a-z0-9_]{0,6}", fullmatch=True),
).filter(lambda name: name not in KEYWORDS | _TYPES)
names = identifiers.map(lambda name: tree.Name(name, span=HERE))
type_names = st.sampled_from(Type).map(lambda kind: tree.TypeName(kind, span=HERE))
declared = st.builds(tree.Declared, names, type_names, span=st.just(HERE))

_numbers = st.one_of(
    st.integers(0, 10**6).map(str),
    st.decimals(0, 1000, places=3).map(lambda value: f"{value:f}"),
)
_time_units = st.sampled_from(("ms", "s", "sec", "m", "min", "h", "d"))


def _duration(number: str, unit: str, sign: str = "") -> tree.DurationLiteral:
    seconds = duration_seconds(number, unit)
    assert seconds is not None
    return tree.DurationLiteral(-seconds if sign else seconds, f"{sign}{number}{unit}", span=HERE)


def _rate(number: str, unit: str) -> tree.Rate:
    period = rate_period(number, unit)
    assert period is not None
    return tree.Rate(period, f"{number}{unit}", span=HERE)


durations = st.builds(_duration, _numbers, _time_units)
signed_durations = st.builds(_duration, _numbers, _time_units, st.sampled_from(("", "-")))
rates = st.builds(
    _rate, _numbers, st.one_of(_time_units, st.sampled_from(("mHz", "Hz", "kHz")))
).filter(lambda rate: rate.period > 0)

_texts = st.text(st.characters(codec="utf-8"), max_size=8)
literals = st.one_of(
    st.integers(0, 2**63 - 1).map(lambda v: tree.Literal(Type.INT, v, span=HERE)),
    st.floats(0, allow_infinity=False).map(lambda v: tree.Literal(Type.DOUBLE, abs(v), span=HERE)),
    st.booleans().map(lambda v: tree.Literal(Type.BOOL, v, span=HERE)),
    _texts.map(lambda v: tree.Literal(Type.STRING, v, span=HERE)),
)
_OPERATORS = ("+", "-", "*", "/", "%", "^", "=", "!=", "<", "<=", ">", ">=", "and", "or")


def _composed(inner: st.SearchStrategy[tree.Expression]) -> st.SearchStrategy[tree.Expression]:
    here = st.just(HERE)
    functions = st.one_of(identifiers, st.sampled_from(("int", "double", "bool", "string")))
    arguments = st.lists(inner, max_size=3).map(tuple)
    applied = st.builds(tree.Apply, functions, arguments, span=here)
    targets = st.one_of(names, st.builds(tree.Apply, identifiers, arguments, span=here))
    return st.one_of(
        applied,
        st.builds(tree.Unary, st.sampled_from(("-", "not")), inner, span=here),
        st.builds(join_operands, st.sampled_from(_OPERATORS), inner, inner, here),
        st.builds(join_branches, inner, inner, inner, here),
        st.builds(tree.Offset, targets, st.integers(-100, 100), inner, span=here),
        st.builds(tree.TimeOffset, targets, signed_durations, inner, span=here),
        st.builds(tree.Window, targets, durations, inner, _aggregations(inner), span=here),
    )


def _aggregations(
    inner: st.SearchStrategy[tree.Expression],
) -> st.SearchStrategy[tree.AggregationUse]:
    here = st.just(HERE)
    return st.one_of(
        st.builds(tree.AggregationUse, st.sampled_from(sorted(AGGREGATIONS)), st.none(), span=here),
        st.builds(tree.AggregationUse, st.sampled_from(("count", "percentile")), inner, span=here),
    )


_fields = st.builds(tree.Field, identifiers, identifiers, span=st.just(HERE))
expressions: st.SearchStrategy[tree.Expression] = st.recursive(
    st.one_of(literals, names, _fields), _composed, max_leaves=12
)

# --- declarations

_T = TypeVar("_T")


def _some(strategy: st.SearchStrategy[_T], most: int = 3) -> st.SearchStrategy[tuple[_T, ...]]:
    return st.lists(strategy, min_size=1, max_size=most).map(tuple)


def _any_number(strategy: st.SearchStrategy[_T]) -> st.SearchStrategy[tuple[_T, ...]]:
    return st.lists(strategy, max_size=2).map(tuple)


_here = st.just(HERE)
_conditions = st.one_of(st.none(), rates, expressions)
_assignments = st.builds(tree.Assignment, names, expressions, span=_here)
frequencies = st.builds(tree.Frequency, rates, span=_here)
inputs = st.builds(tree.Input, _some(declared), st.booleans(), span=_here)
triggers = st.builds(tree.Trigger, _some(expressions), st.one_of(st.none(), _texts), span=_here)
outputs = st.builds(
    tree.Output,
    names,
    st.one_of(st.none(), type_names),
    _any_number(declared),
    _any_number(names),
    _conditions,
    _conditions,
    expressions,
    span=_here,
)
aggregations = st.builds(
    tree.Aggregation,
    identifiers.filter(lambda name: name not in ALIASES).map(lambda n: tree.Name(n, span=HERE)),
    declared,
    type_names,
    _some(st.builds(tree.StateVariable, names, type_names, expressions, span=_here), 2),
    _some(_assignments, 2),
    _some(_assignments, 2),
    _any_number(_assignments),
    expressions,
    span=_here,
)
declarations: st.SearchStrategy[tree.Declaration] = st.one_of(
    frequencies, inputs, outputs, triggers, aggregations
)
