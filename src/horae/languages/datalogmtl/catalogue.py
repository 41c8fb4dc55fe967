"""Every message about a run of a DatalogMTL program."""

from __future__ import annotations

from horae.source.messages import Message

_HORIZON = (
    "give a horizon, such as --horizon {horizon}: all up to that time is then computed, exactly"
)

NO_END = Message(
    "RUN011", "the rules for {names} carry facts on for ever, so the answers have no end", _HORIZON
)
NO_END_FOUND = Message(
    "RUN011",
    "no end was found of what the rules for {names} derive, far behind all facts",
    _HORIZON,
)
NO_BEGINNING = Message(
    "RUN011",
    "the rules for {names} carry facts back for ever, so the answers have no beginning",
    "ask for single times, such as --at 0,10: what holds there is then computed, exactly",
)
LATE_FACT = Message(
    "RUN013",
    "a fact of `{name}` holds in {first}, but all up to {decided} is decided",
    "wait longer for late facts before moving on",
)
TOO_MANY_PAIRS = Message(
    "RUN040",
    "the rule `{rule}` joins more than {most:,} pairs of facts",
    "let its atoms share variables, or join few of them at a time in a rule of its own",
)
DEPENDS_ON_THE_END = Message(
    "RUN041",
    "what holds of {names} up to {time_point} depends on what is derived for ever behind it: "
    "`{rule}` looks ahead without end",
    "look ahead by a bounded time, such as Diamondplus[0,100], or bound the recursion by a "
    "fact that ends",
)
TOO_MANY_INTERVALS = Message("RUN042", "{found}{far}: too many to be computed", "{remedy}")
TOO_MANY_ROUNDS = Message(
    "RUN043",
    "the rules for {names} move on in steps that are far too small for the time they cross: "
    "about {rounds} rounds of derivation",
    "use bounds, facts and a horizon of a similar size, or coarser steps",
)
