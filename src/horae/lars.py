"""What programs of LARS take from Python: windows of your own.

import horae

def since_midnight(stream: horae.lars.Stream, time: int, day: int) -> horae.lars.Substream:
    return horae.lars.Substream(time - time % day, time)

horae.lars.register_window("today", since_midnight, parameters=("day",), past=lambda day: day)
"""

from __future__ import annotations

from horae.languages.lars.check.window_functions import Stream, Substream, register_window

__all__ = ["Stream", "Substream", "register_window"]
