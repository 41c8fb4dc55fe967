"""Answers of a stream as columns, the same as those of a batch on Spark."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from horae.data.constants import json_value, sort_key
from horae.data.cuts import Cuts, Rows
from horae.data.symbols import Symbols
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.rules.intervals.relation import Relation

_TEXT: pa.DataType = pa.string()
_CUT: pa.DataType = pa.int64()
INTERVALS = pa.schema(
    {"predicate": _TEXT, "args": _TEXT, "interval": _TEXT, "lo": _CUT, "hi": _CUT}
)
POINTS = pa.schema({"time": _TEXT, "predicate": _TEXT, "args": _TEXT, "ticks": _CUT})


def interval_table(found: Mapping[str, Relation], symbols: Symbols, timeline: Timeline) -> pa.Table:
    """A row per interval."""
    written = _Written(symbols)
    parts = []
    for name, rows in found.items():
        ends = zip(rows.lo.tolist(), rows.hi.tolist(), strict=True)
        columns = [
            [name] * len(rows),
            written.arguments(rows.arguments),
            [str(timeline.interval(lo, hi)) for lo, hi in ends],
            rows.lo,
            rows.hi,
        ]
        parts.append(_table(columns, INTERVALS))
    return pa.concat_tables([INTERVALS.empty_table(), *parts])


def point_table(
    found: Mapping[str, tuple[Rows, Cuts]], symbols: Symbols, timeline: Timeline
) -> pa.Table:
    """A row per tuple and point."""
    written = _Written(symbols)
    parts = []
    for name, (arguments, ticks) in found.items():
        columns = [
            [str(timeline.time(tick)) for tick in ticks.tolist()],
            [name] * len(ticks),
            written.arguments(arguments),
            ticks,
        ]
        parts.append(_table(columns, POINTS))
    return pa.concat_tables([POINTS.empty_table(), *parts])


def _table(columns: Sequence[Any], schema: pa.Schema) -> pa.Table:
    arrays = [pa.array(c, field.type) for c, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


class _Written:
    """Constants as JSON, each written once."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._texts: dict[int, str] = {}

    def arguments(self, rows: Rows) -> list[str]:
        return [f"[{', '.join(map(self._text, codes))}]" for codes in rows.tolist()]

    def _text(self, code: int) -> str:
        if code not in self._texts:
            value = json_value(self._symbols.values[code])
            self._texts[code] = json.dumps(value, ensure_ascii=False)
        return self._texts[code]


# --- dicts


def answer_dicts(answers: pa.Table) -> list[dict[str, Any]]:
    """Sorted by time, predicate and arguments; rationals among arguments by their text."""
    begin, end = ("ticks", "ticks") if "ticks" in answers.column_names else ("lo", "hi")
    keyed = []
    for row in answers.to_pylist():
        args = json.loads(row["args"])
        when = "time" if "time" in row else "interval"
        fields = ("time", "predicate", "args") if when == "time" else ("predicate", "args", when)
        answer = {field: {**row, "args": args}[field] for field in fields}
        key = (row[begin], row["predicate"], [sort_key(value) for value in args], row[end])
        keyed.append((key, answer))
    return [answer for _, answer in sorted(keyed, key=lambda pair: pair[0])]
