"""What the names in a query mean: the elements of FROM, level by level, and the names of WHERE."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

from horae.data.schema import SchemaColumn
from horae.languages.cql.program import Body, ColumnOf, FromElement
from horae.languages.cql.syntax import tree
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span


class SourceKind(Enum):
    STREAM = auto()
    RELATION = auto()
    QUERY = auto()


@dataclass(frozen=True, slots=True)
class KnownTable:
    """Something that FROM can name."""

    name: str
    kind: SourceKind
    columns: tuple[SchemaColumn, ...]


@dataclass(frozen=True, slots=True)
class SelectNames:
    """The names of one SELECT, and around it those of the SELECT that it stands in.

    `definitions` are the names that WHERE defines, in lower case; `used` fills up while expressions
    are resolved. Where an element of FROM is wrong, the scope is not complete, and unknown names are
    no errors.
    """

    sources: tuple[FromElement, ...]
    is_complete: bool
    outer: SelectNames | None
    definitions: dict[str, Definition] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    aliases: frozenset[str] = frozenset()  # the names that SELECT gives, in lower case


@dataclass(frozen=True, slots=True)
class Definition:
    """`T2 = tram.T1 + plan.Z`."""

    name: tree.Name
    value: tree.Expression


@dataclass(slots=True)
class QueryContext:
    """What the check of one query needs to know, and what it has found."""

    known: dict[str, KnownTable]  # by lower case
    later: dict[str, Span]  # queries that come later
    broken: set[str]  # those with errors of their own
    query: str  # the one being checked, in lower case
    check_body: Callable[[QueryContext, tree.Body, SelectNames | None], Body | None]
    report: list[Diagnostic] = field(default_factory=list)
    resolving: list[tuple[int, str]] = field(default_factory=list)  # definitions under way


def levels(scope: SelectNames | None) -> Iterator[tuple[int, SelectNames]]:
    """The scope itself at depth 0, then those around it."""
    depth = 0
    while scope is not None:
        yield depth, scope
        depth, scope = depth + 1, scope.outer


def same(left: str, right: str) -> bool:
    return left.lower() == right.lower()


def columns_named(scope: SelectNames, depth: int, column: tree.Column) -> list[ColumnOf]:
    """The columns of this level that the name may mean."""
    return [
        ColumnOf(depth, number, place, output.name, output.type, span=column.span)
        for number, source in enumerate(scope.sources)
        if column.source is None or same(source.alias, column.source.text)
        for place, output in enumerate(source.columns)
        if same(output.name, column.name.text)
    ]


def is_known(scope: SelectNames, column: tree.Column) -> bool:
    """Whether some level has such a column, or a level around this one defines the name."""
    for depth, level in levels(scope):
        if columns_named(level, depth, column):
            return True
        is_defined = column.source is None and column.name.text.lower() in level.definitions
        if depth > 0 and is_defined:
            return True
    return False


def column_names(scope: SelectNames) -> list[str]:
    """All columns that can be seen, nearest first."""
    return [
        output.name
        for _, level in levels(scope)
        for source in level.sources
        for output in source.columns
    ]
