"""Every message about a run of a specification."""

from __future__ import annotations

from horae.source.messages import Message

INCOMPLETE_ROW = Message(
    "INP050",
    "a row has a value of `{key}` and none of `{other}`, which its shard would need from others",
    "give `{other}` in every row with `{key}`, or run the program in one shard",
)
DIVISION_BY_ZERO = Message(
    "RUN001", "division by zero in {where}", "guard it: `if b = 0 then … else a / b`"
)
INTEGER_OVERFLOW = Message(
    "RUN002", "integer overflow in {where}", "use `double`, or smaller numbers"
)
NOT_FINITE = Message("RUN003", "the result is not a finite number in {where}", "guard the argument")
CAST_FAILED = Message(
    "RUN004", "the value cannot be cast in {where}", "guard it, texts with `matches`"
)
NEGATIVE_EXPONENT = Message("RUN005", "negative exponent of an int in {where}", "use `double`")
BAD_PATTERN = Message(
    "RUN006", "the pattern is not a regular expression in {where}", "mend the pattern"
)
TOO_LONG_AFTER = Message(
    "RUN030",
    "the time {last} is too long after the first row, {first}: {why}",
    "use a coarser --precision, rates and durations whose fractions agree, or shorter "
    "inputs; a run may span {longest}",
)
TOO_MANY_TICKS = Message(
    "RUN035",
    "{rates} would tick {count:,} times from the time {first} to {last}, in seconds",
    "if the times count milliseconds, say --time-unit ms (also us, ns); use slower rates; or "
    "run it all the same with --yes (in Python `yes=True`)",
)
TOPIC_WITH_COLUMNS = Message(
    "INP074", "a specification names its columns itself, by its inputs", "leave `columns` out"
)
