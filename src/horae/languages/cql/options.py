"""The options of a run of CQL queries."""

from __future__ import annotations

from dataclasses import dataclass

from horae.engine.options import PointOptions, flag


@dataclass(frozen=True, kw_only=True)
class CQLOptions(PointOptions):
    """How rows look, beside the options of all languages with time points."""

    named_rows: bool = flag(False, "rows are objects with the names of columns as keys, no lists")
