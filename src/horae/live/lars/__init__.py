"""LARS over live facts."""

from horae.live.lars.program import LiveLARS, live_lars
from horae.live.lars.rows import ROWS, to_rows

__all__ = ["ROWS", "LiveLARS", "live_lars", "to_rows"]
