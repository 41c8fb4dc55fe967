"""What is known of an input before a run: the types of its columns."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from horae.data.input_types import InputTypes, types_of_inputs

TABLE = pa.table({"a": pa.array([1], pa.int8()), "time": pa.array([0], pa.timestamp("ns"))})
TYPES = {"a": pa.int8(), "time": pa.timestamp("ns")}


def test_tables_by_name():
    coded = pa.table({"x": pa.array(["u"]).dictionary_encode()})
    found = types_of_inputs({"p": TABLE, "q(x)": coded})
    assert found == InputTypes({"p": TYPES, "q(x)": {"x": pa.string()}})


def test_the_only_table_has_no_name():
    assert types_of_inputs(TABLE) == InputTypes({"": TYPES})
    assert types_of_inputs(TABLE.to_batches()[0]) == InputTypes({"": TYPES})
    assert types_of_inputs(TABLE.to_pandas()) == InputTypes({"": TYPES})


@pytest.mark.parametrize(
    "given",
    ["p(1)@3\n", [("p", [1], 3)], [{"time": 1, "a": 2}], iter([])],
)
def test_what_has_no_columns(given: object):
    assert types_of_inputs(given) == InputTypes(has_facts=True)


def test_some_tables_and_some_facts():
    found = types_of_inputs({"p": TABLE, "r": [{"x": 1}]})
    assert found == InputTypes({"p": TYPES}, has_facts=True)


def test_files_that_keep_types(tmp_path: Path):
    """Where files differ, a column has no type; text files have none at all."""
    one, two = tmp_path / "1.parquet", tmp_path / "2.parquet"
    pq.write_table(TABLE, one)
    assert types_of_inputs({"p": one}).tables["p"] == TYPES
    pq.write_table(TABLE.set_column(0, "a", pa.array([2.5])), two)
    assert types_of_inputs(tmp_path).tables[""] == TYPES | {"a": None}
    assert types_of_inputs([one, two]).tables[""] == TYPES | {"a": None}
    (tmp_path / "3.csv").write_text("a,time\n1,2\n")
    assert types_of_inputs(tmp_path / "3.csv") == InputTypes(has_facts=True)
    assert types_of_inputs([one, tmp_path / "3.csv"]) == InputTypes(has_facts=True)


def test_columns_by_name():
    types = InputTypes({"p": TYPES, "q": {"a": None}}, has_facts=True)
    assert [*types.named("a")] == [pa.int8(), None, None]
    assert [*types.named("time", "b")] == [pa.timestamp("ns"), None]
