"""Every message about a run of a LARS program."""

from __future__ import annotations

from horae.source.messages import Message

NOT_AT_TIME_POINTS = Message(
    "INP040", "`{fact}` at {when} is not at time points of LARS: {why}", "{remedy}"
)
ENDLESS_DERIVATION = Message(
    "RUN020",
    "the derivation of {names} {what}",
    "derive time points up to an end with `--horizon T`, or bound the numbers in the rules, "
    "e.g. with `N < 100000`",
)
ENDLESS_TIME_POINTS = Message(
    "RUN020",
    "`{name}` stands for infinitely many time points: background data holds at all times",
    "bind {name} by an atom of the stream, or put a window around it: `win[10] @{name} …`",
)
GROWING_NUMBERS = Message(
    "RUN020",
    "arithmetic in a rule gives ever larger numbers",
    "bound the recursion, e.g. with a comparison `Y < 1000` in the body",
)
TOO_MANY_ATOMS = Message(
    "RUN020",
    "the rules derive more than {most} atoms",
    "bound the recursion, e.g. with a window or a comparison `T < 1000` in the body",
)
ANY_TIME_POINT = Message(
    "RUN024",
    "`{variable}` can be any time point: `{predicate}` is background data",
    "bind the time with an atom of a stream, or put a window around that has an end",
)
WAITS_FOR_EVER = Message("RUN025", "`{text}` keeps a stream waiting for ever: {why}", "{remedy}")
BEYOND_THE_LAST_TIME = Message(
    "RUN050",
    "a rule gives the time {time_point} to `@`, and the last time point is {last} (2^62)",
    "count time in larger units, or derive time points up to an end with `--horizon T`",
)
TOO_MANY_ANSWERS = Message(
    "RUN052",
    "there are more than {most:,} answers of one predicate",
    "ask for other predicates with `?-`, or for fewer variables in heads",
)
TOO_MANY_INSTANCES = Message(
    "RUN052",
    "the rule `{rule}` has more than {most:,} instances at once",
    "join its atoms by common variables, ask for fewer of them in the head, or shorten its windows",
)
TOO_MANY_ANSWER_SETS = Message(
    "RUN055",
    "the program has more than {most:,} answers at this time",
    "--answers 10 gives the first 10, --answers all gives all of them; --consequences brave "
    "gives what some of them have, cautious what all have",
)
TOO_MANY_TIME_POINTS = Message(
    "RUN056",
    "more than {most:,} time points would have to be looked at, one by one",
    "give the windows inside of `<>` and `[]` shorter lengths and smaller steps, or count "
    "time in larger units",
)
WRONG_WINDOW_FUNCTION = Message(
    "RUN051",
    "{which}the window function `{name}` {problem}",
    "it takes a stream, a time and its parameters, and gives `horae.Substream(start, end)` "
    "with whole numbers",
)
