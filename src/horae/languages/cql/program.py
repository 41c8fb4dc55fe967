"""A checked CQL file: names resolved, types known. Data only; every later floor reads this.

A column is found by three numbers: `depth` (0: a FROM clause of the same SELECT, 1: of the SELECT
around it, …), `source` (which element of that FROM clause) and `place` (which of its columns).
Names that a WHERE clause defines (`T2 = tram.T1 + plan.Z`) are gone: the expression stands where
they were used.
"""

from __future__ import annotations

from dataclasses import dataclass

from horae.data.schema import RegisteredInput, SchemaColumn
from horae.data.types import Type
from horae.languages.cql.syntax.tree import Aggregation, SetOperator, StreamOperator, StreamWindow
from horae.languages.cql.syntax.tree import Query as WrittenQuery
from horae.rules.arithmetic import Comparator, Sign
from horae.source import text
from horae.source.text import Span, span_field

# --- expressions; each has a `type`


@dataclass(frozen=True, slots=True)
class ColumnOf:
    depth: int
    source: int
    place: int
    name: str
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Literal:
    value: int | float | str | bool
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """An operation on numbers. `/` is always double; the others are int iff both sides are."""

    sign: Sign
    left: Expression
    right: Expression
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Aggregate:
    """Only in outputs, HAVING and ORDER BY of a grouped SELECT. `argument` None is COUNT(*)."""

    function: Aggregation
    argument: Expression | None
    distinct: bool
    type: Type
    span: Span = span_field()


Expression = ColumnOf | Literal | Arithmetic | Aggregate


# --- conditions: true, false or unknown, as in SQL


@dataclass(frozen=True, slots=True)
class Compare:
    """Both sides are numbers, both text, or both bool."""

    comparator: Comparator
    left: Expression
    right: Expression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Holds:
    value: Expression  # of type bool
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class IsNull:
    """`IS NOT NULL` is `Not(IsNull(…))`."""

    value: Expression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Not:
    operand: Condition
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class And:
    operands: tuple[Condition, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Or:
    operands: tuple[Condition, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Exists:
    """Columns of the SELECT around it have depth 1 inside."""

    query: Body
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class In:
    """As many values as the query has outputs. `x IN (1, 2)` is an `Or` of comparisons."""

    values: tuple[Expression, ...]
    query: Body
    span: Span = span_field()


Condition = Compare | Holds | IsNull | Not | And | Or | Exists | In


# --- queries


@dataclass(frozen=True, slots=True)
class Scan:
    """A registered stream or relation, or an earlier query (`is_query`), by its declared name.

    A stream has a window. A query with a window is read as the stream of its answers, without one
    as a relation.
    """

    name: str
    alias: str  # what the query calls it
    is_query: bool
    window: StreamWindow | None
    window_places: tuple[int, ...]  # the columns of PARTITION BY
    columns: tuple[SchemaColumn, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Nested:
    """A query in FROM. It sees no columns of the SELECT around it, but those around that (depth
    1 and more).
    """

    query: Body
    alias: str
    columns: tuple[SchemaColumn, ...]
    span: Span = span_field()


FromElement = Scan | Nested


@dataclass(frozen=True, slots=True)
class Select:
    """`values` has one expression per output, and then the hidden ones that only ORDER BY needs.

    `is_grouped`: with GROUP BY, HAVING or aggregates. Without GROUP BY it has one group, also for
    no rows.
    """

    distinct: bool
    outputs: tuple[SchemaColumn, ...]
    values: tuple[Expression, ...]
    sources: tuple[FromElement, ...]
    where: Condition | None
    is_grouped: bool
    group_by: tuple[Expression, ...]
    having: Condition | None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Combined:
    """Both sides have outputs of the same types (int becomes double where the other side is)."""

    operator: SetOperator
    all: bool
    left: Select | Combined
    right: Select | Combined
    outputs: tuple[SchemaColumn, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Order:
    """By the value at this place of `Select.values`, or of the outputs of a `Combined`."""

    place: int
    descending: bool


@dataclass(frozen=True, slots=True)
class Body:
    rows: Select | Combined
    order: tuple[Order, ...]
    limit: int | None

    @property
    def outputs(self) -> tuple[SchemaColumn, ...]:
        return self.rows.outputs


@dataclass(frozen=True, slots=True)
class Query:
    name: str
    stream: StreamOperator
    body: Body
    written: WrittenQuery


@dataclass(frozen=True, slots=True)
class Program:
    """A query reads only queries before it."""

    source: text.Source
    inputs: tuple[RegisteredInput, ...]
    queries: tuple[Query, ...]
    has_durations: bool = False
    precision: str = "s"  # the size of a time point, which durations have been counted in

    @property
    def counts_seconds(self) -> bool:
        """Whether something says that time points are parts of a second: a duration, or a precision."""
        return self.has_durations or self.precision != "s"
