"""DatalogMTL over live facts."""

from horae.live.datalogmtl.program import LiveDatalogMTL, live_datalogmtl
from horae.live.datalogmtl.rows import ROWS, to_rows

__all__ = ["ROWS", "LiveDatalogMTL", "live_datalogmtl", "to_rows"]
