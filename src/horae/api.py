"""Horae from Python: load a program, look at its report, evaluate it here or on Spark.

>>> import horae
>>> program = horae.compile("input int a\\noutput int total := total[-1, 0] + a")
>>> program.evaluate([{"time": 1, "a": 2}])
[{'time': 1, 'stream': 'total', 'params': [], 'value': 2}]
>>> program = horae.compile("q(X) :- Boxminus[0,1] p(X).", language="datalogmtl")
>>> program.evaluate("p(a)@[0,3]")
[{'predicate': 'q', 'args': ['a'], 'interval': '[1,3]'}]
>>> program = horae.compile("hot(X) :- win[5] [] warm(X).", language="lars")
>>> program.evaluate("warm(a)@[0,8]", at="6,9")
[{'time': 6, 'at': 6, 'answer': 1, 'predicate': 'hot', 'args': ['a']}]
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, overload

from horae.languages.cql.check.check import load as check_cql
from horae.languages.datalogmtl.check.check import load as check_datalogmtl
from horae.languages.lars.check.check import load as check_lars
from horae.languages.rtlola.check.check import load as check_rtlola
from horae.programs.cql import CQLProgram
from horae.programs.datalogmtl import DatalogMTLProgram
from horae.programs.lars import LARSProgram
from horae.programs.rtlola import RTLolaProgram
from horae.source.errors import ProgramError
from horae.source.text import Source

Program = RTLolaProgram | DatalogMTLProgram | LARSProgram | CQLProgram

LANGUAGES = {".lola": "rtlola", ".dmtl": "datalogmtl", ".lars": "lars", ".cql": "cql"}


def load(path: str | Path) -> Program:
    """The program in a file; the ending tells the language."""
    file = Path(path)
    language = LANGUAGES.get(file.suffix)
    if language is None:
        known = ", ".join(LANGUAGES)
        raise ValueError(f"`{path}`: the ending must be one of {known}")
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"`{path}` is not UTF-8 text; save it as UTF-8") from None
    return compile(text, language=language, name=str(path))


@overload
def compile(
    text: str, language: Literal["rtlola"] = "rtlola", name: str = ...
) -> RTLolaProgram: ...


@overload
def compile(text: str, language: Literal["datalogmtl"], name: str = ...) -> DatalogMTLProgram: ...


@overload
def compile(text: str, language: Literal["lars"], name: str = ...) -> LARSProgram: ...


@overload
def compile(text: str, language: Literal["cql"], name: str = ...) -> CQLProgram: ...


@overload
def compile(text: str, language: str, name: str = ...) -> Program: ...


def compile(text: str, language: str = "rtlola", name: str = "<text>") -> Program:
    """The program of a text. Errors raise `ProgramError`; warnings are in `diagnostics`."""
    source = Source(name, text)
    match language:
        case "rtlola":
            specification, diagnostics = check_rtlola(source)
            if specification is not None:
                return RTLolaProgram(specification, tuple(diagnostics))
        case "datalogmtl":
            rules, diagnostics = check_datalogmtl(source)
            if rules is not None:
                return DatalogMTLProgram(rules, tuple(diagnostics))
        case "lars":
            program, diagnostics = check_lars(source)
            if program is not None:
                return LARSProgram(program, tuple(diagnostics))
        case "cql":
            queries, diagnostics = check_cql(source)
            if queries is not None:
                return CQLProgram(queries, tuple(diagnostics))
        case _:
            known = ", ".join(LANGUAGES.values())
            raise ValueError(f"`{language}` is not a language that is known here: {known}")
    raise ProgramError(source, diagnostics)
