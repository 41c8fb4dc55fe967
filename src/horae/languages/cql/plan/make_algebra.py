"""From a checked program to the algebra, query by query.

FROM becomes joins (`push_filters`, `order_joins`), GROUP BY becomes `Group`, and a subquery in a
condition becomes a column: it is translated in the context of the rows around it, and `Mark` says
for each of them what it found.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from horae.data.types import Type
from horae.languages.cql import program as cql
from horae.languages.cql.plan.algebra import (
    TAU,
    Algebra,
    DistinctRows,
    Filter,
    Group,
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
    node_columns,
)
from horae.languages.cql.plan.conjuncts import conjuncts_of, has_subquery
from horae.languages.cql.plan.expressions import (
    CheckedScalar,
    Conjunction,
    Disjunction,
    Missing,
    Negation,
    Ref,
    Scalar,
    ScalarComparison,
    ToDouble,
    can_fail,
    is_nullable,
    type_of,
)
from horae.languages.cql.plan.order_joins import order_joins
from horae.languages.cql.plan.push_filters import push_filters
from horae.languages.cql.plan.references import free_columns, own_columns
from horae.languages.cql.plan.scalars import SelectScope, aggregates_in, expressions_in, site_of
from horae.languages.cql.plan.scopes import (
    EvaluationContext,
    Frame,
    ScopeFrames,
    UniqueNames,
    unique,
)
from horae.languages.cql.syntax.tree import Aggregation


def make_algebra(program: cql.Program) -> Algebra:
    translator = _Translator(program)
    return Algebra(program, tuple(translator.query(query) for query in program.queries))


@dataclass(frozen=True)
class _Rows:
    """What a SELECT gives: the keys of its context, and these columns; the first are its outputs."""

    node: Node
    columns: tuple[Ref, ...]


@dataclass(frozen=True)
class _Translator:
    program: cql.Program
    names: UniqueNames = field(default_factory=UniqueNames)
    known: dict[str, tuple[Ref, ...]] = field(default_factory=dict)  # outputs of earlier queries

    def query(self, query: cql.Query) -> QueryPlan:
        rows = self._limited(query.body, EvaluationContext(), ())
        outputs = rows.columns[: len(query.body.outputs)]
        self.known[query.name] = outputs
        return QueryPlan(query.name, query.stream, rows.node, outputs, _order(query.body, rows))

    # --- bodies

    def _body(self, body: cql.Body, context: EvaluationContext, around: ScopeFrames) -> _Rows:
        """A query inside a query: its outputs alone."""
        rows = self._limited(body, context, around)
        outputs = rows.columns[: len(body.outputs)]
        if outputs == rows.columns:
            return rows
        return _Rows(_kept(rows.node, (*context.keys, *outputs)), outputs)

    def _limited(self, body: cql.Body, context: EvaluationContext, around: ScopeFrames) -> _Rows:
        rows = self._rows(body.rows, context, around)
        if body.limit is None:
            return rows
        limit = Limit(rows.node, context.keys, _order(body, rows), body.limit)
        return _Rows(limit, rows.columns)

    def _rows(
        self, rows: cql.Select | cql.Combined, context: EvaluationContext, around: ScopeFrames
    ) -> _Rows:
        match rows:
            case cql.Select():
                return self._select(rows, context, around)
            case cql.Combined():
                return self._combined(rows, context, around)
            case _:
                assert_never(rows)

    def _combined(
        self, combined: cql.Combined, context: EvaluationContext, around: ScopeFrames
    ) -> _Rows:
        left, right = (
            self._rows(side, context, around) for side in (combined.left, combined.right)
        )
        columns = tuple(
            self.names.fresh(output.name, output.type, nullable=a.nullable or b.nullable)
            for output, a, b in zip(combined.outputs, left.columns, right.columns, strict=True)
        )
        sides = [_renamed(side, columns, context.keys) for side in (left, right)]
        return _Rows(SetOperation(combined.operator, combined.all, *sides), columns)

    # --- SELECT

    def _select(self, select: cql.Select, context: EvaluationContext, around: ScopeFrames) -> _Rows:
        sources, frame = self._sources(select, context, around)
        scope = SelectScope(self.program.source, (frame, *around))
        node = self._where(select.where, scope, context, sources)
        if select.is_grouped:
            node, scope = self._grouped(select, node, scope, context)
            if select.having is not None:
                condition, node = self._condition(select.having, scope, node)
                node = Filter(node, condition)
        return self._outputs(select, node, scope, context)

    def _where(
        self,
        where: cql.Condition | None,
        scope: SelectScope,
        context: EvaluationContext,
        sources: list[Node],
    ) -> Node:
        """Conditions that cannot fail first, among the joins; the others then, from the left."""
        early: list[Scalar] = []
        late: list[cql.Condition] = []
        for part in conjuncts_of(where):
            simple = None if has_subquery(part) else self._condition(part, scope, context.node)[0]
            if simple is None or can_fail(simple):
                late.append(part)
            else:
                early.append(simple)
        sources, early = push_filters(sources, early)
        node = order_joins(context.node, sources, early)
        for part in late:
            condition, node = self._condition(part, scope, node)
            node = Filter(node, condition)
        return node

    def _outputs(
        self, select: cql.Select, node: Node, scope: SelectScope, context: EvaluationContext
    ) -> _Rows:
        labels = [output.name for output in select.outputs]
        labels += ["by"] * (len(select.values) - len(labels))
        computed = [
            self._column(label, scope.scalar(value))
            for label, value in zip(labels, select.values, strict=True)
        ]
        keys = tuple((key, key) for key in context.keys)
        node = Project(node, (*keys, *computed))
        columns = tuple(column for column, _ in computed)
        return _Rows(DistinctRows(node) if select.distinct else node, columns)

    def _column(self, label: str, scalar: Scalar) -> tuple[Ref, Scalar]:
        fresh = self.names.fresh(label, type_of(scalar), nullable=is_nullable(scalar))
        return fresh, scalar

    # --- FROM

    def _sources(
        self, select: cql.Select, context: EvaluationContext, around: ScopeFrames
    ) -> tuple[list[Node], Frame]:
        used = {(column.source, column.place) for column in own_columns(select)}
        nodes: list[Node] = []
        frame: Frame = {}
        for number, source in enumerate(select.sources):
            match source:
                case cql.Scan():
                    places = [p for p in range(len(source.columns)) if (number, p) in used] or [0]
                    node, columns = self._scan(source, tuple(places))
                case cql.Nested():
                    places = list(range(len(source.columns)))
                    node, columns = self._nested(source, context, around)
                case _:
                    assert_never(source)
            nodes.append(node)
            frame |= {(number, p): c for p, c in zip(places, columns, strict=True)}
        return nodes, frame

    def _scan(self, scan: cql.Scan, places: tuple[int, ...]) -> tuple[Node, tuple[Ref, ...]]:
        nullable = [ref.nullable for ref in self.known.get(scan.name, ())] if scan.is_query else []
        columns = tuple(
            self.names.fresh(
                scan.columns[place].name,
                scan.columns[place].type,
                nullable=bool(nullable) and nullable[place],
            )
            for place in places
        )
        read = _read(scan)
        return TableScan(read, scan.name, scan.window, scan.window_places, places, columns), columns

    def _nested(
        self, nested: cql.Nested, context: EvaluationContext, around: ScopeFrames
    ) -> tuple[Node, tuple[Ref, ...]]:
        """It sees nothing of the SELECT it stands in: its context is a part of that SELECT's context."""
        outer = tuple(
            around[column.depth - 1][column.source, column.place]
            for column in free_columns(nested.query)
        )
        keys = unique((TAU, *outer))
        inner = context if set(keys) == set(context.keys) else _context(context.node, keys)
        rows = self._body(nested.query, inner, around)
        return rows.node, rows.columns

    # --- GROUP BY

    def _grouped(
        self, select: cql.Select, node: Node, scope: SelectScope, context: EvaluationContext
    ) -> tuple[Node, SelectScope]:
        """Keys and arguments are computed first: grouping itself sees columns alone."""
        computed: dict[Ref, Scalar] = {key: key for key in context.keys}
        groups: dict[Scalar, Ref] = {}
        for expression in select.group_by:
            scalar = scope.scalar(expression)
            if scalar not in groups:
                ref = scalar if isinstance(scalar, Ref) else self._column("key", scalar)[0]
                groups[scalar], computed[ref] = ref, scalar
        keys = tuple(computed)
        measures = self._measures(select, scope, computed)
        every = None if select.group_by else context.node
        grouped = Group(
            Project(node, tuple(computed.items())), keys, tuple(measures.values()), every
        )
        results = {key: measure.result for key, measure in measures.items()}
        return grouped, SelectScope(scope.source, scope.frames, results, groups)

    def _measures(
        self, select: cql.Select, scope: SelectScope, computed: dict[Ref, Scalar]
    ) -> dict[tuple[Aggregation, Scalar | None, bool], Measure]:
        having = () if select.having is None else tuple(expressions_in(select.having))
        measures: dict[tuple[Aggregation, Scalar | None, bool], Measure] = {}
        for expression in (*select.values, *having):
            for aggregate in aggregates_in(expression):
                key = scope.key_of(aggregate)
                if key not in measures:
                    measures[key] = self._measure(aggregate, key[1], computed)
        return measures

    def _measure(
        self, aggregate: cql.Aggregate, argument: Scalar | None, computed: dict[Ref, Scalar]
    ) -> Measure:
        ref = None
        if argument is not None:
            ref, _ = self._column("argument", argument)
            computed[ref] = argument
        function = aggregate.function
        result = self.names.fresh(
            function.value.lower(), aggregate.type, nullable=function is not Aggregation.COUNT
        )
        site = site_of(self.program.source, aggregate.span)
        return Measure(result, function, ref, aggregate.distinct, site)

    # --- conditions; the node grows by a mark for every subquery

    def _condition(
        self, condition: cql.Condition, scope: SelectScope, node: Node
    ) -> tuple[Scalar, Node]:
        match condition:
            case cql.Compare(comparator=comparator, left=left, right=right):
                return ScalarComparison(comparator, scope.scalar(left), scope.scalar(right)), node
            case cql.Holds(value=value):
                return scope.scalar(value), node
            case cql.IsNull(value=value):
                return Missing(scope.scalar(value)), node
            case cql.Not(operand=operand):
                inner, node = self._condition(operand, scope, node)
                return Negation(inner), node
            case cql.And(operands=operands):
                parts, node = self._conditions(operands, scope, node)
                return Conjunction(parts), node
            case cql.Or(operands=operands):
                parts, node = self._conditions(operands, scope, node)
                return Disjunction(parts), node
            case cql.Exists(query=query):
                return self._mark(query, (), scope, node)
            case cql.In(values=values, query=query):
                return self._mark(query, values, scope, node)
            case _:
                assert_never(condition)

    def _conditions(
        self, conditions: tuple[cql.Condition, ...], scope: SelectScope, node: Node
    ) -> tuple[tuple[Scalar, ...], Node]:
        parts = []
        for condition in conditions:
            part, node = self._condition(condition, scope, node)
            parts.append(part)
        return tuple(parts), node

    def _mark(
        self, query: cql.Body, values: tuple[cql.Expression, ...], scope: SelectScope, node: Node
    ) -> tuple[Scalar, Node]:
        scalars = tuple(scope.scalar(value) for value in values)
        refs, node = self._as_columns(scalars, node)
        outer = (
            scope.frames[column.depth - 1][column.source, column.place]
            for column in free_columns(query)
        )
        keys = unique((TAU, *outer))
        rows = self._body(query, _context(node, keys), scope.frames)
        pairs = tuple(zip(refs, rows.columns, strict=True)) if values else ()
        unknown = any(ref.nullable for pair in pairs for ref in pair)
        result = self.names.fresh("found", Type.BOOL, nullable=unknown)
        truth = CheckedScalar(scalars, result) if any(map(can_fail, scalars)) else result
        return truth, SubqueryMark(node, rows.node, keys, pairs, result)

    def _as_columns(self, scalars: tuple[Scalar, ...], node: Node) -> tuple[tuple[Ref, ...], Node]:
        """Values that are no columns are computed into new ones."""
        columns = [(s, s) if isinstance(s, Ref) else self._column("value", s) for s in scalars]
        new = tuple((ref, scalar) for ref, scalar in columns if ref is not scalar)
        if new:
            old = ((ref, ref) for ref in node_columns(node))
            node = Project(node, (*old, *new), is_lenient=True)
        return tuple(ref for ref, _ in columns), node


def _read(scan: cql.Scan) -> Read:
    if scan.is_query:
        return Read.ROWS_OF_QUERY if scan.window is None else Read.ANSWERS_OF_QUERY
    return Read.RELATION if scan.window is None else Read.STREAM


def _context(node: Node, keys: tuple[Ref, ...]) -> EvaluationContext:
    """The values of the keys for which there are rows around."""
    return EvaluationContext(DistinctRows(_kept(node, keys)), keys)


def _kept(node: Node, columns: tuple[Ref, ...]) -> Node:
    return Project(node, tuple((column, column) for column in columns))


def _renamed(side: _Rows, columns: tuple[Ref, ...], keys: tuple[Ref, ...]) -> Node:
    """A side of a set operation under the names, and in the types, of the whole."""
    values = tuple(
        (column, own if own.type is column.type else ToDouble(own))
        for column, own in zip(columns, side.columns, strict=True)
    )
    return Project(side.node, (*((key, key) for key in keys), *values))


def _order(body: cql.Body, rows: _Rows) -> tuple[OrderKey, ...]:
    by = [OrderKey(rows.columns[order.place], order.descending) for order in body.order]
    ties = [OrderKey(column, False) for column in rows.columns[: len(body.outputs)]]
    return *by, *ties
