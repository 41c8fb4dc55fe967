"""The syntax tree of a CQL file, as written. Data only.

Comparison ignores spans: two trees are equal iff they say the same. Names are as written; the checker
resolves them without regard to case.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from horae.data.types import Type
from horae.rules.arithmetic import Comparator, Sign
from horae.source.text import Span, span_field


@dataclass(frozen=True, slots=True)
class Name:
    text: str
    span: Span = span_field()

    @property
    def is_quoted(self) -> bool:
        """Written in double quotes, which its text has not."""
        return self.span.end - self.span.start > len(self.text)


# --- expressions: values


@dataclass(frozen=True, slots=True)
class Column:
    """`tram.ID`, `ID`."""

    source: Name | None
    name: Name
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Number:
    """`7`, `2.5`; `is_double` tells 2.0 from 2."""

    value: Fraction
    is_double: bool
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Text:
    """`'p1'`; a quote inside is doubled."""

    value: str
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Truth:
    """`TRUE`, `FALSE`."""

    value: bool
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`-x` is read as `0 - x`."""

    sign: Sign
    left: Expression
    right: Expression
    span: Span = span_field()


class Aggregation(StrEnum):
    COUNT = "COUNT"
    SUM = "SUM"
    AVG = "AVG"
    MIN = "MIN"
    MAX = "MAX"


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`SUM(price * 2)`, `COUNT(*)` (argument None), `COUNT(DISTINCT x)`."""

    function: Aggregation
    argument: Expression | None
    distinct: bool
    span: Span = span_field()


Expression = Column | Number | Text | Truth | Arithmetic | Aggregate


# --- conditions


@dataclass(frozen=True, slots=True)
class Compare:
    comparator: Comparator
    left: Expression
    right: Expression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Holds:
    """A column of type bool, or TRUE or FALSE, as a condition."""

    value: Expression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class IsNull:
    """`x IS NULL`, `x IS NOT NULL`."""

    value: Expression
    negated: bool
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
    """`[NOT] EXISTS (query)`; NOT EXISTS is `Not(Exists(…))`."""

    query: Body
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class In:
    """`x IN (query)`, `(x, y) IN (query)`; NOT IN is `Not(In(…))`."""

    values: tuple[Expression, ...]
    query: Body
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class OneOf:
    """`x IN (1, 2, 3)`."""

    value: Expression
    choices: tuple[Expression, ...]
    span: Span = span_field()


Condition = Compare | Holds | IsNull | Not | And | Or | Exists | In | OneOf


# --- windows: from a stream to a relation


@dataclass(frozen=True, slots=True)
class RangeWindow:
    """`[RANGE n SLIDE d]`: the instants from τ′ − n to τ′; n None is UNBOUNDED. Time points
    (seconds).
    """

    length: int | None
    slide: int
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class NowWindow:
    """`[NOW]`: the same as `[RANGE 0]`."""

    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class RowsWindow:
    """`[ROWS n]`, `[PARTITION BY a, b ROWS n]`: the newest n rows of the stream, or of each part."""

    count: int
    by: tuple[Name, ...]
    span: Span = span_field()


StreamWindow = RangeWindow | NowWindow | RowsWindow


# --- queries


@dataclass(frozen=True, slots=True)
class FromSource:
    """`tram [RANGE 5] AS t`, `line l`: a stream with a window, a relation, or another query by name."""

    name: Name
    window: StreamWindow | None
    alias: Name | None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Nested:
    """`(SELECT …) AS name` in a FROM clause."""

    query: Body
    alias: Name
    span: Span = span_field()


FromElement = FromSource | Nested


@dataclass(frozen=True, slots=True)
class Star:
    """`*`, `tram.*`."""

    source: Name | None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Item:
    """`tram.ID`, `price * 2 AS double_price`."""

    value: Expression
    alias: Name | None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Select:
    distinct: bool
    items: tuple[Star | Item, ...]
    sources: tuple[FromElement, ...]
    where: Condition | None
    group_by: tuple[Expression, ...]
    having: Condition | None
    span: Span = span_field()


class SetOperator(StrEnum):
    UNION = "UNION"
    EXCEPT = "EXCEPT"
    INTERSECT = "INTERSECT"


@dataclass(frozen=True, slots=True)
class Combined:
    """`q UNION [ALL] q`. As in SQL, without ALL the result is a set; with ALL multiplicities count."""

    operator: SetOperator
    all: bool
    left: Select | Combined
    right: Select | Combined
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class OrderItem:
    value: Expression
    descending: bool
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Body:
    """A query without its name: `SELECT … ORDER BY … LIMIT n`."""

    rows: Select | Combined
    order: tuple[OrderItem, ...]
    limit: int | None
    span: Span = span_field()


class StreamOperator(StrEnum):
    """From a relation to a stream."""

    ISTREAM = "ISTREAM"
    DSTREAM = "DSTREAM"
    RSTREAM = "RSTREAM"


@dataclass(frozen=True, slots=True)
class Query:
    """`name: ISTREAM(SELECT …);` Without a name a query is called `q1`, `q2`, … by its place.

    `stream` None: written without an operator, which means RSTREAM.
    """

    name: Name | None
    stream: StreamOperator | None
    body: Body
    span: Span = span_field()


# --- declarations


@dataclass(frozen=True, slots=True)
class Attribute:
    name: Name
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Register:
    """`REGISTER STREAM tram(ID string, …);`, `REGISTER RELATION line(…);`"""

    is_stream: bool
    name: Name
    attributes: tuple[Attribute, ...]
    span: Span = span_field()


Statement = Register | Query


@dataclass(frozen=True, slots=True)
class Tree:
    """`precision` is the size of a time point: durations are whole numbers of them."""

    statements: tuple[Statement, ...]
    has_durations: bool = False
    precision: str = "s"
