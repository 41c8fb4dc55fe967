"""Facts as rows of streams and relations: by columns, and one by one, the same tables and refusals."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from horae.data.fact_text import facts_of_text
from horae.data.predicate_facts import ground_facts
from horae.data.rows_of_inputs import read_fact_columns, read_facts
from horae.data.schema import RegisteredInput, SchemaColumn
from horae.data.types import Type
from horae.source.errors import InputError

INPUTS = {
    "s": RegisteredInput("s", True, (SchemaColumn("a", Type.INT), SchemaColumn("b", Type.DOUBLE))),
    "r": RegisteredInput("r", False, (SchemaColumn("c", Type.STRING),)),
}
numbers = st.sampled_from(["1", "-7", "1/2", "2.0", "9223372036854775808", "x", '"1"'])
times = st.sampled_from(["@3", "@3", "@4", "@1/2", "@[1,2]", "@[5,5]", ""])
streams = st.builds("{}({},{}){}".format, st.sampled_from("ssS"), numbers, numbers, times)
relations = st.builds(
    "r({}){}".format, st.sampled_from(["x", "y", "1"]), st.sampled_from(["", "@3"])
)
good = st.builds("s({},{})@{}".format, st.integers(), st.integers(0, 9), st.integers(0, 9))


@given(st.lists(good | streams | relations, max_size=5).map("\n".join))
def test_columns_and_single_facts_agree(text: str):
    facts = facts_of_text(text, "<facts>").facts
    assert _outcome(lambda: read_fact_columns(facts, INPUTS)) == _outcome(
        lambda: read_facts(ground_facts(facts), INPUTS)
    )


def _outcome(read):
    try:
        return {name: table.to_pylist() for name, table in read().items()}
    except InputError as error:
        return str(error), error.row


def test_rationals_are_not_whole_numbers():
    facts = facts_of_text("s(1,1/2)@3\ns(2,2)@3", "<facts>").facts
    rows = read_fact_columns(facts, INPUTS)["s"]
    assert isinstance(rows, pa.Table)
    assert rows.column("c1").to_pylist() == [0.5, 2.0]
