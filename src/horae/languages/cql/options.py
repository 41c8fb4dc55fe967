"""The options of a run of CQL queries."""

from __future__ import annotations

from dataclasses import dataclass

from horae.engine.options import PointOptions


@dataclass(frozen=True, kw_only=True)
class CQLOptions(PointOptions):
    """The options of all languages with time points; CQL adds none."""
