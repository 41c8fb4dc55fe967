"""Names that are one slip of the pen apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from horae.rules.terms import Atom
from horae.source.suggest import closest

_SHORTEST = 4  # letters: shorter names are similar by chance
_SHORTEST_INPUT = 5  # of two inputs, neither of which the program explains

ReadAtom = tuple[Atom, frozenset[str]]
"""An atom that a rule reads, and the predicates that the rule derives."""


def find_misspelt(
    reads: Sequence[ReadAtom], given: Iterable[Atom], uses: Counter[str]
) -> Iterator[tuple[Atom, str]]:
    """Atoms whose predicate nothing gives and that occur once, with the name that was probably meant.

    That is one that a rule or fact gives, or another input that occurs before, or more often.
    """
    known = {(atom.predicate, len(atom.arguments)) for atom in given}
    defined = {name for name, _ in known}
    inputs = {(a.predicate, len(a.arguments)) for a, _ in reads if a.predicate not in defined}
    before: set[str] = set()
    for atom, own in reads:
        name, width = atom.predicate, len(atom.arguments)
        if name not in defined and uses[name] == 1:
            others = {n for n, arity in known if arity == width} - own
            alike = {n for n, arity in inputs if arity == width and (uses[n] > 1 or n in before)}
            meant = probably_meant(name, others) or _other_input(name, alike - {name})
            if meant is not None:
                yield atom, meant
        before.add(name)


def probably_meant(name: str, given: Iterable[str]) -> str | None:
    """The given name that differs from this one by a single slip."""
    if len(name) < _SHORTEST:
        return None
    return closest(name, [each for each in given if _one_slip(name.lower(), each.lower())])


def _other_input(name: str, inputs: Iterable[str]) -> str | None:
    """Inputs often differ on purpose in their last letter: `door_a`, `door_b`."""
    if len(name) < _SHORTEST_INPUT:
        return None
    return probably_meant(name, [each for each in inputs if each[:-1] != name[:-1]])


def _one_slip(a: str, b: str) -> bool:
    """Equal up to one letter changed, added or left out, or two swapped; digits tell names apart."""
    if abs(len(a) - len(b)) > 1:
        return False
    start = next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
    rest_a, rest_b = a[start:], b[start:]
    if any(c.isdigit() for c in rest_a[:2] + rest_b[:2]):
        return False
    swapped = rest_a[:2] == rest_b[:2][::-1] and rest_a[2:] == rest_b[2:]
    return swapped or rest_b in (rest_a[1:], rest_b[:1] + rest_a[1:], rest_b[:1] + rest_a)
