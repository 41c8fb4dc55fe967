"""Every message about a run of CQL queries."""

from __future__ import annotations

from horae.source.messages import Message

OVERFLOW = Message("RUN021", "integer overflow in `{text}`", "use `double`, or smaller numbers")
DIVISION = Message("RUN022", "division by zero in `{text}`", "guard it: `b != 0 AND a / b > 1`")
NOT_FINITE = Message(
    "RUN023", "the result is not a finite number in `{text}`", "use smaller numbers"
)
TOO_MANY_PAIRS = Message(
    "RUN060",
    "`{query}` joins {sides}: more than {most:,} pairs of rows",
    "say in WHERE which rows belong together (`a.id = b.id`), or take smaller windows",
)
