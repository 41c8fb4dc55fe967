"""Event tables from files: what is read, in which order, and what is refused with which words."""

from __future__ import annotations

import os
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from horae.data.events import read_events
from horae.data.formats.table_file import Dialect
from horae.data.layout import Layout
from horae.data.roll import noting
from horae.data.types import Type
from horae.source.errors import InputError

LAYOUT = Layout((("pid", Type.STRING), ("stars", Type.INT), ("price", Type.DOUBLE)), time="ts")
EXPECTED = {
    "__time": [1_000_000, 2_500_000],
    "pid": ["a", None],
    "stars": [5, None],
    "price": [None, 2.5],
    "__row": [1, 2],
}


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    """Files are named without their folder, so that messages can be compared."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder, name, text):
    (folder / name).write_text(text)
    return name


def refusal(path, layout=LAYOUT, **options):
    with pytest.raises(InputError) as caught:
        read_events(path, layout, **options)
    return str(caught.value).splitlines()[0], caught.value.help


def test_csv_with_a_header_in_any_order_and_more_columns(folder):
    write(folder, "e.csv", "ts,more,price,stars, pid\n1,x,,5,a\n2.5,y,2.5,,\n")
    assert read_events("e.csv", LAYOUT).to_pydict() == EXPECTED


TITLES = ("pid", "stars", "price", "ts")


def test_csv_without_a_header(folder):
    write(folder, "e.csv", "a,5,,1\n,,2.5,2.5\n")
    table = read_events("e.csv", LAYOUT, Dialect(columns=TITLES))
    assert table.to_pydict() == EXPECTED


def test_a_header_can_be_replaced(folder):
    write(folder, "e.csv", "A,B,C,D\na,5,,1\n,,2.5,2.5\n")
    table = read_events("e.csv", LAYOUT, Dialect(columns=TITLES, header=True))
    assert table.to_pydict() == EXPECTED


def test_a_quoted_empty_cell_is_an_empty_text(folder):
    write(folder, "e.csv", 'ts,pid\n1,""\n2,\n3,NA\n')
    table = read_events("e.csv", Layout((("pid", Type.STRING),), time="ts"))
    assert table["pid"].to_pylist() == ["", None, "NA"]


def test_a_header_alone_is_no_events(folder):
    write(folder, "e.csv", "ts,pid,stars,price\n")
    assert len(read_events("e.csv", LAYOUT)) == 0


def test_json_lines(folder):
    rows = '{"ts": 1, "pid": "a", "stars": 5}\n\n{"ts": 2.5, "price": 2.5, "more": [1]}\n'
    write(folder, "e.jsonl", rows)
    assert read_events("e.jsonl", LAYOUT).to_pydict() == EXPECTED


def test_a_file_that_begins_with_no_object_ends_in_a_message(folder):
    """Arrow's reader ends the process at such a text."""
    write(folder, "e.jsonl", 'null"ts": 0, "a": 1, "b": 1.5, "s": ')
    assert refusal("e.jsonl", LAYOUT)[0] == "INP017: the line is not JSON (e.jsonl, row 1)"


def test_json_lines_whose_other_keys_change_their_type(folder):
    rows = '{"ts": 1, "pid": "a", "stars": 5, "more": {}}\n{"ts": 2.5, "price": 2.5, "more": [1]}\n'
    write(folder, "e.json", rows)
    assert read_events("e.json", LAYOUT).to_pydict() == EXPECTED


def test_text_that_looks_like_a_date_stays_text(folder):
    write(folder, "e.jsonl", '{"ts": "1970-01-01T00:00:01Z", "pid": "2024-05-01T00:00:00Z"}\n')
    table = read_events("e.jsonl", Layout((("pid", Type.STRING),), time="ts"))
    assert table.to_pydict() == {
        "__time": [1_000_000],
        "pid": ["2024-05-01T00:00:00Z"],
        "__row": [1],
    }


def test_parquet_with_its_own_types(folder):
    columns = {
        "pid": pa.array(["a", None]).dictionary_encode(),
        "stars": pa.array([5, None], pa.uint8()),
        "price": pa.array([None, Decimal("2.50")]),
        "ts": pa.array([1000, 2500], pa.timestamp("ms", "UTC")),
    }
    pq.write_table(pa.table(columns), folder / "e.parquet")
    assert read_events("e.parquet", LAYOUT).to_pydict() == EXPECTED


def test_files_of_a_directory_follow_each_other_by_name(folder):
    (folder / "d").mkdir()
    write(folder, "d/b.csv", "ts,a\n1,3\n0,4\n")
    write(folder, "d/a.csv", "ts,a\n1,1\n1,2\n")
    write(folder, "d/_SUCCESS", "")
    layout = Layout((("a", Type.INT),), time="ts")
    expected = {"__time": [0, 10**6, 10**6, 10**6], "a": [4, 1, 2, 3], "__row": [4, 1, 2, 3]}
    assert read_events("d", layout).to_pydict() == expected
    assert read_events("d/*.csv", layout).to_pydict() == expected
    assert read_events(["d/a.csv", "d/b.csv"], layout).to_pydict() == expected


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["10", "9", "100"], [2, 1, 3]),
        (["1.5", "1.25", "2"], [2, 1, 3]),
        (["b", "a", "c"], [2, 1, 3]),
    ],
)
def test_the_order_column_counts_among_equal_times(folder, cells, expected):
    rows = "".join(f"7,{i},{cell}\n" for i, cell in enumerate(cells, 1))
    write(folder, "e.csv", "ts,a,seq\n" + rows)
    layout = Layout((("a", Type.INT),), time="ts", order="seq")
    assert read_events("e.csv", layout)["a"].to_pylist() == expected


def test_the_order_column_may_be_an_input_too(folder):
    write(folder, "e.csv", "ts,a\n7,10\n7,9\n")
    layout = Layout((("a", Type.INT),), time="ts", order="a")
    assert read_events("e.csv", layout)["a"].to_pylist() == [9, 10]


def test_bools_are_true_and_false_in_any_case(folder):
    write(folder, "e.csv", "ts,ok\n1,TRUE\n2,false\n3,1\n4,\n")
    table = read_events("e.csv", Layout((("ok", Type.BOOL),), time="ts"))
    assert table["ok"].to_pylist() == [True, False, True, None]


def test_numbers_with_a_sign_or_spaces(folder):
    write(folder, "e.csv", "ts,stars,price\n1,+5, 2.5\n")
    layout = Layout((("stars", Type.INT), ("price", Type.DOUBLE)), time="ts")
    assert read_events("e.csv", layout).to_pydict()["stars"] == [5]


# --- refused

CSV = "ts,pid,stars,price\n1,a,5,2.5\n"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            "2,a,five,1",
            "INP009: the column `stars` holds `five`, which is not an int (e.csv, row 2)",
        ),
        ("2,a,4.0,1", "INP009: the column `stars` holds `4.0`, which is not an int (e.csv, row 2)"),
        (
            "2,a,0x1F,1",
            "INP009: the column `stars` holds `0x1F`, which is not an int (e.csv, row 2)",
        ),
        (
            "2,a,1,NaN",
            "INP010: the column `price` holds `NaN`, which is not a finite number (e.csv, row 2)",
        ),
        (
            "2,a,1,1e999",
            "INP010: the column `price` holds `1e999`, which is not a finite number (e.csv, row 2)",
        ),
        (
            "2,a,1,cheap",
            "INP009: the column `price` holds `cheap`, which is not a double (e.csv, row 2)",
        ),
        (",a,1,1", "INP011: the time in `ts` is missing (e.csv, row 2)"),
        ("soon,a,1,1", "INP012: the column `ts` holds `soon`, which is not a time (e.csv, row 2)"),
        (
            "0.0000001,a,1,1",
            "INP013: the time `0.0000001` in `ts` is finer than 1 µs (e.csv, row 2)",
        ),
        ("2,a,1", "INP017: the row has 3 cells, but there are 4 columns (e.csv, row 2)"),
    ],
)
def test_a_row_that_does_not_fit(folder, row, message):
    write(folder, "e.csv", CSV + row + "\n")
    assert refusal("e.csv")[0] == message


def test_a_missing_column(folder):
    write(folder, "e.csv", "ts,product_id,star,price\n1,a,5,2.5\n")
    layout = Layout((("stars", Type.INT),), time="ts")
    assert refusal("e.csv", layout) == (
        "INP006: there is no column `stars` for the input `stars` (int) (e.csv)",
        "did you mean `star`? the columns are: ts, product_id, star, price",
    )


def test_a_missing_time(folder):
    write(folder, "e.csv", "when,stars\n1,5\n")
    assert refusal("e.csv", Layout((("stars", Type.INT),))) == (
        "INP006: there is no column `time` for the time (e.csv)",
        "name it with --time; the columns are: when, stars",
    )


def test_a_header_that_is_data(folder):
    write(folder, "e.csv", "1,5\n2,4\n")
    assert refusal("e.csv", Layout((("stars", Type.INT),)))[1] == (
        "a CSV file without a header needs --columns, the names in order; the columns are: 1, 5"
    )


def test_a_key_that_no_line_has(folder):
    write(folder, "e.jsonl", '{"ts": 1, "star": 5}\n')
    assert refusal("e.jsonl", Layout((("stars", Type.INT),), time="ts")) == (
        "INP006: there is no column `stars` for the input `stars` (int) (e.jsonl)",
        "did you mean `star`? the columns are: ts, star",
    )


def test_a_column_that_exists_twice(folder):
    write(folder, "e.csv", "ts,a,a\n1,2,3\n")
    layout = Layout((("a", Type.INT),), time="ts")
    assert refusal("e.csv", layout)[0] == "INP007: the column `a` exists twice (e.csv)"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            '{"ts": 1, "a": 1.0}',
            "INP009: the column `a` holds `1.0`, which is not an int (e.jsonl, row 2)",
        ),
        (
            '{"ts": 1, "a": "1"}',
            "INP009: the column `a` holds `1`, which is not an int (e.jsonl, row 2)",
        ),
        ('{"ts": 1, "a": tru}', "INP017: the line is not JSON (e.jsonl, row 2)"),
        ("[1, 2]", "INP017: the line is not a JSON object (e.jsonl, row 2)"),
        ('{"ts": 1, "a": 1} {"ts": 2, "a": 1}', "INP017: the line is not JSON (e.jsonl, row 2)"),
        ('{"ts": 1,\n"a": 1}', "INP017: the line is not JSON (e.jsonl, row 2)"),
        ('{"ts": 1,\n"a": 1}{"ts": 2, "a": 1}', "INP017: the line is not JSON (e.jsonl, row 2)"),
        ('{"a": 1}', "INP011: the time in `ts` is missing (e.jsonl, row 2)"),
    ],
)
def test_a_json_line_that_does_not_fit(folder, line, message):
    write(folder, "e.jsonl", '{"ts": 0, "a": 1}\n' + line + "\n")
    assert refusal("e.jsonl", Layout((("a", Type.INT),), time="ts"))[0] == message


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (
            pa.array([1.0]),
            "INP008: the column `a` holds double, but the input is declared int (e.parquet)",
        ),
        (
            pa.array([True]),
            "INP008: the column `a` holds bool, but the input is declared int (e.parquet)",
        ),
        (
            pa.array([b"1"]),
            "INP008: the column `a` holds binary, but the input is declared int (e.parquet)",
        ),
        (
            pa.array([2**63], pa.uint64()),
            f"INP009: the column `a` holds `{2**63}`, which is not an int (e.parquet, row 1)",
        ),
    ],
)
def test_a_parquet_column_of_another_type(folder, column, message):
    pq.write_table(pa.table({"ts": [1], "a": column}), folder / "e.parquet")
    assert refusal("e.parquet", Layout((("a", Type.INT),), time="ts"))[0] == message


def test_files_that_are_not_there_or_not_readable(folder):
    assert refusal("no.csv")[0] == "INP001: there is no file, directory or match for `no.csv`"
    assert (
        refusal(write(folder, "e.xlsx", "x"))[0] == "INP002: the ending of `e.xlsx` names no format"
    )
    assert refusal(write(folder, "e.csv", ""))[0] == "INP004: the file is empty (e.csv)"
    assert refusal(write(folder, "e.jsonl", ""))[0] == "INP004: the file is empty (e.jsonl)"
    bad = refusal(write(folder, "e.parquet", "this is no parquet"))[0]
    assert bad == "INP003: the file cannot be read: it is not a Parquet file (e.parquet)"
    (folder / "empty").mkdir()
    assert refusal("empty")[0] == "INP001: there are no files in the directory `empty`"


def test_a_file_of_a_similar_name_is_proposed(folder):
    (folder / "data").mkdir()
    write(folder, "data/sales.csv", CSV)
    assert refusal("data/sale.csv")[1] == "did you mean `data/sales.csv`?"
    assert refusal("data/sales.parquet")[1] == "did you mean `data/sales.csv`?"
    assert refusal("nowhere/sale.csv")[1] == ""
    write(folder, "data/eu.csv", CSV)
    assert refusal("data/nope.csv")[1] == ""


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything"
)
def test_a_file_without_permission(folder):
    write(folder, "e.csv", CSV)
    (folder / "e.csv").chmod(0)
    assert refusal("e.csv")[0] == "INP003: the file cannot be read: Permission denied (e.csv)"


def test_a_csv_without_header_needs_names(folder):
    write(folder, "e.csv", "1,a\n")
    assert refusal("e.csv", dialect=Dialect(header=False)) == (
        "INP005: a CSV file without a header needs names for its columns (e.csv)",
        "name them in order: --columns user,product,stars,ts",
    )


def test_text_that_is_not_utf8(folder):
    (folder / "e.csv").write_bytes(b"ts,pid\n1,\xff\xfe\n")
    message = refusal("e.csv", Layout((("pid", Type.STRING),), time="ts"))[0]
    assert message == "INP003: the file cannot be read: it is not UTF-8 text (e.csv)"


CELLS = {
    Type.INT: [
        "1",
        "-7",
        "+5",
        " 5",
        '" 6 "',
        '"8"',
        "007",
        "",
        "-0",
        "0x1F",
        "1.0",
        "9" * 19,
        '""',
    ],
    Type.DOUBLE: [
        *(
            "1.5",
            "-2",
            "+.5",
            "1e3",
            "1E-400",
            "5.",
            "",
            " 2 ",
            '" 3.5 "',
            '"1"',
            "1e400",
            "nan",
            "-inf",
        ),
        *("1_0", "0x1", ".1e-7", "123456789012345678901234567890", "0.1", '""', "x"),
    ],
    Type.BOOL: ["true", "false", "1", "0", "", "TRUE", "tRue", '" true "', "yes", '""', "2"],
    Type.STRING: ["a", "", '""', " b ", '" c "', '"d,e"', '"f\ng"', '"h""i"', "0x1F", "é"],
}


def outcome(layout, name):
    try:
        return read_events(name, layout).to_pydict()
    except InputError as error:
        return str(error), error.help


@pytest.mark.parametrize("type", CELLS)
@pytest.mark.parametrize("header", ["ts,v", '"ts","v"', ' ts , "v" '])
def test_cells_parsed_on_the_way_are_those_that_are_parsed_as_text(
    type, header, folder, monkeypatch
):
    """Alone, and beside one that any way can read: with what is refused, in the same words."""
    layout = Layout((("v", type),), time="ts")
    for number, cell in enumerate(CELLS[type]):
        write(folder, "e.csv", f"{header}\n1,{CELLS[type][0]}\n\n2.25,{cell}\n")
        on_the_way = outcome(layout, "e.csv")
        with monkeypatch.context() as patched:
            patched.setattr("horae.data.formats.csv._typed", lambda *_: None)
            assert outcome(layout, "e.csv") == on_the_way, (number, cell)


def test_columns_that_are_read_twice_are_read_as_text(folder):
    """`0.1` is one tenth as a time, and the double next to it as a value."""
    write(folder, "e.csv", "ts,n\n0.1,3\n0.3,20\n")
    layout = Layout((("ts", Type.DOUBLE), ("n", Type.INT)), time="ts", order="n")
    events = read_events("e.csv", layout).to_pydict()
    assert events["__time"] == [100_000, 300_000]
    assert events["ts"] == [0.1, 0.3]
    assert events["n"] == [3, 20]


def test_large_files_are_checked_in_blocks_by_all_cores(folder):
    """What is wrong is told with its row, and the first of several such rows."""
    rows = 400_000
    lines = [f"{row}.5,{row}.25" for row in range(rows)]
    write(folder, "e.csv", "\n".join(["ts,v", *lines]))
    layout = Layout((("v", Type.DOUBLE),), time="ts")
    events = read_events("e.csv", layout)
    assert events["__time"].to_pylist() == [1_000_000 * row + 500_000 for row in range(rows)]
    assert events["v"].to_pylist() == [row + 0.25 for row in range(rows)]
    assert events["__row"].to_pylist() == [*range(1, rows + 1)]
    lines[350_000] = lines[399_000] = "1,inf"
    write(folder, "e.csv", "\n".join(["ts,v", *lines]))
    assert "row 350001" in refusal("e.csv", layout)[0]


def test_what_is_noted_of_a_large_file_is_that_of_its_first_rows(folder):
    times = [40_000_000_000_000_000 + 2 * row for row in range(200_000)]
    write(folder, "e.csv", "\n".join(["ts,v", *(f"{time // 10**6},1" for time in times)]))
    notes: dict[str, str] = {}
    with noting(notes):
        read_events("e.csv", Layout((("v", Type.INT),), time="ts"))
    assert notes == {"v": "e.csv", "#": "40000000000 s"}
