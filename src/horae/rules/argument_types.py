"""The types of arguments in answers, by data flow from the types of the input's columns.

A variable takes the type of the places where it stands in the body; an argument of a predicate takes
what the heads of its rules, its facts and its table give it. Where numbers and text meet, it is text.

    sold(Shop, Price) from a table (string, double)         big(S, P) :- sold(S, P).
                                                            ⇒ big(string, double)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

import pyarrow as pa

from horae.data.bind_columns import read_table_name
from horae.data.columns import DataType
from horae.data.constants import Value, fits
from horae.data.fact_tables import FROM, TO, FactTable, lay_out
from horae.data.input_types import ColumnTypes, InputTypes
from horae.rules.arithmetic import Operation, Sign, TermExpression, variables_of
from horae.rules.terms import Atom, Constant, Variable

Kind = DataType | None
"""An Arrow type; None where the input has no types."""

NOTHING = pa.null()
"""No value comes here."""

_WHOLE, _NUMBER, _TEXT = pa.int64(), pa.float64(), pa.string()
_DIGITS_OF_WHOLE, _MOST_DIGITS = 19, 38
_Variables = dict[str, Kind]


@dataclass(frozen=True, slots=True)
class Flow:
    """A rule as values flow through it: `bound` are atoms that hold, `times` variables for times.

    `perhaps` are atoms that count, all together, where nothing else tells of a variable; `computed`
    are variables with what they equal.
    """

    head: Atom
    bound: tuple[Atom, ...] = ()
    perhaps: tuple[Atom, ...] = ()
    times: frozenset[str] = frozenset()
    computed: tuple[tuple[str, TermExpression], ...] = ()


def argument_types(
    flows: Sequence[Flow], given: Mapping[str, Sequence[Kind]]
) -> dict[str, tuple[Kind, ...]]:
    """Of every predicate that has a table, a fact or a rule: the least types that hold all values."""
    found = {name: tuple(map(column_kind, types)) for name, types in given.items()}
    changed = True
    while changed:
        changed = False
        for flow in flows:
            name = flow.head.predicate
            before = found.get(name, (NOTHING,) * len(flow.head.arguments))
            found[name] = tuple(map(joined, before, _head_kinds(flow, found)))
            changed |= found[name] != before
    return found


def column_kind(type: Kind) -> Kind:
    """What the constants of a column are: all widths of numbers are one."""
    if type is None:
        return None
    if pa.types.is_integer(type):
        return pa.decimal128(20, 0) if type == pa.uint64() else _WHOLE
    if pa.types.is_floating(type):
        return _NUMBER
    kept = pa.types.is_boolean(type) or pa.types.is_decimal128(type) or pa.types.is_date32(type)
    return type if kept else _TEXT


def joined(one: Kind, other: Kind) -> Kind:
    """The least type that has the values of both."""
    if one == other or other == NOTHING:
        return one
    if one == NOTHING:
        return other
    if one is None or other is None:
        return None
    numbers = all(map(_is_number, (one, other)))
    return _number(one, other) if numbers else _TEXT


def _is_number(type: DataType) -> bool:
    return type in (_WHOLE, _NUMBER) or bool(pa.types.is_decimal(type))


def _number(one: DataType, other: DataType) -> DataType:
    """Decimals have room for the digits of both, if there are so many."""
    if _NUMBER in (one, other):
        return _NUMBER
    (before, after), (more_before, more_after) = map(_digits, (one, other))
    places = max(after, more_after)
    digits = max(before, more_before) + places
    return pa.decimal128(digits, places) if digits <= _MOST_DIGITS else _NUMBER


def _digits(type: DataType) -> tuple[int, int]:
    """Before and after the point."""
    if pa.types.is_decimal(type):
        return type.precision - type.scale, type.scale
    return _DIGITS_OF_WHOLE, 0


def _head_kinds(flow: Flow, found: Mapping[str, Sequence[Kind]]) -> list[Kind]:
    """What the rule gives; nothing as long as nothing comes to one of its atoms."""
    if any(atom.arguments and atom.predicate not in found for atom in flow.bound):
        return [NOTHING] * len(flow.head.arguments)
    variables: _Variables = dict.fromkeys(flow.times, _WHOLE)
    for name, kind in _kinds_in(flow.bound, found):
        variables[name] = _met(variables[name], kind) if name in variables else kind
    perhaps: _Variables = {}
    for name, kind in _kinds_in(flow.perhaps, found):
        perhaps[name] = joined(perhaps.get(name, NOTHING), kind)
    variables = _with_computed(perhaps | variables, flow.computed)
    return [_term_kind(term, variables) for term in flow.head.arguments]


def _kinds_in(
    bound: Sequence[Atom], found: Mapping[str, Sequence[Kind]]
) -> Iterator[tuple[str, Kind]]:
    for atom in bound:
        nothing = (NOTHING,) * len(atom.arguments)
        kinds = found.get(atom.predicate, nothing)
        for term, kind in zip(atom.arguments, kinds, strict=True):
            if isinstance(term, Variable):
                yield term.name, kind


def _with_computed(
    variables: _Variables, computed: Sequence[tuple[str, TermExpression]]
) -> _Variables:
    """An equation tells of a variable when all those of its other side are known."""
    known = dict(variables)
    for _ in computed:
        for name, expression in computed:
            if name not in known and all(v.name in known for v in variables_of(expression)):
                known[name] = _expression_kind(expression, known)
    return known


def _met(one: Kind, other: Kind) -> Kind:
    """The most special type: an equal value stands in both places."""
    if NOTHING in (one, other):
        return NOTHING
    special = [kind for kind in (one, other) if kind is not None and kind != _TEXT]
    if special:
        return _WHOLE if _WHOLE in special else special[0]
    return one if other is None else other


def _term_kind(term: Variable | Constant, variables: _Variables) -> Kind:
    match term:
        case Variable(name=name):
            return variables.get(name)
        case Constant(value=value):
            return _constant_kind(value)
        case _:
            assert_never(term)


def _constant_kind(value: Value) -> DataType:
    if isinstance(value, str):
        return _TEXT
    return _WHOLE if isinstance(value, int) and fits(value) else _NUMBER


def _expression_kind(expression: TermExpression, variables: _Variables) -> Kind:
    if not isinstance(expression, Operation):
        return _term_kind(expression, variables)
    sides = [_expression_kind(side, variables) for side in (expression.left, expression.right)]
    if NOTHING in sides:
        return NOTHING
    return _WHOLE if sides == [_WHOLE] * 2 and expression.sign is not Sign.DIVIDED else _NUMBER


def chosen_types(kinds: Iterable[Kind], unknown: DataType) -> list[DataType]:
    """The types of columns: `unknown` where the input does not tell, text where there are no values."""
    return [unknown if kind is None else _TEXT if kind == NOTHING else kind for kind in kinds]


# --- what the tables of an input tell


def given_kinds(
    types: InputTypes, arities: Mapping[str, int], time: str, order: str | None
) -> dict[str, Sequence[Kind]]:
    """The types of the arguments of predicates that have a table; facts may be about any."""
    found: dict[str, Sequence[Kind]] = {}
    if has_facts(types):
        found = {name: (None,) * arity for name, arity in arities.items()}
    for laid, columns in _laid_out(types, arities, time, order):
        kinds = [column_kind(columns[argument]) for argument in laid.arguments]
        before = found.get(laid.predicate, (NOTHING,) * len(kinds))
        found[laid.predicate] = [*map(joined, before, kinds)]
    return found


def has_facts(types: InputTypes) -> bool:
    """A table without a name may be about any predicate, as files in a folder are."""
    return types.has_facts or "" in types.tables


def given_times(
    types: InputTypes, arities: Mapping[str, int], time: str, order: str | None
) -> Iterator[Kind]:
    """The types of the columns of times and of the ends of intervals; facts have times without types."""
    for laid, columns in _laid_out(types, arities, time, order):
        if laid.time is not None:
            yield columns[laid.time]
        yield from (columns[name] for name in laid.interval if name in (FROM, TO))
    if has_facts(types):
        yield None


def _laid_out(
    types: InputTypes, arities: Mapping[str, int], time: str, order: str | None
) -> Iterator[tuple[FactTable, ColumnTypes]]:
    for table, columns in types.tables.items():
        if read_table_name(table).name in arities:
            place = lay_out(table, [*columns], arities, time=time, order=order, place=table)
            yield place, columns
