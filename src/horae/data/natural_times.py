"""Time points that are natural numbers: the natural numbers up to 2⁶².

Milliseconds, microseconds and nanoseconds since 1970 are among them for more than a century. A time
beyond is an error, in a program, in facts, and where a rule computes it.
"""

from __future__ import annotations

LAST = 2**62
"""The last time point."""
