"""Regular expressions in linear time: RE2, which Arrow brings along.

Nothing that a user writes as a pattern, or data holds, can make a match take more than time in
proportion to the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

_REFUSAL = "Invalid regular expression: "


@lru_cache(maxsize=1024)
def mistake_in(pattern: str) -> str | None:
    """What is wrong with a pattern; None if nothing is."""
    try:
        matching([""], pattern)
    except ValueError as error:
        return str(error).removeprefix(_REFUSAL)
    return None


@lru_cache(maxsize=4096)
def matches(text: str, pattern: str) -> bool:
    """Whether the pattern, which has no mistake, is found anywhere in the text."""
    return matching([text], pattern)[0]


def matching(texts: Sequence[str], pattern: str) -> list[bool]:
    """The same for many texts. A pattern with a mistake is a `ValueError`."""
    import pyarrow as pa  # only programs with patterns wait for it
    import pyarrow.compute as pc

    column = pa.array([_readable(text) for text in texts], pa.string())
    found: Any = pc.match_substring_regex(column, _readable(pattern))
    flags: list[bool] = found.to_pylist()
    return flags


def _readable(text: str) -> str:
    """Halves of characters, which only escapes can write, are in no text that can be stored."""
    return text.encode("utf-8", "replace").decode("utf-8")
