"""The same rows in every format, compressed or not, are the same answers in every language."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.orc
import pyarrow.parquet
import pytest

import horae
from horae.data.endings import COMPRESSED, EVENTS, FACTS, TABLES, ending_of, whole_ending_of
from horae.data.events import read_events
from horae.data.formats.csv import header_of, tidy
from horae.data.formats.table_file import Dialect, open_table
from horae.data.layout import Layout
from horae.data.types import Type

ROWS = pa.table({"x": [7, 8, 7], "s": ["a", "é, b", "c"], "time": [1, 2, 4]})
PROGRAMS = {
    "rtlola": "input int x\ninput string s\noutput int o := x\noutput string t := s\n",
    "datalogmtl": "q(X,S) :- Diamondminus[0,1] p(X,S).\n",
    "lars": "q(X,S) :- win[1] <> p(X,S).\n",
    "cql": "REGISTER STREAM p(x int, s string); SELECT x, s FROM p [NOW];\n",
}
TEXT = (".csv", ".jsonl", ".facts")
NAMES = [
    *(f"p{ending}" for ending in FACTS),
    *(f"p{ending}{packed}" for ending in TEXT for packed in COMPRESSED),
    "p.CSV.GZ",
]


def _text(ending: str) -> bytes:
    rows = ROWS.to_pylist()
    match ending:
        case ".csv":
            lines = ["x,s,time", *(f'{r["x"]}, "{r["s"]}" ,{r["time"]}' for r in rows)]
        case ".facts":
            lines = [f'p({r["x"]},"{r["s"]}")@{r["time"]}' for r in rows]
        case _:
            lines = [json.dumps(row) for row in rows]
    return "\n".join([*lines, ""]).encode()


def write(folder: Path, name: str) -> Path:
    file, ending = folder / name, ending_of(name)
    if ending == ".parquet":
        pyarrow.parquet.write_table(ROWS, file)
    elif ending == ".orc":
        pyarrow.orc.write_table(ROWS, str(file))
    elif name.lower().endswith(".gz"):
        file.write_bytes(gzip.compress(_text(ending)))
    elif name.endswith(".zst"):
        with pa.output_stream(str(file), compression="zstd") as stream:
            stream.write(_text(ending))
    else:
        file.write_bytes(_text(ending))
    return file


def answers(language: str, file: Path) -> Any:
    needs_no_name = language == "rtlola" or ending_of(file) == ".facts"
    given = str(file) if needs_no_name else f"p={file}"
    return list(horae.compile(PROGRAMS[language], language).run_files([given], engine="local"))


@pytest.mark.parametrize("language", PROGRAMS)
@pytest.mark.parametrize("name", NAMES)
def test_the_same_rows(name: str, language: str, tmp_path: Path):
    if language == "rtlola" and ending_of(name) == ".facts":
        return  # events are no facts
    expected = answers(language, write(tmp_path, "p.parquet"))
    assert answers(language, write(tmp_path, name)) == expected
    assert expected


def test_what_endings_say():
    assert [
        ending_of(n) for n in ("a.CSV", "a.csv.gz", "a.b.jsonl.zst", "a.gz", "a", "a.orc.gz")
    ] == [*(".csv", ".csv", ".jsonl", ".gz", "", ".gz")]
    assert whole_ending_of("A.Facts.GZ") == ".facts.gz"
    assert set(TABLES) <= set(EVENTS) < set(FACTS)
    assert ending_of("pq.csv/data") == ""


def test_a_damaged_compressed_file_is_named(tmp_path: Path):
    (tmp_path / "p.csv.gz").write_bytes(b"\x1f\x8bno")
    with pytest.raises(horae.InputError, match="INP003") as error:
        answers("cql", tmp_path / "p.csv.gz")
    assert error.value.place == str(tmp_path / "p.csv.gz")


@pytest.mark.parametrize(("delimiter", "name"), [("\t", "tab"), (";", "semicolon"), ("|", "bar")])
def test_other_delimiters(delimiter: str, name: str, tmp_path: Path):
    file = tmp_path / f"{name}.csv"
    lines = ["x, s ,time", '7,"a, b",1', ' 8 ,  ," 2"', ',"",3']
    file.write_text("\n".join(_replaced(line, delimiter) for line in lines))
    found = open_table(file, Dialect(delimiter))
    assert found.names == ["x", "s", "time"] == header_of(file, Dialect(delimiter))
    assert found.read(["time", "x", "s"]).to_pylist() == [
        {"time": "1", "x": "7", "s": "a, b"},
        {"time": " 2", "x": "8", "s": None},
        {"time": "3", "x": None, "s": None},
    ]
    layout = Layout((("x", Type.INT), ("s", Type.STRING)))
    events = read_events(file, layout, Dialect(delimiter))
    assert events.column("s").to_pylist() == ["a, b", None, ""]


def _replaced(line: str, delimiter: str) -> str:
    """Commas outside of quotes."""
    parts = line.split('"')
    return '"'.join(p.replace(",", delimiter) if n % 2 == 0 else p for n, p in enumerate(parts))


def test_tabs_are_blanks_unless_they_delimit():
    assert tidy(b"a\t, b\n\tc ,d\n") == b"a,b\nc,d\n"
    assert tidy(b"a \t b\n\tc \td\n", "\t") == b"a\tb\n\tc\td\n"


@pytest.mark.parametrize("language", PROGRAMS)
def test_the_delimiter_is_an_option_of_every_language(language: str, tmp_path: Path):
    (tmp_path / "p.csv").write_text("x\ts\ttime\n7\ta, b\t1\n8\tc\t2\n")
    (tmp_path / "q.csv").write_text('x,s,time\n7,"a, b",1\n8,c,2\n')
    program = horae.compile(PROGRAMS[language], language)
    names = [
        str(tmp_path / n) if language == "rtlola" else f"p={tmp_path / n}"
        for n in ("p.csv", "q.csv")
    ]
    tabs, commas = names
    expected = program.run_files([commas], engine="local")
    assert program.run_files([tabs], engine="local", delimiter="tab") == expected
    assert expected
    with pytest.raises(ValueError, match="delimiter: `ab` does not stand between cells"):
        program.run_files([tabs], engine="local", delimiter="ab")
