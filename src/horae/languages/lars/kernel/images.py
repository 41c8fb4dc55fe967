"""Lookups around the evaluation time with constant windows: all instances at once, as one relation.

The relation has the arguments of the atom, and for `@T` the code of T behind them, with the evaluation
times at which the lookup holds. This is the way of nearly all lookups: intervals are shifted and
merged, and nothing is looked at time point by time point, except where derived atoms are seen
through `[]`.
"""

from __future__ import annotations

from typing import assert_never

import numpy as np

from horae.data.cuts import Cuts, Rows
from horae.languages.lars.check.normal import Modality
from horae.languages.lars.kernel.held import (
    AtomSource,
    EvaluationChunk,
    check_size,
    points_of_spans,
    pointwise,
    spread,
    with_column,
)
from horae.languages.lars.kernel.time_windows import (
    WindowParameters,
    references_of_all,
    references_of_some,
    timeline,
)
from horae.languages.lars.kernel.tuple_windows import Selection
from horae.rules.intervals.relation import Relation, empty, relation, union


def time_image(
    modality: Modality, known: AtomSource, reach: WindowParameters, chunk: EvaluationChunk
) -> Relation:
    """Of given and derived atoms in a time window; background data is left to the caller."""
    match modality:
        case Modality.SOME:
            return _some(known, reach, chunk)
        case Modality.AT:
            return _at(known, reach, chunk)
        case Modality.HERE:
            return _here(known, reach, chunk)
        case Modality.ALWAYS:
            return _always(known, reach, chunk)
        case _:
            assert_never(modality)


def _some(known: AtomSource, reach: WindowParameters, chunk: EvaluationChunk) -> Relation:
    spans, at = known.spans, known.at
    lo, hi = references_of_some(spans.lo, spans.hi - 1, reach)
    given = relation(spans.arguments, lo, hi)
    time = at.arguments[:, -1]
    low, high = references_of_some(time, time, reach)
    derived = relation(at.arguments[:, :-1], np.maximum(at.lo, low), np.minimum(at.hi, high))
    return union(union(given, derived), _now(known, reach, chunk))


def _at(known: AtomSource, reach: WindowParameters, chunk: EvaluationChunk) -> Relation:
    tuples, times = points_of_spans(known.spans)
    rows, moments = spread(known.now.lo, known.now.hi, chunk.times)
    here = _sees_itself(moments, reach)
    given = _referred(with_column(tuples, times), reach, times)
    now = pointwise(with_column(known.now.arguments[rows[here]], moments[here]), moments[here])
    at = known.at
    low, high = references_of_some(at.arguments[:, -1], at.arguments[:, -1], reach)
    derived = relation(at.arguments, np.maximum(at.lo, low), np.minimum(at.hi, high))
    return union(union(given, now), derived)


def _referred(tuples: Rows, reach: WindowParameters, times: Cuts) -> Relation:
    return relation(tuples, *references_of_some(times, times, reach))


def _here(known: AtomSource, reach: WindowParameters, chunk: EvaluationChunk) -> Relation:
    at = known.at
    time = at.arguments[:, -1]
    hit = (at.lo <= time) & (time < at.hi) & _sees_itself(time, reach)
    derived = pointwise(at.arguments[hit][:, :-1], time[hit])
    if reach.sees_itself:
        given = known.spans
    else:
        tuples, times = points_of_spans(known.spans)
        kept = _sees_itself(times, reach)
        given = pointwise(tuples[kept], times[kept])
    return union(union(given, derived), _now(known, reach, chunk))


def _now(known: AtomSource, reach: WindowParameters, chunk: EvaluationChunk) -> Relation:
    """Derived for the evaluation time, where the window contains it."""
    if reach.sees_itself:
        return known.now
    rows, moments = spread(known.now.lo, known.now.hi, chunk.times)
    kept = _sees_itself(moments, reach)
    return pointwise(known.now.arguments[rows[kept]], moments[kept])


def _sees_itself(references: Cuts, reach: WindowParameters) -> np.ndarray:
    _, hi = timeline(references, reach)
    return references < hi


def _always(known: AtomSource, reach: WindowParameters, chunk: EvaluationChunk) -> Relation:
    if len(known.now) == 0 and len(known.at) == 0:
        lo, hi = references_of_all(known.spans.lo, known.spans.hi - 1, reach)
        return relation(known.spans.arguments, lo, hi)
    runs = runs_at_points(known, chunk)
    moments = runs.arguments[:, -1]
    lo, hi = timeline(moments, reach)
    kept = (runs.lo <= lo) & (hi <= runs.hi)
    return pointwise(runs.arguments[kept][:, :-1], moments[kept])


def runs_at_points(known: AtomSource, chunk: EvaluationChunk) -> Relation:
    """Tuples with an evaluation time behind (plain), and the runs of *time points* at which they
    hold then.
    """
    now, at, spans, times = known.now, known.at, known.spans, chunk.times
    now_rows, now_at = spread(now.lo, now.hi, times)
    at_rows, at_at = spread(at.lo, at.hi, times)
    at_time = at.arguments[at_rows, -1]
    check_size(len(spans) * len(times))
    given = np.repeat(np.arange(len(spans)), len(times))
    tuples = np.concatenate(
        [
            with_column(now.arguments[now_rows], now_at),
            with_column(at.arguments[at_rows][:, :-1], at_at),
            with_column(spans.arguments[given], np.tile(times, len(spans))),
        ]
    )
    lo = np.concatenate([now_at, at_time, spans.lo[given]])
    hi = np.concatenate([now_at + 1, at_time + 1, spans.hi[given]])
    return relation(tuples, lo, hi)


# --- tuple windows


def tuple_image(
    modality: Modality, predicate: str, width: int, selection: Selection, chunk: EvaluationChunk
) -> Relation:
    """The image of given atoms in a tuple or partition window."""
    rows = selection.rows(predicate, width)
    time = rows.arguments[:, -1]
    match modality:
        case Modality.SOME:
            return relation(rows.arguments[:, :-1], rows.lo, rows.hi)
        case Modality.AT:
            return rows
        case Modality.HERE:
            hit = (rows.lo <= time) & (time < rows.hi)
            return pointwise(rows.arguments[hit][:, :-1], time[hit])
        case Modality.ALWAYS:
            return _always_selected(rows, selection, chunk)
        case _:
            assert_never(modality)


def _always_selected(rows: Relation, selection: Selection, chunk: EvaluationChunk) -> Relation:
    if len(rows) == 0:
        return empty(rows.width - 1)
    numbers, moments = spread(rows.lo, rows.hi, chunk.times)
    time = rows.arguments[numbers, -1]
    runs = relation(with_column(rows.arguments[numbers][:, :-1], moments), time, time + 1)
    at = runs.arguments[:, -1]
    lo, hi = selection.timeline(at)
    kept = (runs.lo <= lo) & (hi <= runs.hi)
    return pointwise(runs.arguments[kept][:, :-1], at[kept])
