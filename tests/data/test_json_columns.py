"""Lines of JSON by columns are what they are line by line: the same facts, rows and refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import horae.data.facts
import horae.data.json_rows
from horae.data.facts import read_fact_files
from horae.data.formats.json_columns import exact_columns
from horae.data.input_files import RowTables
from horae.data.predicate_facts import ground_facts
from horae.data.schema import RegisteredInput, SchemaColumn
from horae.data.types import Type
from horae.data.written_lines import lines_of_file
from horae.source.errors import InputError

ITEM = RegisteredInput(
    "s",
    True,
    (SchemaColumn("A", Type.INT), SchemaColumn("b", Type.DOUBLE), SchemaColumn("c", Type.STRING)),
)

NUMBERS = ["0", "-0", "7", "1.5", "0.1", "1.0", "1e3", "1E-2", "12345678901234567890", "1e400"]
TEXTS = ['"x"', '"2024-01-01"', '"2024-01-01T00:00:00Z"', '""', '"3"', '"\\u00e9"', '"7/2"']
OTHERS = ["true", "null", "[1]", "NaN", "0.1234567890123456789", "{}"]
ANY = st.sampled_from([*NUMBERS, *TEXTS, *OTHERS])
TIMES = st.sampled_from(["1", "2", "2.5", "0.001", "1e1", '"3"', '"2024-01-01"', "null"])


@st.composite
def lines(draw: st.DrawFn) -> str:
    """Columns of values that are alike, mostly: else Arrow would never take them."""
    kinds = [draw(st.lists(ANY, min_size=1, max_size=2)) for _ in range(3)]
    times = draw(st.lists(TIMES, min_size=1, max_size=2))
    rows = []
    for _ in range(draw(st.integers(1, 4))):
        values = [draw(st.sampled_from(kind)) for kind in kinds]
        pairs = [("time", draw(st.sampled_from(times))), *zip("Abc", values, strict=True)]
        kept = [pair for pair in pairs if draw(st.integers(0, 19))]
        rows.append("{" + ", ".join(f'"{name}": {value}' for name, value in kept) + "}")
    return "\n".join(rows)


def facts(file: Path) -> object:
    return ground_facts(read_fact_files([f"s={file}"], {"s": 3}))


def rows(file: Path) -> object:
    return RowTables({"s": ITEM}).read_files([f"s={file}"])["s"].to_pylist()


def outcome(read: Callable[[Path], object], file: Path) -> object:
    try:
        return read(file)
    except InputError as error:
        return str(error)


@pytest.mark.parametrize("read", [facts, rows])
@given(text=lines())
@settings(max_examples=400, deadline=None)
def test_as_line_by_line(read: Callable[[Path], object], tmp_path_factory, text: str):
    file = tmp_path_factory.mktemp("json") / "s.jsonl"
    file.write_text(text)
    found = outcome(read, file)
    with pytest.MonkeyPatch.context() as patch:
        for module in (horae.data.facts, horae.data.json_rows):
            patch.setattr(module, "by_columns", lambda *_: None)
        assert found == outcome(read, file)


def column_of(tmp_path: Path, *values: str) -> list[object]:
    file = tmp_path / "s.jsonl"
    file.write_text("".join(f'{{"a": {value}}}\n' for value in values))
    table = exact_columns(lines_of_file(file))
    assert table is not None
    return table["a"].to_pylist()


def test_decimals_are_exact(tmp_path: Path):
    assert column_of(tmp_path, "0.1", "1e-3") == [Decimal("0.1"), Decimal("0.001")]
    fine = column_of(tmp_path, "0.123456789012345678")
    assert fine == [Decimal("0.123456789012345678")]


def test_text_that_looks_like_a_date_is_text(tmp_path: Path):
    assert column_of(tmp_path, '"2024-01-01"') == ["2024-01-01"]


@pytest.mark.parametrize(
    "values", [('"a"', "1"), ("[1]",), ("0.1234567890123456789",), ("1e400",), ("NaN",)]
)
def test_left_to_python(tmp_path: Path, values: tuple[str, ...]):
    file = tmp_path / "s.jsonl"
    file.write_text("\n".join(f'{{"a": {value}}}' for value in values))
    assert exact_columns(lines_of_file(file)) is None


def test_large_files_take_the_same_way(tmp_path: Path):
    """Arrow reads blocks of a megabyte: a row across two of them is still one row."""
    file = tmp_path / "s.jsonl"
    written = [{"A": i, "b": i / 4, "c": f"v{i % 7}", "time": i} for i in range(40_000)]
    file.write_text("".join(json.dumps(row) + "\n" for row in written))
    found = rows(file)
    assert isinstance(found, list)
    assert len(found) == len(written)
    assert found[-1] == {"c0": 39_999, "c1": 9_999.75, "c2": "v1", "time": 39_999, "order": None}
    last = facts(file)
    assert isinstance(last, list)
    assert last[-1].arguments == (39_999, Fraction(39_999, 4), "v1")
