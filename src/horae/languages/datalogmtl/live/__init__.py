"""DatalogMTL over live facts."""

from horae.languages.datalogmtl.live.program import LiveDatalogMTL, live_datalogmtl
from horae.languages.datalogmtl.live.rows import ROWS, to_rows

__all__ = ["ROWS", "LiveDatalogMTL", "live_datalogmtl", "to_rows"]
