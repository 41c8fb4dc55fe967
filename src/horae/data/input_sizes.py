"""How much there is to read, as far as it decides how a run goes about it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from horae.data.endings import FACTS
from horae.data.facts import named_path
from horae.data.file_places import current_places
from horae.data.files import files_at
from horae.source.errors import InputError

_READ_TWICE = 1 << 28
"""So many bytes are read a second time, to find the row of an error."""


def is_small(inputs: Sequence[str], *, has_names: bool) -> bool:
    """Whether the input is small enough to be read again, here; so is what cannot be found."""
    places = current_places()
    paths = [named_path(text, places).path if has_names else text for text in inputs]
    files = (file for path in paths for file in files_at(places, path, FACTS))
    sizes = accumulate(places.size(str(file)) for file in files)
    try:
        return all(size <= _READ_TWICE for size in sizes)
    except InputError:
        return True
