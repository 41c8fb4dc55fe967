"""Files of tables: Arrow and Python read the same cells from CSV."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horae.data.formats import csv
from horae.data.formats.csv import tidy
from horae.data.formats.table_file import Dialect, open_table
from horae.data.layout import Place
from horae.source.errors import InputError

texts = st.lists(
    st.sampled_from(["a", '"', ",", "\n", "\r", "\r\n", " ", '""', "é", "7"]), max_size=25
)


@given(texts)
def test_arrow_and_python_read_the_same_cells(pieces: list[str]):
    text = tidy(f"x,y\n{''.join(pieces)}".encode())
    try:
        quickly = pa.concat_tables(csv._quickly(text, 2, [1, 0], Dialect()))
    except pa.ArrowInvalid:
        return
    rows = csv._checked_rows(text, 2, Dialect(), Place())
    columns = [pa.array([row[at] or None for row in rows], pa.string()) for at in (1, 0)]
    assert quickly == pa.table(columns, names=["1", "0"])


def test_only_the_columns_that_are_wanted(tmp_path: Path):
    table = pa.table({"a": [1, 2], "b": ["x", None], "c": [[1], [2]]})
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    found = open_table(tmp_path / "t.parquet")
    assert found.names == ["a", "b", "c"]
    assert found.read(["b", "a"]) == table.select(["b", "a"])


def test_cells_are_text_and_may_be_missing(tmp_path: Path):
    (tmp_path / "t.csv").write_text('"a", b\n1, x y\n\n,"2,\n3"\n')
    found = open_table(tmp_path / "t.csv")
    assert found.names == ["a", "b"]
    assert found.read(["b", "a"]).to_pydict() == {"b": ["x y", "2,\n3"], "a": ["1", None]}


@pytest.mark.parametrize("text", ["a,b\n1,2\n3\n", 'a,b\n1,2\n"3"\n', "a,b\n1,2\n3,4,5\n"])
def test_a_row_of_another_length_is_named(tmp_path: Path, text: str):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(InputError, match="INP") as error:
        open_table(tmp_path / "t.csv").read(["a"])
    assert error.value.row == 2
