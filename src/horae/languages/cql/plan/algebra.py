"""The logical algebra of CQL. Data only; both engines evaluate it.

A query is evaluated at all evaluation times at once: the evaluation time is a column, `TAU`. A
query inside a query is evaluated once per *context*: per combination of an evaluation time and of
those columns of the queries around it that it reads. The columns of a context are its keys. Every
node keeps the keys of its context among its columns, and "per context" means: per value of the
keys, where null equals null.

Nodes are compared by identity where work is shared: a node that is reached twice is the same
object.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import assert_never

from horae.data.types import Type
from horae.languages.cql.plan.expressions import Ref, Scalar, Site
from horae.languages.cql.program import Program
from horae.languages.cql.syntax.tree import Aggregation, SetOperator, StreamOperator, StreamWindow

TAU = Ref("tau", Type.INT)
"""The evaluation time."""


class Read(Enum):
    """What a scan reads."""

    STREAM = auto()  # the rows of an input stream that are in the window
    RELATION = auto()  # all rows of an input relation; they hold at all times, so there is no TAU
    ROWS_OF_QUERY = auto()  # the rows of an earlier query at the same evaluation time
    ANSWERS_OF_QUERY = auto()  # the answers of an earlier query that are in the window


@dataclass(frozen=True, slots=True)
class EvaluationTimesNode:
    """The evaluation times: the outermost context."""


@dataclass(frozen=True, slots=True)
class TableScan:
    """`columns` at `places` of what is read, where `where` is true.

    The condition is about single rows: it is applied before rows are spread over the evaluation times,
    but after a window has counted them.
    """

    read: Read
    name: str
    window: StreamWindow | None
    window_places: tuple[int, ...]
    places: tuple[int, ...]
    columns: tuple[Ref, ...]
    where: Scalar | None = None


@dataclass(frozen=True, slots=True)
class Join:
    """Rows that agree in `shared` columns (null equals null) and in pairs `on` (null equals nothing)."""

    left: Node
    right: Node
    shared: tuple[Ref, ...]
    on: tuple[tuple[Ref, Ref], ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """Rows for which the condition is true."""

    input: Node
    condition: Scalar


@dataclass(frozen=True, slots=True)
class Project:
    """New columns from old ones; duplicates stay.

    `is_lenient`: a value that cannot be computed is any value; whoever needs it tests it with `Checked`.
    """

    input: Node
    columns: tuple[tuple[Ref, Scalar], ...]
    is_lenient: bool = False


@dataclass(frozen=True, slots=True)
class DistinctRows:
    input: Node


@dataclass(frozen=True, slots=True)
class Measure:
    """An aggregate. `argument` None counts rows; nulls are skipped."""

    result: Ref
    function: Aggregation
    argument: Ref | None
    distinct: bool
    site: Site = field(compare=False)


@dataclass(frozen=True, slots=True)
class Group:
    """One row per value of the keys, with the measures.

    `every`: a node with the keys as its columns, all of which have a group, also of no rows.
    """

    input: Node
    keys: tuple[Ref, ...]
    measures: tuple[Measure, ...]
    every: Node | None


@dataclass(frozen=True, slots=True)
class SetOperation:
    """Both sides have the same columns, the keys of the context among them."""

    operator: SetOperator
    all: bool
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class SubqueryMark:
    """The rows of `input` with a column more: is there a row of `query` that agrees?

    It must agree in the `keys` (null equals null) and in the pairs `values`, as SQL's IN does: true if
    some row agrees in all pairs, else null if some row may agree (null agrees perhaps), else false.
    """

    input: Node
    query: Node
    keys: tuple[Ref, ...]
    values: tuple[tuple[Ref, Ref], ...]
    result: Ref


@dataclass(frozen=True, slots=True)
class OrderKey:
    column: Ref
    descending: bool


@dataclass(frozen=True, slots=True)
class Limit:
    """The first rows of each context, by `order`."""

    input: Node
    keys: tuple[Ref, ...]
    order: tuple[OrderKey, ...]
    count: int


Node = (
    EvaluationTimesNode
    | TableScan
    | Join
    | Filter
    | Project
    | DistinctRows
    | Group
    | SetOperation
    | SubqueryMark
    | Limit
)


def node_columns(node: Node) -> tuple[Ref, ...]:
    match node:
        case EvaluationTimesNode():
            return (TAU,)
        case TableScan(read=Read.RELATION):
            return node.columns
        case TableScan():
            return (TAU, *node.columns)
        case Join(left=left, right=right):
            own = node_columns(left)
            return *own, *(column for column in node_columns(right) if column not in own)
        case Project(columns=columns):
            return tuple(column for column, _ in columns)
        case Group(keys=keys, measures=measures):
            return *keys, *(measure.result for measure in measures)
        case SubqueryMark(input=input, result=result):
            return *node_columns(input), result
        case Filter(input=input) | DistinctRows(input=input) | Limit(input=input):
            return node_columns(input)
        case SetOperation(left=left):
            return node_columns(left)
        case _:
            assert_never(node)


def inputs_of(node: Node) -> tuple[Node, ...]:
    match node:
        case EvaluationTimesNode() | TableScan():
            return ()
        case Join(left=left, right=right) | SetOperation(left=left, right=right):
            return left, right
        case SubqueryMark(input=input, query=query):
            return input, query
        case Group(input=input, every=every):
            return (input,) if every is None else (input, every)
        case Filter(input=input) | Project(input=input) | DistinctRows(input=input):
            return (input,)
        case Limit(input=input):
            return (input,)
        case _:
            assert_never(node)


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """`node` has TAU, the outputs, and perhaps more columns that `order` needs.

    `order` is total up to equal rows: the columns of ORDER BY, then the outputs. What is not answered is
    read by another query.
    """

    name: str
    stream: StreamOperator
    node: Node
    outputs: tuple[Ref, ...]
    order: tuple[OrderKey, ...]
    is_answered: bool = True


@dataclass(frozen=True, slots=True)
class Algebra:
    """A query reads only queries before it."""

    program: Program
    queries: tuple[QueryPlan, ...]
