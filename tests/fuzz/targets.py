"""What is fuzzed: a parser per language, a reader per kind of file, and runs of what compiles.

A target takes any text. It may return or raise an error of Horae's own; all else is a mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet
from tests.fuzz.mutate import mutated, tokens_of
from tests.fuzz.runs import run_targets
from tests.fuzz.target import Target

import horae
from horae.languages import by_ending
from horae.source.render import render
from horae.source.text import Source

_ROOT = Path(__file__).parent.parent.parent
_LONGEST_SEED = 400

EVENTS = """input int a
input double b
input string s
input bool t
output double o := double(a) + b
trigger t and s = "x"
"""
RULES = "q(X) :- p(X), e(X, Y)."
QUERIES = """REGISTER STREAM p(x string, n int, d double, b bool);
REGISTER RELATION e(x string);
q: SELECT p.x, n FROM p [RANGE 5], e WHERE p.x = e.x;
"""
_CSV = """time,a,b,s,t
0,1,1.5,x,true
1.5,-2,,"a ""b"", c",false
2026-11-16T09:53:30Z,3,1e3,,true
"""
_LINES = r"""{"time": 0, "a": 1, "b": 1.5, "s": "x", "t": true}
{"time": 1.5, "a": null, "b": 2, "s": "\u00e4 \"q\"", "t": false}
{"time": "2026-11-16T09:53:30Z", "a": 3, "s": ""}
"""
_FACTS = """p(a)@3
p(b)@[1,5/2)  % a comment
e(a,"x y"). // static
e(b,7/2)@(0,inf)
p(ab)@0.5. e(c,-1)@7
p(Anna)@2026-11-16T09:53:30.5+01:00
p(a)@[2026-11-16,2026-11-17 08:00)
"""
_FACT_TABLE = "x,time,order\na,1,1\nb,2.5,2\nc,3,\n"
_FACT_INTERVALS = "x,from,to,from_open,to_open\na,1,2,true,false\nb,5/2,,false,false\nc,,7,,\n"
_ROWS = 'time,x,n,d,b\n1,a,1,1.5,true\n2,"b c",2,,false\n3,,-3,1e3,\n'
_ROW_LINES = '{"time": 1, "x": "a", "n": 1, "d": 1.5, "b": true}\n{"time": 2, "x": "b"}\n'
_ROW_FACTS = 'p(a,1,1.5,true)@1\ne(a)\np(b,2,3,false)@2. e("x y").\n'


def targets() -> dict[str, Target]:
    found = [*(_parser(ending) for ending in by_ending()), *_readers(), *run_targets()]
    return {target.name: target for target in found}


def _parser(ending: str) -> Target:
    language = by_ending()[ending]
    paths = sorted((_ROOT / "tests" / "cases").rglob(f"*{ending}"))
    seeds = [path.read_text(encoding="utf-8") for path in paths]
    make = _text_of([text for text in seeds if len(text) <= _LONGEST_SEED])
    return Target(f"{language.name} programs", make, lambda text: check_program(text, ending))


def check_program(text: str, ending: str) -> None:
    """All that `horae check`, `fmt` and `analyze` do, up to the text that a user sees."""
    language = by_ending()[ending]
    source = Source(f"spec{ending}", text)
    diagnostics = language.check(source)[1]
    for diagnostic in diagnostics:
        render(diagnostic, source).encode()
    if any(diagnostic.is_error for diagnostic in diagnostics):
        return
    formatted = language.format(source)
    again = language.format(Source(source.name, formatted))
    assert again == formatted, "the formatter changes what it wrote"
    str(horae.compile(text, language.name).report)


def _readers() -> Iterable[Target]:
    yield _reader("events in CSV", EVENTS, "rtlola", "{}", ".csv", [_CSV])
    yield _reader("events in JSON Lines", EVENTS, "rtlola", "{}", ".jsonl", [_LINES])
    yield Target("events in Parquet", _table, lambda table: _read_table(table, EVENTS))
    yield _reader("facts", RULES, "datalogmtl", "{}", ".facts", [_FACTS])
    tables = [_FACT_TABLE, _FACT_INTERVALS]
    yield _reader("tables of facts", RULES, "datalogmtl", "p={}", ".csv", tables)
    yield _reader("facts at time points", RULES, "lars", "{}", ".facts", [_FACTS], at="1,3")
    yield _reader("rows in CSV", QUERIES, "cql", "p={}", ".csv", [_ROWS])
    yield _reader("rows in JSON Lines", QUERIES, "cql", "p={}", ".jsonl", [_ROW_LINES])
    yield _reader("rows as facts", QUERIES, "cql", "{}", ".facts", [_ROW_FACTS])


def _reader(
    name: str,
    program: str,
    language: str,
    argument: str,
    ending: str,
    seeds: list[str],
    **options: str,
) -> Target:
    def read(text: str) -> None:
        path = _scratch(ending)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        _evaluate(program, language, argument.format(path), options)

    return Target(name, _text_of(seeds), read)


def _evaluate(program: str, language: str, argument: str, options: dict[str, str]) -> None:
    for _ in _compiled(program, language).run_files([argument], engine="local", **options):
        pass


@cache
def _compiled(program: str, language: str) -> Any:
    return horae.compile(program, language)


@cache
def _scratch(ending: str) -> Path:
    """A file of this process alone."""
    from tempfile import mkdtemp

    return Path(mkdtemp(prefix="horae-fuzz-")) / f"input{ending}"


def _text_of(seeds: list[str]) -> Callable[[Random], str]:
    words = sorted({token for seed in seeds for token in tokens_of(seed)})
    return lambda random: mutated(random, seeds, words)


_TYPES = (
    *(pa.int8(), pa.int64(), pa.uint64(), pa.float32(), pa.float64(), pa.bool_(), pa.string()),
    *(pa.timestamp("ns"), pa.timestamp("ms", "UTC"), pa.date32(), pa.time64("us"), pa.binary()),
    *(pa.decimal128(38, 10), pa.duration("s"), pa.list_(pa.int64()), pa.null()),
    *(pa.dictionary(pa.int32(), pa.string()), pa.struct([("x", pa.int64())])),
)
_VALUES = (None, 0, 1, -1, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 0.5, 1e300, float("nan"))
_NAMES = ("time", "a", "b", "s", "t", "x", "time ", "", "a")


def _table(random: Random) -> pa.Table:
    """A table whose columns have the right names more often than the right types."""
    rows = random.choice((0, 1, 3))
    names = [random.choice(_NAMES) if random.random() < 0.2 else name for name in _NAMES[:5]]
    return pa.Table.from_arrays([_column(random, rows) for _ in names], names=names)


def _column(random: Random, rows: int) -> pa.Array[Any]:
    """Values that Arrow can take as the type; null for the others."""
    type = random.choice(_TYPES)
    return pa.array([_fitting(random.choice(_VALUES), type) for _ in range(rows)], type)


def _fitting(value: object, type: pa.DataType) -> object:
    for candidate in (value, str(value), [value], {"x": value}):
        try:
            pa.array([candidate], type)
        except (pa.ArrowException, TypeError, OverflowError, ValueError):
            continue
        return candidate
    return None


def _read_table(table: pa.Table, program: str) -> None:
    path = _scratch(".parquet")
    pa.parquet.write_table(table, path)
    _evaluate(program, "rtlola", str(path), {})
