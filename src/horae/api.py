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

from horae.languages import by_ending, languages
from horae.program import Program
from horae.source.errors import ProgramError
from horae.source.text import Source


def load(path: str | Path) -> Program:
    """The program in a file; the ending tells the language."""
    file, endings = Path(path), by_ending()
    language = endings.get(file.suffix)
    if language is None:
        raise ValueError(f"`{path}`: the ending must be one of {', '.join(endings)}")
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"`{path}` is not UTF-8 text; save it as UTF-8") from None
    return compile(text, language=language.name, name=str(path))


def compile(text: str, language: str = "rtlola", name: str = "<text>") -> Program:
    """The program of a text. Errors raise `ProgramError`; warnings are in `diagnostics`."""
    known = languages()
    record = known.get(language)
    if record is None:
        names = ", ".join(known)
        raise ValueError(f"`{language}` is not a language that is known here: {names}")
    source = Source(name, text)
    checked, diagnostics = record.check(source)
    if checked is None:
        raise ProgramError(source, diagnostics)
    return Program(record, checked, tuple(diagnostics))
