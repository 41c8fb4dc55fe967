"""Did you mean: the known name that a misspelt one was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

_SIMILAR_ENOUGH = 0.6


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate most similar to `name`, or None if none is similar.

    Case is ignored, so that `Int` finds `int`. Equally similar candidates are decided by the
    alphabet, so that a message never depends on the order of a set.
    """
    scored = [(_similarity(name, candidate), candidate) for candidate in sorted(set(candidates))]
    best = max(scored, key=lambda pair: pair[0], default=(0.0, ""))
    return best[1] if best[0] >= _SIMILAR_ENOUGH else None


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """The help text for a misspelt name; empty if nothing similar is known."""
    found = closest(name, candidates)
    return f"did you mean `{found}`?" if found is not None else ""


def _similarity(name: str, candidate: str) -> float:
    if name == candidate:
        return 0.0  # the very name was refused, so proposing it again would not help
    return SequenceMatcher(None, name.lower(), candidate.lower()).ratio()
