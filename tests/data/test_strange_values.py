"""Numbers of thousands of digits and halves of characters: messages, from all parsers and readers."""

from __future__ import annotations

import pytest

import horae

HALF = "\ud800"  # of a character: Python's text may have it, UTF-8 has no bytes for it
LARGE = 10**5000
RULE = "a(X) :- p(X)."
PROGRAMS = {
    "lars": RULE,
    "datalogmtl": RULE,
    "cql": "REGISTER STREAM p(x string);\nSELECT x FROM p [NOW];",
    "rtlola": "input string p\noutput string o := p",
}
ENDINGS = {"lars": "lars", "datalogmtl": "dmtl", "cql": "cql", "rtlola": "lola"}


@pytest.mark.parametrize("language", PROGRAMS)
@pytest.mark.parametrize("text", [HALF, f"// {HALF}\n", f"'{HALF}'", f'"{HALF}"'])
def test_programs(language: str, text: str):
    with pytest.raises(horae.ProgramError):
        horae.compile(f"{PROGRAMS[language]}\n{text}", language=language)


@pytest.mark.parametrize("language", ["lars", "datalogmtl", "cql"])
@pytest.mark.parametrize(
    "fact",
    [
        ("p", [HALF], 3),
        ("p", [LARGE], 3),
        ("p", ["a"], LARGE),
        ("p", ["a"], HALF),
        (HALF, ["a"], 3),
    ],
    ids=["half", "large", "large time", "half time", "half name"],
)
def test_facts_from_python(language: str, fact: object):
    program = horae.compile(PROGRAMS[language], language=language)
    with pytest.raises(horae.InputError) as error:
        program.evaluate([fact])
    str(error.value).encode()


@pytest.mark.parametrize("language", ["lars", "datalogmtl"])
@pytest.mark.parametrize("text", [f"p('{HALF}')@3", f"p({'9' * 5000})@3", f"p(a)@{'9' * 5000}"])
def test_facts_as_text(language: str, text: str):
    with pytest.raises(horae.InputError, match=r"DMT00[26]"):
        horae.compile(RULE, language=language).evaluate(text)


@pytest.mark.parametrize("row", [{"time": 3, "p": HALF}, {"time": HALF, "p": "a"}, {"time": LARGE}])
def test_events_from_python(row: dict[str, object]):
    with pytest.raises(horae.InputError) as error:
        horae.compile(PROGRAMS["rtlola"], language="rtlola").evaluate([row])
    str(error.value).encode()


@pytest.mark.parametrize("language", PROGRAMS)
@pytest.mark.parametrize(
    "line",
    [
        b'{"time": 3, "%s": "\\ud800"}',
        b'{"time": "\\ud800", "%s": "a"}',
        b'{"time": 3, "%s": "\xed\xa0\x80"}',
        b'{"time": "\xed\xa0\x80", "%s": "a"}',
        b'{"time": 3, "%s": ' + b"9" * 5000 + b"}",
        b'{"time": 3, "%s": ' + b"[" * 100_000 + b"}",
        b'{"time": 3, "%s": "a", "\\ud800": 4}',
    ],
    ids=["half", "half time", "bytes", "bytes time", "large", "deep", "half key"],
)
def test_lines_of_json(language: str, line: bytes, tmp_path, capsys):
    from horae.cli.main import main

    spec, table = tmp_path / f"spec.{ENDINGS[language]}", tmp_path / "in.jsonl"
    spec.write_text(PROGRAMS[language], encoding="utf-8")
    table.write_bytes(line % (b"p" if language == "rtlola" else b"x") + b"\n")
    given = str(table) if language == "rtlola" else f"p={table}"
    assert main(["run", str(spec), "--engine", "local", "--input", given]) == 3
    assert capsys.readouterr().err.startswith("error[INP")
