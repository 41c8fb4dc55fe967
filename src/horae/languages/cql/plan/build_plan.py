"""The plan of a CQL file: groups of queries that are spread alike, then a stage for the others.

Its one shard gathers the rows of spread queries that shards cannot answer by themselves, and evaluates
all queries that are not spread. Without such queries there is no such stage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from horae.data.schema import TableSchema
from horae.engine.plan import (
    ByKey,
    Key,
    Plan,
    PlanStage,
    StageInput,
    StateItem,
    ToEvery,
    ToOne,
    stage_names,
)
from horae.engine.report.bounds import ZERO, Bounded
from horae.languages.cql.analysis.memory import WindowMemory
from horae.languages.cql.plan.algebra import Algebra, QueryPlan, Read, TableScan
from horae.languages.cql.plan.expressions import Ref
from horae.languages.cql.plan.make_algebra import make_algebra
from horae.languages.cql.plan.print_algebra import print_algebra
from horae.languages.cql.plan.spread import (
    Shards,
    Spreading,
    find_spreading,
    gather,
    gathered_columns,
)
from horae.languages.cql.plan.walk import table_scans
from horae.languages.cql.program import Program
from horae.languages.cql.syntax.tree import StreamOperator


def build_plan(program: Program, memory: Sequence[WindowMemory]) -> Plan:
    """`memory` is what the windows of all queries keep."""
    algebra, names = make_algebra(program), stage_names()
    spreading = find_spreading(algebra)
    spread = [_spread(next(names), own, spreading, algebra, memory) for own in spreading.shards]
    if not spreading.gathered and not spreading.whole:
        return Plan("time point", tuple(spread))
    last = _gathering(next(names), spreading, algebra, spread, memory)
    return Plan("time point", (*spread, last))


def _spread(
    name: str,
    shards: Shards,
    spreading: Spreading,
    algebra: Algebra,
    memory: Sequence[WindowMemory],
) -> PlanStage:
    own = replace(algebra, queries=shards.queries)
    columns = {item.name: item.columns for item in algebra.program.inputs}
    queries = [query.name for query in shards.queries]
    streams = (
        StageInput(stream, ByKey((Key(place, f"`{columns[stream][place].name}`"),)))
        for stream, place in shards.pivots.items()
    )
    relations = (StageInput(relation, ToEvery()) for relation in _read(own, Read.RELATION))
    answered = [query for query in shards.queries if query.name not in spreading.gathered]
    return PlanStage(
        name,
        _runs(answered, [query for query in shards.queries if query not in answered]),
        inputs=(*streams, *relations),
        outputs=tuple(_schema(algebra, q, gathered_columns(q)) for q in shards.queries),
        delay=ZERO,
        state=(*_windows(memory, queries), *_before(answered)),
        steps=print_algebra(own),
        kernel=own,
    )


def _gathering(
    name: str,
    spreading: Spreading,
    algebra: Algebra,
    spread: Sequence[PlanStage],
    memory: Sequence[WindowMemory],
) -> PlanStage:
    stages = {schema.name: stage.name for stage in spread for schema in stage.outputs}
    own = gather(algebra, frozenset(stages))
    rows = (StageInput(query, ToOne(), stages[query]) for query in spreading.gathered)
    tables = (StageInput(t, ToOne()) for t in _read(own, Read.STREAM, Read.RELATION))
    others = replace(algebra, queries=tuple(q for q in own.queries if q.name not in stages))
    reasons = {**spreading.gathered, **spreading.whole}
    answered = [query for query in algebra.queries if query.name in reasons]
    return PlanStage(
        name,
        _runs(answered, []),
        inputs=(*rows, *tables),
        outputs=tuple(_schema(algebra, q, q.outputs) for q in answered),
        delay=ZERO,
        state=(*_windows(memory, list(spreading.whole)), *_before(answered)),
        one_shard=tuple(f"`{query}`: {why}" for query, why in reasons.items()),
        steps=print_algebra(others),
        kernel=own,
    )


def _runs(answered: Sequence[QueryPlan], found: Sequence[QueryPlan]) -> str:
    """Answers of `a`, rows of `b`"""
    parts = (("answers", answered), ("rows", found))
    return ", ".join(f"{what} of {_listed([q.name for q in own])}" for what, own in parts if own)


def _read(algebra: Algebra, *kinds: Read) -> Iterator[str]:
    scans: tuple[TableScan, ...] = table_scans(algebra)
    yield from dict.fromkeys(scan.name for scan in scans if scan.read in kinds)


def _schema(algebra: Algebra, query: QueryPlan, columns: Sequence[Ref]) -> TableSchema:
    """The first columns are the outputs, which have names of the text; others are there to sort by."""
    written = next(q for q in algebra.program.queries if q.name == query.name).body.outputs
    names = [*(o.name for o in written), *(ref.name for ref in columns[len(written) :])]
    types = (ref.type.value for ref in columns)
    return TableSchema(query.name, tuple(zip(names, types, strict=True)))


def _windows(memory: Sequence[WindowMemory], queries: Sequence[str]) -> Iterator[StateItem]:
    for kept in memory:
        if kept.query in queries:
            what = f"`{kept.source}` in `{kept.query}`"
            yield StateItem(what, kept.bound, kept.unit, kept.per)


def _before(queries: Sequence[QueryPlan]) -> Iterator[StateItem]:
    """What is new, or gone, is so in comparison with the rows of the evaluation before."""
    for query in queries:
        if query.stream is not StreamOperator.RSTREAM:
            yield StateItem(f"rows of `{query.name}`", Bounded(1), "evaluation")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
