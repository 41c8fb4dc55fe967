"""Names that are one slip of the pen apart."""

from __future__ import annotations

from collections.abc import Iterable

from horae.source.suggest import closest

_SHORTEST = 4  # letters: shorter names are similar by chance


def probably_meant(name: str, given: Iterable[str]) -> str | None:
    """The given name that differs from this one by a single slip."""
    if len(name) < _SHORTEST:
        return None
    return closest(name, [each for each in given if _one_slip(name.lower(), each.lower())])


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
