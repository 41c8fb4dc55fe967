"""Files that are not what they seem: only diagnostics, in every language, from every reader."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import horae
from horae.cli.main import main
from horae.data.formats.csv import tidy

PROGRAMS = {
    "lola": "input int x\ninput string s\noutput int o := x\noutput string t := s\n",
    "dmtl": "q(X,S) :- p(X,S).\n",
    "lars": "q(X,S) :- p(X,S).\n",
    "cql": "REGISTER STREAM p(x int, s string); SELECT x, s FROM p [NOW];\n",
}


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for ending, text in PROGRAMS.items():
        (tmp_path / f"m.{ending}").write_text(text)
    return tmp_path


def run(ending: str, file: str) -> int:
    path = file if ending == "lola" else f"p={file}"
    return main(["run", f"m.{ending}", "--engine", "local", "--input", path])


@pytest.fixture(params=PROGRAMS)
def language(request):
    return request.param


STRANGE = {
    "surrogate.jsonl": (b'{"time": 1, "x": 1, "s": "a\\ud800"}\n', "error[INP"),
    "twice.jsonl": (b'{"time": 1, "x": 1, "x": 2, "s": "a"}\n', "has the key `x` twice"),
    "deep.jsonl": (b'{"time": 1, "x": 1, "s": ' + b"[" * 9000 + b"]" * 9000 + b"}\n", "error[INP"),
    "digits.jsonl": (b'{"time": 1, "x": ' + b"9" * 5000 + b', "s": "a"}\n', "error[INP"),
    "array.jsonl": (b'[{"time": 1}]\n', "not a JSON object"),
    "nothing.jsonl": (b"", "the file is empty"),
    "blank.jsonl": (b"\n\n", "the file is empty"),
    "nothing.csv": (b"", "the file is empty"),
    "latin.csv": (b"time,x,s\n1,1,\xe9\n", "it is not UTF-8 text"),
    "latin.jsonl": (b'{"time": 1, "x": 1, "s": "\xe9"}\n', "it is not UTF-8 text"),
    "utf16.csv": ("time,x,s\n1,1,a\n".encode("utf-16"), "it is not UTF-8 text"),
    "ragged.csv": (b"time,x,s\n1,1\n", "the row has 2 cells, but there are 3 columns"),
    "twice.csv": (b"time,x,s,x\n1,1,a,2\n", "the column `x` exists twice"),
    "digits.csv": (b"time,x,s\n" + b"9" * 5000 + b",1,a\n", "error[INP"),
    "infinite.csv": (b"time,x,s\ninf,1,a\n", "error[INP"),
    "no.parquet": (b"time,x,s\n1,1,a\n", "cannot be read: it is not a Parquet file"),
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_file(name, language, folder, capsys):
    data, words = STRANGE[name]
    (folder / name).write_bytes(data)
    assert run(language, name) == 3
    out, err = capsys.readouterr()
    assert (out, words in err, "BUG001" in err) == ("", True, False), err


FINE = {
    "marked.csv": b"\xef\xbb\xbftime,x,s\n1,1,a\n",
    "marked.jsonl": b'\xef\xbb\xbf{"time": 1, "x": 1, "s": "a"}\n',
    "carriage.csv": b"time,x,s\r1,1,a\r",
    "windows.csv": b"time,x,s\r\n1,1,a\r\n",
    "spaces.csv": b' time , x ,\ts\n 1 , 1\t, "a" \n  \n',
    "separator.jsonl": '{"time": 1, "x": 1, "s": "a", "note": "b\u2028c"}\n'.encode(),
    "pair.jsonl": b'{"time": 1, "x": 1, "s": "a", "note": "\\ud83d\\ude00"}\n',
}


@pytest.mark.parametrize("name", FINE)
def test_a_file_that_only_looks_strange(name, language, folder, capsys):
    if language not in ("lola", "cql") and b"note" in FINE[name]:
        (folder / name).write_bytes(FINE[name].replace(b'"a", "note": ', b""))
    else:
        (folder / name).write_bytes(FINE[name])
    assert run(language, name) == 0, capsys.readouterr().err
    assert capsys.readouterr().out


def test_a_cell_of_any_length(language, folder, capsys):
    (folder / "long.csv").write_text(f"time,x,s\n1,1,{'y' * 200_000}\n")
    assert run(language, "long.csv") == 0
    assert "y" * 200_000 in capsys.readouterr().out


@pytest.mark.parametrize(
    "written", ["9" * 39, "9" * 5000, "1" + "0" * 45, "0." + "1" * 45, "1e-45", "-" + "9" * 40]
)
def test_a_time_with_more_digits_than_a_decimal_has(written, folder, capsys):
    """Arrow would wrap the large ones, and take the small ones for 0."""
    (folder / "digits.csv").write_text(f"time,x,s\n{written},1,a\n")
    assert run("lola", "digits.csv") == 3
    assert capsys.readouterr().out == ""


def test_a_date_that_is_none(language, folder, capsys):
    """Timestamps of Parquet reach from 290,000 years before our time to 290,000 after it."""
    times = pa.array([-(2**63)], pa.timestamp("us"))
    pq.write_table(pa.table({"time": times, "x": [1], "s": ["a"]}), "old.parquet")
    assert run(language, "old.parquet") == 3
    assert "BUG001" not in capsys.readouterr().err


def test_half_of_a_surrogate_pair_from_python():
    with pytest.raises(horae.InputError, match="INP009"):
        horae.compile(PROGRAMS["lola"]).evaluate([{"time": 1, "x": 1, "s": "\ud800"}])
    with pytest.raises(horae.InputError, match="INP012"):
        horae.compile(PROGRAMS["lola"]).evaluate([{"time": "\ud800", "x": 1}])
    for language, code in (("datalogmtl", "INP023"), ("lars", "INP023"), ("cql", "INP023")):
        text = PROGRAMS["dmtl" if language == "datalogmtl" else language]
        with pytest.raises(horae.InputError, match=code):
            horae.compile(text, language).evaluate([("p", [1, "\ud800"], 1)])


@pytest.mark.parametrize(
    ("language", "text", "code"),
    [
        ("rtlola", 'input string a\noutput bool o := a = "\ud800"', "RTL002"),
        ("datalogmtl", 'a("\ud800") :- b.', "DMT002"),
        ("lars", 'a("\ud800") :- b.', "LRS002"),
        ("cql", "REGISTER STREAM s(a string); SELECT a FROM s [NOW] WHERE a = '\ud800';", "CQL002"),
    ],
)
def test_half_of_a_surrogate_pair_in_a_program(language, text, code):
    with pytest.raises(horae.ProgramError, match=code):
        horae.compile(text, language)


def test_half_of_a_surrogate_pair_in_facts():
    with pytest.raises(horae.InputError, match="DMT002"):
        horae.compile(PROGRAMS["lars"], "lars").evaluate('p(1,"\ud800")@1')


def test_a_program_that_is_no_text(folder):
    (folder / "latin.lars").write_bytes(b"% \xe9\na :- b.\n")
    with pytest.raises(ValueError, match=r"`latin\.lars` is not UTF-8 text; save it as UTF-8"):
        horae.load("latin.lars")


# --- spaces around cells


@pytest.mark.parametrize(
    ("written", "tidied"),
    [
        (b"a , b\n", b"a,b\n"),
        (b' a ,"b , " , c \r\n d\t', b'a,"b , ",c\r\nd'),
        (b'"a"" , b" , 5 " disk \n', b'"a"" , b",5 " disk\n'),
        (b"a b,c\n", b"a b,c\n"),
        (b" , \n , ", b",\n,"),
        (b"", b""),
    ],
)
def test_spaces_around_cells_do_not_count(written, tidied):
    assert tidy(written) == tidied


def test_spaces_in_quotes_count(language, folder, capsys):
    (folder / "quoted.csv").write_text('time, x, s\n1, 1, " a "\n')
    assert run(language, "quoted.csv") == 0
    assert '" a "' in capsys.readouterr().out
