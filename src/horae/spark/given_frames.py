"""The DataFrames that Python programs give to `answers` and `live`, checked before they are used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from horae.data import catalogue_python as catalogue


def check_frame(found: object, name: str | None = None) -> None:
    """A DataFrame of Spark; those of other libraries have no streams."""
    if not hasattr(found, "isStreaming"):
        raise catalogue.not_a_frame(found, name)


def check_frames(found: object, names: Sequence[str]) -> None:
    """At least one DataFrame, each by its name; `names` are those that the program knows."""
    if not isinstance(found, Mapping) or not found:
        raise catalogue.nameless_frame(found, list(names))
    for name, frame in found.items():
        check_frame(frame, str(name))
