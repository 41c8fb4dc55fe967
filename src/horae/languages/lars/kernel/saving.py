"""The stream of a kernel as chunks of bytes, and again. Background data is given anew instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import quote, unquote

import numpy as np

from horae.data.cuts import Rows
from horae.engine.chunks import part
from horae.engine.row_chunks import load_rows, save_rows
from horae.languages.lars.kernel.stream import HeldStream
from horae.languages.lars.kernel.tuple_windows import AtomLog
from horae.rules.intervals.relation import Relation, relation

_SPANS = "spans/"
_LOGS = "logs/"


def save_stream(stream: HeldStream) -> Iterator[tuple[str, bytes]]:
    spans = {name: _span_rows(found) for name, found in stream.spans.items()}
    logs = {name: _log_rows(log) for name, log in stream.logs.items()}
    yield from save_tables(_SPANS, spans)
    yield from save_tables(_LOGS, logs)


def load_stream(chunks: Mapping[str, bytes], static: dict[str, Relation]) -> HeldStream:
    spans, logs = load_tables(_SPANS, chunks), load_tables(_LOGS, chunks)
    return HeldStream(
        static,
        {name: relation(rows[:, 2:], rows[:, 1], rows[:, 0]) for name, rows in spans.items()},
        {name: AtomLog(rows[:, 2:], rows[:, 0], rows[:, 1]) for name, rows in logs.items()},
    )


def _span_rows(spans: Relation) -> Rows:
    """The rows with their ends first: what is over is forgotten first."""
    return np.column_stack([spans.hi, spans.lo, spans.arguments])


def _log_rows(log: AtomLog) -> Rows:
    return np.column_stack([log.times, log.order, log.arguments])


# --- tables by predicate


def save_tables(prefix: str, tables: Mapping[str, Rows]) -> Iterator[tuple[str, bytes]]:
    for name, rows in tables.items():
        yield from save_rows(prefix + quote(name, safe=""), rows)


def load_tables(prefix: str, chunks: Mapping[str, bytes]) -> dict[str, Rows]:
    """The saved rows by predicate; one without rows has left nothing."""
    return {unquote(name): rows for name, rows in load_rows(part(prefix, chunks)).items()}
