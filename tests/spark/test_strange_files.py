"""What is strange about a file is strange in the same way on Spark."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.data.test_strange_files import FINE, PROGRAMS, STRANGE

import horae
from horae.languages import by_ending
from horae.source.errors import InputError

pytestmark = pytest.mark.spark


def answers(ending: str, path: Path, engine: str) -> list[object]:
    program = horae.compile(PROGRAMS[ending], by_ending()[f".{ending}"].name)
    where = str(path) if ending == "lola" else f"p={path}"
    return list(program.run_files([where], engine=engine, master="local[2]", shards=2))


@pytest.mark.parametrize("ending", PROGRAMS)
def test_spaces_around_cells(spark, ending, tmp_path):
    file = tmp_path / "spaces.csv"
    file.write_bytes(FINE["spaces.csv"] + b'2,\t2 , " a" \n')
    found = answers(ending, file, "spark")
    assert found == answers(ending, file, "local")
    assert '" a"' in str(found).replace("'", '"')


@pytest.mark.parametrize("name", ["surrogate.jsonl", "twice.jsonl", "latin.csv", "ragged.csv"])
def test_a_strange_file(spark, name, tmp_path):
    file = tmp_path / name
    file.write_bytes(STRANGE[name][0])
    with pytest.raises(InputError):
        answers("lars", file, "spark")


def test_a_date_that_is_none(spark, tmp_path):
    file = tmp_path / "old.parquet"
    times = pa.array([-(2**63)], pa.timestamp("us"))
    pq.write_table(pa.table({"time": times, "x": [1], "s": ["a"]}), file)
    with pytest.raises(InputError, match=r"INP025: .*old\.parquet, row 1"):
        answers("dmtl", file, "spark")
