"""Tables in blocks: the same rows, and errors with the same numbers of rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet
import pytest

import horae
from horae.data.layout import Place
from horae.data.table_blocks import BLOCK, blocks_of, repeated, slices
from horae.data.typed_columns import Given
from horae.source.errors import InputError

SIZE = 2 * BLOCK + 5
PROGRAMS = {
    "datalogmtl": "hot(X) :- level(X, 7).\n?- hot.\n",
    "lars": "hot(X) :- win[0] <> level(X, 7).\n",
    "cql": "REGISTER STREAM level(place int, height int);\n"
    "SELECT place FROM level [NOW] WHERE height = 7;\n",
}


def test_blocks_know_their_rows():
    columns = {"a": pa.chunked_array([[1, 2], [3], [4, 5]]), "b": pa.array([*"vwxyz"])}
    found = [
        (pa.table(block.columns).to_pydict(), *block[1:])
        for block in blocks_of(columns, 5, Place("here", 11), 2)
    ]
    assert found == [
        ({"a": [1, 2], "b": ["v", "w"]}, 2, Place("here", 11)),
        ({"a": [3, 4], "b": ["x", "y"]}, 2, Place("here", 13)),
        ({"a": [5], "b": ["z"]}, 1, Place("here", 15)),
    ]


def test_rows_without_numbers_stay_so():
    blocks = blocks_of({"a": pa.array([1, 2, 3])}, 3, Place("here", None), 2)
    assert [block.place.first_row for block in blocks] == [None, None]


def test_lists_are_one_block():
    columns: dict[str, Given] = {"a": [1, 2, 3], "b": pa.array([1, 2, 3])}
    assert [*blocks_of(columns, 3, Place(), 2)] == [(columns, 3, Place())]


@pytest.mark.parametrize("count", [0, 3, BLOCK, BLOCK + 1, SIZE])
def test_repeated_values(count: int):
    assert repeated("x", pa.string(), count).equals(pa.chunked_array([["x"] * count], pa.string()))
    assert repeated(None, pa.int64(), count).null_count == count


def test_slices():
    table = pa.table({"a": [1, 2, 3]})
    assert [part.column("a").to_pylist() for part in slices(table, 2)] == [[1, 2], [3]]
    assert [len(part) for part in slices(table.slice(0, 0))] == [0]


# --- whole files


def levels(**wrong: int) -> pa.Table:
    """In several blocks; `wrong` tells rows, from 1, in which a column has no value."""
    columns = {"place": np.arange(SIZE) % 3, "height": np.arange(SIZE) % 999}
    table = {**columns, "time": np.arange(SIZE) // 4}
    masks = {name: np.arange(SIZE) == row - 1 for name, row in wrong.items()}
    return pa.table({name: pa.array(c, mask=masks.get(name)) for name, c in table.items()})


def write(table: pa.Table, path: Path) -> str:
    if path.suffix == ".csv":
        pyarrow.csv.write_csv(table, path)
    else:
        pyarrow.parquet.write_table(table, path)
    return f"level={path}"


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("language", PROGRAMS)
def test_files_and_tables_have_the_same_answers(language: str, ending: str, tmp_path: Path):
    program, table = horae.compile(PROGRAMS[language], language=language), levels()
    found = program.run_files([write(table, tmp_path / f"l.{ending}")], engine="local")
    hot = table.filter(pc.field("height") == 7).to_pylist()
    facts = [("level", [row["place"], 7], row["time"]) for row in hot]
    assert found == program.evaluate({"level": table})
    assert found == program.evaluate(facts)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("language", PROGRAMS)
@pytest.mark.parametrize("column", ["height", "time"])
def test_the_row_of_an_error(language: str, ending: str, column: str, tmp_path: Path):
    file = write(levels(**{column: BLOCK + 3}), tmp_path / f"l.{ending}")
    with pytest.raises(InputError) as caught:
        horae.compile(PROGRAMS[language], language=language).run_files([file], engine="local")
    assert caught.value.row == BLOCK + 3
