"""RTL09x and RTL111: what is allowed but probably not meant."""

from __future__ import annotations

from horae.source.diagnostic import Severity
from horae.source.messages import ProgramMessage

LOOKS_AHEAD = ProgramMessage(
    "RTL090",
    "a positive real-time offset looks into the future",
    caption="in the future",
    help="did you mean -{text}?",
    severity=Severity.WARNING,
)


HIDDEN_STREAM = ProgramMessage(
    "RTL091",
    "the parameter `{parameter}` hides the stream of the same name",
    help="give the parameter another name to read the stream here",
    severity=Severity.WARNING,
)


NEVER_EXTENDED = ProgramMessage(
    "RTL092",
    "this `extend` never holds",
    help="leave `extend` out, or give a rate",
    severity=Severity.WARNING,
)


ALWAYS_FAILS = ProgramMessage(
    "RTL093",
    "{message}",
    note="the run stops with an error when it gets here",
    severity=Severity.WARNING,
)


COUNTS_ALSO_FALSE = ProgramMessage(
    "RTL111",
    "`count({template})` counts the instances of `{template}`, also those that are false",
    caption="`{template}` is bool",
    help="`count({template} = true)` counts those that are true",
    severity=Severity.WARNING,
)
