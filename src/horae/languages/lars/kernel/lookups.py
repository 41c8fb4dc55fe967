"""One lookup of a rule: joins the instances so far with the atoms that it finds.

Around the evaluation time with constant windows, the atoms are found by `images.py` before the
join. Around another time point (`@T win[…]`), or with parameters that are variables, the window
depends on the instance: the atoms are joined first, and the window decides afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from horae.data.cuts import Cuts, Rows
from horae.data.natural_times import LAST
from horae.languages.lars import catalogue
from horae.languages.lars.analysis.reads import CountingWindow
from horae.languages.lars.check.normal import Inside, Lookup, Modality, StreamPart
from horae.languages.lars.kernel.arithmetic import compute
from horae.languages.lars.kernel.bindings import Bindings, agreeing_rows, join
from horae.languages.lars.kernel.codes import Codes
from horae.languages.lars.kernel.held import (
    AtomSource,
    EvaluationChunk,
    check_size,
    points_of_spans,
    spread,
    with_column,
)
from horae.languages.lars.kernel.images import runs_at_points, time_image, tuple_image
from horae.languages.lars.kernel.time_columns import are_time_points_until, length_of, lengths
from horae.languages.lars.kernel.time_windows import (
    EVERYTHING,
    FUTURE,
    WindowParameters,
    references_of_all,
    references_of_some,
    timeline,
)
from horae.languages.lars.kernel.tuple_windows import Selection
from horae.languages.lars.syntax.tree import (
    Extent,
    Infinite,
    PartitionWindow,
    TimeWindow,
    TupleWindow,
)
from horae.rules.arithmetic import variables_of
from horae.rules.intervals.relation import Relation, clip, relation, union
from horae.rules.terms import Variable

_MOST_TIMES = 10**6


@dataclass
class View:
    """What the rules of a chunk are evaluated with."""

    chunk: EvaluationChunk
    codes: Codes
    select: Callable[[CountingWindow], Selection]
    horizon: int | None = None  # variables behind `@` are time points up to it
    images: dict[int, tuple[AtomSource, Relation]] = field(default_factory=dict)


def variables_needed(place: StreamPart) -> frozenset[str]:
    """Variables that must be bound before the window is known: the reference, and parameters."""
    needed = {place.reference.name} if isinstance(place.reference, Variable) else set()
    window = place.window
    if isinstance(window, TimeWindow):
        for extent in (window.past, window.future, window.step):
            if not isinstance(extent, Infinite):
                needed |= {variable.name for variable in variables_of(extent)}
    return frozenset(needed)


def is_early(place: StreamPart) -> bool:
    """The window does not depend on the instance."""
    return place.reference is None and not variables_needed(place)


def find(instances: Bindings, lookup: Lookup, known: AtomSource, view: View) -> Bindings:
    """The instances for which the lookup, without its negation, holds; with its variables bound."""
    if is_early(lookup.place):
        return _early(instances, lookup, known, view)
    return _late(instances, lookup, known, view)


def missing(instances: Bindings, lookup: Lookup, known: AtomSource, view: View) -> Bindings:
    """The instances for which the lookup, without its negation, does not hold.

    Those whose window has no lengths as parameters are no instances, so they are not among them.
    """
    if not is_early(lookup.place):
        instances = _around(instances, lookup.place, view).instances
    return instances.without(find(instances.numbered(), lookup, known, view))


# --- windows that are known before


def _early(instances: Bindings, lookup: Lookup, known: AtomSource, view: View) -> Bindings:
    when = () if lookup.when is None else (lookup.when,)
    terms = (*lookup.atom.arguments, *when)
    image = agreeing_rows(terms, _image(lookup, known, view), view.codes)
    found, _ = join(instances, terms, image, view.codes)
    if lookup.modality is Modality.AT and len(known.static):
        return concatenated_bindings(found, _static_at(instances, lookup, known, view))
    return found


def _image(lookup: Lookup, known: AtomSource, view: View) -> Relation:
    """Remembered as long as the lookup is asked about the same atoms."""
    remembered = view.images.get(id(lookup))
    if remembered is None or remembered[0] is not known:
        image = clip(_make_image(lookup, known, view), view.chunk.lo, view.chunk.hi)
        remembered = view.images[id(lookup)] = (known, image)
    return remembered[1]


def _make_image(lookup: Lookup, known: AtomSource, view: View) -> Relation:
    window, modality, chunk = lookup.place.window, lookup.modality, view.chunk
    if isinstance(window, TupleWindow | PartitionWindow):
        name, width = lookup.atom.predicate, known.width
        image = tuple_image(modality, name, width, view.select(window), chunk)
    else:
        image = time_image(modality, known, _constant_reach(lookup.place), chunk)
    return image if modality is Modality.AT else union(image, known.static)


def _constant_reach(place: StreamPart) -> WindowParameters:
    window = place.window
    if window is None:
        return EVERYTHING
    assert isinstance(window, TimeWindow), "other windows have images of their own"
    return WindowParameters(_number(window.past), _number(window.future), _number(window.step))


def _number(extent: Extent) -> int:
    if isinstance(extent, Infinite):
        return FUTURE
    nothing: dict[str, Rows] = {}
    codes = Codes()
    value = codes.value(int(compute(extent, nothing, 1, codes).codes[0]))
    length = length_of(value)
    assert length is not None, "the checker has seen to it"
    return length


# --- windows that depend on the instance


@dataclass(frozen=True, slots=True)
class Around:
    """Instances with a window each: around a time point, or (`references` None) the evaluation time."""

    instances: Bindings
    references: Cuts | None
    reach: WindowParameters


def _around(instances: Bindings, place: StreamPart, view: View) -> Around:
    """Instances whose reference is no time point, or whose parameters are no lengths, are none."""
    columns, size = instances.columns(), len(instances)
    window = place.window
    exists = np.ones(size, bool)
    numbers: list[Cuts] = []
    extents: tuple[Extent, ...] = ()
    if isinstance(window, TimeWindow):
        extents = (window.past, window.future, window.step)
    for extent in extents:
        if isinstance(extent, Infinite):
            numbers.append(np.full(size, FUTURE))
            continue
        computed = compute(extent, columns, size, view.codes)
        found, are_lengths = lengths(computed.codes, view.codes)
        exists &= computed.exists & are_lengths
        numbers.append(found)
    if numbers:
        exists &= numbers[2] >= 1
    references = None
    if place.reference is not None:
        computed = compute(place.reference, columns, size, view.codes)
        exists &= are_time_points_until(computed.codes, view.codes, view.horizon)
        references = computed.codes[exists]
    reach = WindowParameters(*(n[exists] for n in numbers)) if numbers else EVERYTHING
    return Around(instances.take(exists), references, reach)


def _late(instances: Bindings, lookup: Lookup, known: AtomSource, view: View) -> Bindings:
    parts = [*_late_given(instances, lookup, known, view)]
    if len(known.static):
        if lookup.modality is Modality.AT:
            parts.append(_static_at(instances, lookup, known, view))
        else:
            found, _ = join(instances, lookup.atom.arguments, known.static, view.codes)
            parts.append(_around(found, lookup.place, view).instances)
    return parts[0] if len(parts) == 1 else concatenated_bindings(*parts)


def _late_given(
    instances: Bindings, lookup: Lookup, known: AtomSource, view: View
) -> Iterator[Bindings]:
    """Atoms joined first, with their time points behind; then those outside of the window go."""
    always = lookup.modality is Modality.ALWAYS
    rows = _runs(known, view.chunk) if always else _moments(known, view.chunk)
    joined, times = join(instances, lookup.atom.arguments, rows, view.codes)
    tagged = joined.bind("#first", times[:, 0]).bind("#last", times[:, -1])
    around = _around(tagged, lookup.place, view)
    found = _inside(around, lookup.modality)
    if lookup.modality is Modality.AT:
        assert lookup.when is not None, "`@` has a time"
        found = found.bind_term(lookup.when, found.column("#first"), view.codes)
    yield _untagged(found)


def _inside(around: Around, modality: Modality) -> Bindings:
    instances, references, reach = around.instances, around.references, around.reach
    first, last = instances.column("#first"), instances.column("#last")
    if references is None:
        if modality is Modality.ALWAYS:
            return instances.within(*references_of_all(first, last, reach))
        inside = instances.within(*references_of_some(first, last, reach))
        if modality is Modality.HERE:
            moments = inside.column("#first")
            return inside.within(moments, moments + 1)
        return inside
    lo, hi = timeline(references, reach)
    if modality is Modality.ALWAYS:
        return instances.take((first <= lo) & (hi <= last + 1))
    kept = (lo <= first) & (first < hi)
    return instances.take(kept & (first == references) if modality is Modality.HERE else kept)


def _untagged(instances: Bindings) -> Bindings:
    places = [i for i, name in enumerate(instances.names) if name not in ("#first", "#last")]
    rows = instances.rows
    names = tuple(instances.names[i] for i in places)
    return Bindings(names, Relation(rows.arguments[:, places], rows.lo, rows.hi))


def _moments(known: AtomSource, chunk: EvaluationChunk) -> Relation:
    """Every atom at every time point, the plain time point behind its arguments."""
    tuples, times = points_of_spans(known.spans)
    rows, moments = spread(known.now.lo, known.now.hi, chunk.times)
    at = known.at
    arguments = np.concatenate(
        [
            with_column(tuples, times),
            with_column(known.now.arguments[rows], moments),
            with_column(at.arguments[:, :-1], at.arguments[:, -1]),
        ]
    )
    lo = np.concatenate([np.full(len(times), chunk.lo), moments, at.lo])
    hi = np.concatenate([np.full(len(times), chunk.hi), moments + 1, at.hi])
    return relation(arguments, lo, hi)


def _runs(known: AtomSource, chunk: EvaluationChunk) -> Relation:
    """Every run of an atom, its first and last time point behind its arguments."""
    if len(known.now) == 0 and len(known.at) == 0:
        spans = known.spans
        lo, hi = np.full(len(spans), chunk.lo), np.full(len(spans), chunk.hi)
        arguments = with_column(with_column(spans.arguments, spans.lo), spans.hi - 1)
        return relation(arguments, lo, hi)
    runs = runs_at_points(known, chunk)
    moments = runs.arguments[:, -1]
    arguments = with_column(with_column(runs.arguments[:, :-1], runs.lo), runs.hi - 1)
    return relation(arguments, moments, moments + 1)


# --- background data at a time point


def _static_at(instances: Bindings, lookup: Lookup, known: AtomSource, view: View) -> Bindings:
    """`win[…] @T a` with a true at all times: T is any time point of the window."""
    assert lookup.when is not None, "`@` has a time"
    found, _ = join(instances, lookup.atom.arguments, known.static, view.codes)
    if isinstance(lookup.when, Variable) and lookup.when.name not in found.names:
        found = _each_time(found, lookup, view)
    return inside(found, Inside(lookup.place, lookup.when, span=lookup.span), view)


def _each_time(instances: Bindings, lookup: Lookup, view: View) -> Bindings:
    """A row per time point that can be in a window of the chunk."""
    assert isinstance(lookup.when, Variable), "a constant needs no values"
    around = _around(instances, lookup.place, view)
    lo, hi = _extent(around, lookup.place, view)
    if hi - lo > _MOST_TIMES or hi > LAST + 1:
        raise catalogue.ANY_TIME_POINT(variable=lookup.when.name, predicate=lookup.atom.predicate)
    count, rows = hi - lo, around.instances.rows
    check_size(count * len(rows))
    each = np.repeat(np.arange(len(rows)), count)
    times = np.tile(np.arange(lo, hi), len(rows))
    taken = Bindings(around.instances.names, rows.take(each))
    return taken.bind(lookup.when.name, times)


def _extent(around: Around, place: StreamPart, view: View) -> tuple[int, int]:
    """The first time point of any window of the chunk, and that behind the last."""
    if len(around.instances) == 0:
        return 0, 0
    window = place.window
    if isinstance(window, TupleWindow | PartitionWindow):
        lo, hi = view.select(window).timeline(view.chunk.times)
    elif around.references is None:
        ends = np.array([view.chunk.lo, view.chunk.hi - 1])
        bounds = [timeline(np.full(len(around.instances), end), around.reach) for end in ends]
        lo, hi = np.minimum(*(b[0] for b in bounds)), np.maximum(*(b[1] for b in bounds))
    else:
        lo, hi = timeline(around.references, around.reach)
    return int(np.min(lo)), int(np.max(hi))


def inside(instances: Bindings, literal: Inside, view: View) -> Bindings:
    """The instances whose `when` is a time point of their window."""
    window = literal.place.window
    if isinstance(window, TupleWindow | PartitionWindow):
        at_points, moments = instances.at_points(view.chunk)
        lo, hi = view.select(window).timeline(moments)
        when, natural = _when(at_points, literal, view)
        return at_points.take(natural & (lo <= when) & (when < hi))
    around = _around(instances, literal.place, view)
    when, natural = _when(around.instances, literal, view)
    if around.references is None:
        lo, hi = references_of_some(when, when, around.reach)
        return around.instances.within(lo, np.where(natural, hi, lo))
    lo, hi = timeline(around.references, around.reach)
    return around.instances.take(natural & (lo <= when) & (when < hi))


def _when(instances: Bindings, literal: Inside, view: View) -> tuple[Cuts, np.ndarray]:
    """The time points, and where they are some."""
    column = compute(literal.when, instances.columns(), len(instances), view.codes).codes
    are_points = are_time_points_until(column, view.codes, view.horizon)
    return np.where(are_points, column, 0), are_points


def concatenated_bindings(first: Bindings, *others: Bindings) -> Bindings:
    """The rows of all, in the columns of the first."""
    parts = [first.rows]
    for other in others:
        places = [other.names.index(name) for name in first.names]
        parts.append(Relation(other.rows.arguments[:, places], other.rows.lo, other.rows.hi))
    return Bindings(
        first.names,
        Relation(
            np.concatenate([p.arguments for p in parts]),
            np.concatenate([p.lo for p in parts]),
            np.concatenate([p.hi for p in parts]),
        ),
    )
