"""A worker with the facts of several shards keeps them apart."""

import numpy as np
import pyarrow as pa
from tests.spark.lars.running import checked, locally

from horae.data.fact_columns import to_columns
from horae.data.facts import read_fact_text
from horae.data.predicate_facts import ground_facts
from horae.data.time_points import AtEvents
from horae.languages.lars.answers import lars_answers
from horae.languages.lars.live import whole_lars
from horae.languages.lars.plan.route_program import route_program
from horae.spark.datalogmtl.columns import SHARD
from horae.spark.lars.shard import ShardAnswers


def test_two_shards_in_one_partition():
    """`e` is read by both arguments, so both shards have all of it; each key is answered once."""
    program = checked("s(K) :- win[2] <> e(K,Y), not e(Y,K).")
    plan = route_program(program)
    assert [route.place for route in plan.routes] == [0, None]
    facts = ground_facts(read_fact_text("e(a,b)@1\ne(b,c)@2\ne(c,b)@2\ne(d,a)@3", program.arities))
    rows = pa.Table.from_batches([to_columns(facts)])
    both = [rows.append_column(SHARD, pa.array([n] * len(rows), pa.int32())) for n in (0, 1)]
    worker = ShardAnswers(whole_lars(plan, AtEvents(), shards=2), np.array([1, 2, 3]))
    batches = worker(iter(pa.concat_tables(both).to_batches()))
    assert lars_answers(pa.Table.from_batches([*batches])) == locally(program, facts)
