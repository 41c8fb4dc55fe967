"""Names of CQL as names of rules: predicates start in lower case, variables in upper case.

TRAM → tram        price → Price
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from horae.rules.window_keywords import INFINITY, RESERVED, TIME, WINDOWS

_PREDICATE = re.compile(r"[^\W\d_]\w*")
_STRANGE = re.compile(r"\W")
_KEYWORDS = frozenset((*RESERVED, *WINDOWS, *INFINITY, TIME, "by"))


class GivenNames:
    """Gives every name once; the second `ID` is called `ID_2`."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def give(self, name: str) -> str:
        found, number = name, 1
        while found in self._taken or found.lower() in _KEYWORDS:
            number += 1
            found = f"{name}_{number}"
        self._taken.add(found)
        return found


def name_predicates(names: Iterable[str]) -> dict[str, str]:
    """A predicate per name; those that can stay as they are come first."""
    names = list(names)
    fine = [name for name in names if _is_predicate(name)]
    given = GivenNames(fine)
    return {name: name if name in fine else given.give(_as_predicate(name)) for name in names}


def _is_predicate(name: str) -> bool:
    is_name = _PREDICATE.fullmatch(name) is not None
    return is_name and not name[0].isupper() and name.lower() not in _KEYWORDS


def _as_predicate(name: str) -> str:
    plain = _STRANGE.sub("_", name.lower())
    return plain if _PREDICATE.fullmatch(plain) else f"p_{plain}"


def as_variable(name: str) -> str:
    plain = _STRANGE.sub("_", name)
    upper = plain[0].upper() + plain[1:]
    return upper if upper[0].isupper() else f"V_{plain}"
