"""Facts as Arrow columns into what a kernel of LARS takes. Column by column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.cuts import Cuts, Rows
from horae.data.fact_columns import (
    ARGS,
    ORDER,
    background_rows,
    by_predicate,
    timed_rows,
    to_facts,
    width_of,
)
from horae.data.fact_values import read_constant
from horae.data.natural_times import LAST
from horae.languages.lars.kernel.codes import NOTHING, Codes
from horae.languages.lars.kernel.facts import LONGEST, Encoded, always, time_points
from horae.languages.lars.kernel.tuple_windows import Log

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Spans:
    """Facts of one predicate, from their first to their last time point; `order` as in a log."""

    arguments: Rows
    order: Rows
    first: Cuts
    last: Cuts


def encode_rows(rows: pa.Table, codes: Codes) -> Encoded:
    encoded = Encoded()
    for name, own in by_predicate(rows):
        static, timed = background_rows(own), timed_rows(own)
        width = width_of(name, own)
        if len(static):
            encoded.static[name] = always(_arguments(static, width, codes))
        if len(timed):
            encoded.logs[name] = _log(_spans(timed, width, codes))
    return encoded


def encode_spans(rows: pa.Table, codes: Codes) -> dict[str, Spans]:
    """Facts with times, per predicate, as the intervals that they are."""
    parts = by_predicate(rows)
    return {name: _spans(own, width_of(name, own), codes) for name, own in parts}


def _arguments(rows: pa.Table, width: int, codes: Codes) -> Rows:
    lists: Any = rows.column(ARGS).combine_chunks()
    return _codes(lists.flatten(), codes).reshape(len(rows), width)


def _codes(constants: Any, codes: Codes) -> Rows:
    """Each constant is read once; `NOTHING` where there is none."""
    found = constants.dictionary_encode()
    known = codes.encode([read_constant(text) for text in found.dictionary.to_pylist()])
    places: Rows = pc.fill_null(found.indices, len(known)).to_numpy(zero_copy_only=False)
    return np.append(known, NOTHING)[places]


def _spans(rows: pa.Table, width: int, codes: Codes) -> Spans:
    first, last = time_spans(rows)
    order = _codes(rows.column(ORDER).combine_chunks(), codes)
    return Spans(_arguments(rows, width, codes), order, first, last)


def _log(spans: Spans) -> Log:
    """A fact at an interval is an atom at each of its time points."""
    each, times = each_point(spans.first, spans.last)
    return Log(spans.arguments[each], times, spans.order[each])


# --- time points


def moments(rows: pa.Table) -> Cuts:
    """The time points of facts, each once."""
    _, times = each_point(*time_spans(rows))
    return np.unique(times)


def each_point(first: Cuts, last: Cuts) -> tuple[Rows, Cuts]:
    """Every row at every time point: the number of the row, and the time point."""
    count = np.maximum(last - first + 1, 0)
    each = np.repeat(np.arange(len(first)), count)
    offsets = np.arange(len(each)) - np.repeat(np.cumsum(count) - count, count)
    return each, first[each] + offsets


def time_spans(rows: pa.Table) -> tuple[Cuts, Cuts]:
    """The first and the last time point of each fact; an error if they are no natural numbers."""
    low, unit, opened, no_low = _end(rows, "low")
    high, other_unit, closed, no_high = _end(rows, "high")
    first = np.where(opened, low // unit + 1, -(-low // unit))
    last = np.where(closed, -(-high // other_unit) - 1, high // other_unit)
    punctual = (low == high) & (unit == other_unit)
    wrong = no_low | no_high | (punctual & (unit != 1)) | (low < 0)
    wrong |= (last > LAST) | (last - first >= LONGEST)
    if wrong.any():
        _refuse(rows, int(np.argmax(wrong)))
    return first, last


def _end(rows: pa.Table, name: str) -> tuple[Cuts, Cuts, Mask, Mask]:
    """Numerator, denominator, whether it is open, and whether there is none."""
    numbers: Any = rows.column(name)
    units: Any = rows.column(f"{name}_unit")
    return (
        pc.fill_null(numbers, 0).to_numpy(),
        pc.fill_null(units, 1).to_numpy(),
        rows.column(f"{name}_open").to_numpy(),
        pc.is_null(numbers).to_numpy(),
    )


def _refuse(rows: pa.Table, row: int) -> None:
    """The error is that of facts in process."""
    (batch,) = rows.slice(row, 1).combine_chunks().to_batches()
    (fact,) = to_facts(batch)
    time_points(fact)
    raise AssertionError("a fact that is not at time points is refused")
