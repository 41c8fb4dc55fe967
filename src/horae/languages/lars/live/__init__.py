"""LARS over live facts."""

from horae.languages.lars.live.program import LiveLARS, live_lars
from horae.languages.lars.live.rows import ROWS, to_rows

__all__ = ["ROWS", "LiveLARS", "live_lars", "to_rows"]
