"""The algebra in words: one operator per line, indented below the one that reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from horae.languages.cql.plan.algebra import (
    Algebra,
    DistinctRows,
    EvaluationTimesNode,
    Filter,
    Group,
    Join,
    Limit,
    Measure,
    Node,
    OrderKey,
    Project,
    QueryPlan,
    Read,
    SetOperation,
    SubqueryMark,
    TableScan,
    inputs_of,
)
from horae.languages.cql.plan.expressions import Ref
from horae.languages.cql.plan.print_scalar import print_scalar
from horae.languages.cql.plan.walk import shared_nodes
from horae.languages.cql.syntax.tree import NowWindow, RangeWindow, RowsWindow, StreamWindow


def print_algebra(plan: Algebra) -> tuple[str, ...]:
    """What several operators read is shown once; later it is named by its number."""
    shared = shared_nodes(plan)
    numbers: dict[int, int] = {}
    lines: list[str] = []
    for query in plan.queries:
        lines.append(_query(query))
        lines += _tree(query.node, "  ", shared, numbers)
    return tuple(lines)


def _query(query: QueryPlan) -> str:
    return f"{query.name}: {query.stream.value.lower()} of {_names(query.outputs)}"


def _tree(
    node: Node, indent: str, shared: frozenset[int], numbers: dict[int, int]
) -> Iterator[str]:
    if id(node) in numbers:
        yield f"{indent}#{numbers[id(node)]}"
        return
    mark = ""
    if id(node) in shared:
        numbers[id(node)] = len(numbers) + 1
        mark = f"#{numbers[id(node)]} "
    yield f"{indent}{mark}{_words(node)}"
    for below in inputs_of(node):
        yield from _tree(below, indent + "  ", shared, numbers)


def _words(node: Node) -> str:
    match node:
        case EvaluationTimesNode():
            return "evaluation times"
        case TableScan():
            return _scan(node)
        case Join(shared=shared, on=on):
            pairs = [f"{left.name} = {right.name}" for left, right in on]
            return f"join on {', '.join([*(ref.name for ref in shared), *pairs]) or 'nothing'}"
        case Filter(condition=condition):
            return f"filter {print_scalar(condition)}"
        case Project(columns=columns):
            return f"project {', '.join(_column(ref, print_scalar(s)) for ref, s in columns)}"
        case DistinctRows():
            return "distinct"
        case Group(keys=keys, measures=measures, every=every):
            kept = "" if every is None else ", also of no rows"
            return f"group by {_names(keys)}: {', '.join(map(_measure, measures))}{kept}"
        case SetOperation(operator=operator, all=all):
            return f"{operator.value.lower()}{' all' if all else ''}"
        case SubqueryMark():
            return _mark(node)
        case Limit(keys=keys, order=order, count=count):
            return f"first {count} of each {_names(keys)} by {', '.join(map(_order, order))}"
        case _:
            assert_never(node)


def _scan(scan: TableScan) -> str:
    kind = {
        Read.STREAM: "stream",
        Read.RELATION: "relation",
        Read.ROWS_OF_QUERY: "query",
        Read.ANSWERS_OF_QUERY: "answers of",
    }[scan.read]
    window = "" if scan.window is None else f" {_window(scan.window)}"
    where = "" if scan.where is None else f" where {print_scalar(scan.where)}"
    return f"{kind} {scan.name}{window}: {_names(scan.columns)}{where}"


def _window(window: StreamWindow) -> str:
    match window:
        case NowWindow():
            return "[NOW]"
        case RangeWindow(length=length, slide=slide):
            step = "" if slide == 1 else f" SLIDE {slide}"
            return f"[RANGE {'UNBOUNDED' if length is None else length}{step}]"
        case RowsWindow(count=count, by=by):
            parts = ", ".join(name.text for name in by)
            return f"[{f'PARTITION BY {parts} ' if parts else ''}ROWS {count}]"
        case _:
            assert_never(window)


def _mark(mark: SubqueryMark) -> str:
    pairs = "".join(f", {left.name} = {right.name}" for left, right in mark.values)
    return f"mark {mark.result.name}: a row with the same {_names(mark.keys)}{pairs}"


def _measure(measure: Measure) -> str:
    argument = "*" if measure.argument is None else measure.argument.name
    distinct = "DISTINCT " if measure.distinct else ""
    return f"{measure.result.name} = {measure.function.value}({distinct}{argument})"


def _column(ref: Ref, text: str) -> str:
    return text if text == ref.name else f"{ref.name} = {text}"


def _order(key: OrderKey) -> str:
    return f"{key.column.name}{' DESC' if key.descending else ''}"


def _names(refs: Sequence[Ref]) -> str:
    return ", ".join(ref.name for ref in refs)
