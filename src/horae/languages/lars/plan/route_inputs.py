"""How input predicates are spread: by an argument that is the key in all their uses, else everywhere.

A rule with the key K reads in its shard all that it needs of an input predicate that is spread by
place i if

- every atom of the predicate in the rule has K at i, also a negated one: then the atoms that can match
  are those of K's shard;
- every partition window over the predicate has at i one of its `by` variables, or a constant: then each
  substream is in one shard as a whole;
- nothing asks for the timeline of such a window, since that is the hull of the timelines of all
  substreams, those of other shards too. `[] a` and `@T not a` ask for it; `@T a` only if a is
  background data, else the time points come from the atoms that are selected.

Time windows depend on nothing but time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from horae.languages.lars.check.normal import FastRule, Inside, Lookup, Modality
from horae.languages.lars.plan.routes import Route
from horae.languages.lars.syntax.tree import PartitionWindow
from horae.rules.pivots import Pivots, key_of, places_of
from horae.rules.terms import Constant

Counting = tuple[PartitionWindow, Lookup | Inside]
"""A partition window, and the literal that looks into it."""


def route_inputs(
    rules: Sequence[FastRule],
    pivots: Pivots,
    arities: Mapping[str, int],
    background: frozenset[str],
) -> Iterator[Route]:
    """A route per input predicate that rules read; `background` is what has background data for sure."""
    for name in sorted(_read(rules) - pivots.places.keys()):
        windows = [c for c in _counting(rules) if c[0].pattern.predicate == name]
        allowed = [*_by_atoms(rules, name, pivots), *map(_by_window, windows)]
        places = frozenset(range(arities[name])).intersection(*allowed)
        unless = frozenset(_times_of_background(windows))
        if places and not unless & background:
            yield Route(name, min(places), unless)
        else:
            yield Route(name, None)


def _read(rules: Iterable[FastRule]) -> set[str]:
    """Also what only windows count: their timelines depend on it."""
    atoms = {lookup.atom.predicate for rule in rules for lookup in rule.lookups}
    return atoms | {window.pattern.predicate for window, _ in _counting(rules)}


def _counting(rules: Iterable[FastRule]) -> Iterator[Counting]:
    for rule in rules:
        for literal in rule.body:
            if isinstance(literal, Lookup | Inside):
                window = literal.place.window
                if isinstance(window, PartitionWindow):
                    yield window, literal


def _by_atoms(rules: Iterable[FastRule], name: str, pivots: Pivots) -> Iterator[frozenset[int]]:
    """Per atom of the predicate, the places where the key of its rule stands."""
    for rule in rules:
        for lookup in rule.lookups:
            if lookup.atom.predicate == name:
                yield places_of(lookup.atom, [key_of(rule.head, pivots)])


def _by_window(counting: Counting) -> frozenset[int]:
    """The places that keep substreams whole."""
    window, literal = counting
    if isinstance(literal, Inside) or literal.modality is Modality.ALWAYS:
        return frozenset()
    by = {variable.name for variable in window.by}
    terms = enumerate(window.pattern.arguments)
    return frozenset(i for i, t in terms if isinstance(t, Constant) or t.name in by)


def _times_of_background(windows: Iterable[Counting]) -> Iterator[str]:
    """Predicates whose background data would be looked for at all time points of a window."""
    for _, literal in windows:
        if isinstance(literal, Lookup) and literal.modality is Modality.AT:
            yield literal.atom.predicate
