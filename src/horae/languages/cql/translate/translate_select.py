"""One SELECT of the core as one rule (Table 1 of the paper).

rel: SELECT L, X FROM tram [RANGE 5], line WHERE tram.ID = line.ID
rel(L, X) :- win[5] <> tram(ID, X, T1), line(ID, L).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import assert_never

from horae.data.rationals import write_number
from horae.frontend.quoting import quote
from horae.languages.cql.program import (
    Aggregate,
    And,
    Arithmetic,
    ColumnOf,
    Compare,
    Condition,
    Expression,
    Literal,
    Scan,
    Select,
)
from horae.languages.cql.syntax.tree import NowWindow, RangeWindow, RowsWindow, StreamWindow
from horae.languages.cql.translate.translate_names import GivenNames, as_variable
from horae.rules.arithmetic import Comparator, Sign

_LOOSE = (Sign.PLUS, Sign.MINUS)


def translate_select(name: str, select: Select, predicates: Mapping[str, str]) -> str:
    """The rule of the query with this name. The SELECT must be in the core."""
    scans = [source for source in select.sources if isinstance(source, Scan)]
    rule = _Rule(scans, list(_comparisons(select.where)))
    body = [*rule.atoms(predicates), *rule.conditions()]
    head = f"{predicates[name]}({', '.join(rule.outputs(select))})"
    return f"{head} :- {', '.join([*body, *rule.equations])}."


def _comparisons(where: Condition | None) -> Iterator[Compare]:
    match where:
        case Compare():
            yield where
        case And(operands=operands):
            for operand in operands:
                yield from _comparisons(operand)
        case _:
            assert where is None


def _is_unification(comparison: Compare) -> bool:
    """`tram.ID = line.ID`: the two columns become one variable."""
    left, right = comparison.left, comparison.right
    if comparison.comparator is not Comparator.EQUAL:
        return False
    if not isinstance(left, ColumnOf) or not isinstance(right, ColumnOf):
        return False
    return left.name.lower() == right.name.lower()


TranslatedColumn = tuple[int, int]  # which element of FROM, which of its columns


class _Rule:
    """The variables of one rule; `equations` are those of computed outputs."""

    def __init__(self, scans: list[Scan], comparisons: list[Compare]) -> None:
        self._scans = scans
        self._comparisons = comparisons
        self._names = GivenNames()
        self._variables = self._name_columns()
        self._computed: dict[Expression, str] = {}
        self.equations: list[str] = []

    # --- variables

    def _name_columns(self) -> dict[TranslatedColumn, str]:
        """Unified columns share a variable, named after the first of them."""
        firsts = self._unified()
        names: dict[TranslatedColumn, str] = {}
        for column, first in firsts.items():
            if first not in names:
                number, place = first
                names[first] = self._names.give(as_variable(self._written(number, place)))
            names[column] = names[first]
        return names

    def _written(self, number: int, place: int) -> str:
        return self._scans[number].columns[place].name

    def _unified(self) -> dict[TranslatedColumn, TranslatedColumn]:
        """From each column to the first one that it is equal to and that has the same name."""
        firsts = {
            (number, place): (number, place)
            for number, scan in enumerate(self._scans)
            for place in range(len(scan.columns))
        }
        for comparison in filter(_is_unification, self._comparisons):
            one, other = firsts[_key(comparison.left)], firsts[_key(comparison.right)]
            firsts = {c: min(one, other) if f in (one, other) else f for c, f in firsts.items()}
        return firsts

    # --- the body

    def atoms(self, predicates: Mapping[str, str]) -> Iterator[str]:
        for number, scan in enumerate(self._scans):
            arguments = [self._variables[number, place] for place in range(len(scan.columns))]
            predicate = predicates[scan.name]
            window = _window(scan, predicate, arguments)
            yield f"{window}{predicate}({', '.join(arguments)})"

    def conditions(self) -> Iterator[str]:
        for comparison in self._comparisons:
            if not _is_unification(comparison):
                left, right = self._print(comparison.left), self._print(comparison.right)
                yield f"{left} {comparison.comparator} {right}"

    # --- the head

    def outputs(self, select: Select) -> Iterator[str]:
        for output, value in zip(select.outputs, select.values, strict=True):
            if isinstance(value, Arithmetic):
                yield self._compute(output.name, value)
            else:
                yield self._print(value)

    def _compute(self, name: str, value: Arithmetic) -> str:
        """An expression has a variable of its own: `T2 = T1 + Z`."""
        if value not in self._computed:
            self._computed[value] = self._names.give(as_variable(name))
            self.equations.append(f"{self._computed[value]} = {self._print(value)}")
        return self._computed[value]

    # --- values

    def _print(self, value: Expression) -> str:
        match value:
            case ColumnOf(source=number, place=place):
                return self._variables[number, place]
            case Literal():
                return _constant(value)
            case Arithmetic(sign=sign, left=left, right=right):
                return f"{self._side(left, sign, False)} {sign} {self._side(right, sign, True)}"
            case Aggregate():
                raise AssertionError("the core has no aggregates")
            case _:
                assert_never(value)

    def _side(self, value: Expression, sign: Sign, is_right: bool) -> str:
        """In parentheses where it would be read otherwise: to the right, or + below *."""
        text = self._print(value)
        if not isinstance(value, Arithmetic):
            is_fraction = isinstance(value, Literal) and "/" in text and text[0] != '"'
            return f"({text})" if is_fraction else text
        is_loose = value.sign in _LOOSE and sign not in _LOOSE
        return f"({text})" if is_right or is_loose else text


def _key(value: Expression) -> TranslatedColumn:
    assert isinstance(value, ColumnOf)
    return value.source, value.place


def _constant(literal: Literal) -> str:
    if isinstance(literal.value, str):
        return quote(literal.value)
    return write_number(Fraction(str(literal.value)))


def _window(scan: Scan, predicate: str, arguments: list[str]) -> str:
    """Up to the atom: `win[5] <> `; nothing for a relation or NOW."""
    window: StreamWindow | None = scan.window
    match window:
        case None | NowWindow():
            return ""
        case RangeWindow(length=None):
            return "win[inf] <> "
        case RangeWindow(length=length, slide=1):
            return f"win[{length}] <> "
        case RangeWindow(length=length, slide=slide):
            return f"win[{length},0,{slide}] <> "
        case RowsWindow(count=count):
            return f"win[{_pattern(scan, predicate, arguments)} #{count}] <> "
        case _:
            assert_never(window)


def _pattern(scan: Scan, predicate: str, arguments: list[str]) -> str:
    """`tram(ID, _, _) by ID`: only the columns of PARTITION BY have names."""
    by = [arguments[place] for place in dict.fromkeys(scan.window_places)]
    terms = [a if place in scan.window_places else "_" for place, a in enumerate(arguments)]
    pattern = f"{predicate}({', '.join(terms)})"
    return f"{pattern} by {', '.join(by)}" if by else pattern
