"""The syntax diagnostics of RTLola, in order of their codes (RTL001 to RTL019, and RTL112).

Each entry is one finding: what was written, and what would work instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from textwrap import fill

from horae.frontend import catalogue_syntax as shared
from horae.frontend.catalogue_syntax import error
from horae.source.diagnostic import Diagnostic, Label
from horae.source.messages import ProgramMessage
from horae.source.suggest import closest, did_you_mean
from horae.source.text import Span

UNITS = "ms, s, sec, m (minutes), min, h, d"
FREQUENCY_UNITS = "mHz, Hz, kHz"
_NOTE_WIDTH = 90
_OTHER_NAMES = {
    "avg": ("mean", "avarage"),
    "stddev": ("std", "sd", "sigma", "deviation"),
    "variance": ("var",),
    "count": ("size", "len", "length", "number"),
    "sum": ("total", "add"),
    "product": ("prod",),
    "percentile": ("quantile",),
}
_CHARACTER_HELP = {
    "'": "strings are written with double quotes",
    "&": "write `and` or `&&`",
    "|": "write `or` or `||`",
    "#": "comments start with `//`",
    "@": "write a pace as a clause before the definition: `extend: 1Hz`, or `extend: a > 3`",
    "?": "write `if condition then a else b`",
}


unexpected = partial(shared.unexpected, "RTL001")
strange_character = partial(shared.strange_character, "RTL002", _CHARACTER_HELP)
unterminated_string = partial(shared.unterminated_string, "RTL003")


UNTERMINATED_COMMENT = ProgramMessage(
    "RTL004",
    "this comment is not closed",
    caption="starts here",
    help="close it with `*/`; comments do not nest",
)


BRACKETS = "RTL005"


def missing_definition(span: Span, name: str, at: Span) -> Diagnostic:
    return error(
        "RTL006",
        f"the output `{name}` has no definition",
        span,
        labels=(Label(at, "expected `:=` and an expression"),),
        help=f"say what the values of `{name}` are: `:= expression`",
    )


def repeated_part(kind: str, name: str, span: Span, first: Span) -> Diagnostic:
    return error(
        "RTL007",
        f"the {kind} `{name}` is given twice",
        span,
        "given again",
        labels=(Label(first, "first given here"),),
    )


def unknown_type(span: Span, name: str) -> Diagnostic:
    return error(
        "RTL008",
        f"there is no type `{name}`",
        span,
        note="the types are int, double (or float), bool and string",
        help=_type_help(name),
    )


def _type_help(name: str) -> str:
    known = ("int", "double", "float", "bool", "string")
    return did_you_mean(name, known) or (
        "did you mean `double`?" if name.lower() in ("real", "number", "decimal") else ""
    )


def unknown_unit(span: Span, unit: str, *, with_frequencies: bool) -> Diagnostic:
    if unit.endswith("Hz") and not with_frequencies:
        return error(
            "RTL009",
            f"a duration is needed here, not a rate in `{unit}`",
            span,
            help="write the period: `0.5s` instead of `2Hz`",
        )
    known = f"{UNITS}, {FREQUENCY_UNITS}" if with_frequencies else UNITS
    candidates = (word.split(" ")[0] for word in known.split(", "))
    return error(
        "RTL009",
        f"there is no unit `{unit}`",
        span,
        note=f"the units are {known}",
        help=_unit_help(unit, candidates),
    )


def _unit_help(unit: str, known: Iterable[str]) -> str:
    words = {
        "second": "s",
        "minute": "min",
        "hour": "h",
        "hr": "h",
        "day": "d",
        "millisecond": "ms",
    }
    meant = words.get(unit.lower().removesuffix("s")) or closest(unit, known)
    return f"did you mean `{meant}`?" if meant else ""


MISSING_DEFAULT = ProgramMessage(
    "RTL010",
    "the access `{stream}[{key}]` has no default value",
    caption="what if there is no such value?",
    help="write `{stream}[{key}, 0]`, with the value to use where none exists",
)


OFFSET_NOT_CONSTANT = ProgramMessage(
    "RTL011",
    "an offset is a whole number or a duration, written out",
    help="write `a[-1, 0]` for the previous value, `a[-1s, 0]` for the one of a second ago",
)


OFFSET_NOT_WHOLE = ProgramMessage(
    "RTL011",
    "the offset {text} is not a whole number",
    help="with a unit it is an offset in time: `{text}s`",
)


def window_without_unit(span: Span, text: str) -> Diagnostic:
    return error(
        "RTL011",
        "a window needs a duration",
        span,
        "has no unit",
        help=f"write for example `{text}s`" if text[:1].isdigit() else "write for example `10s`",
    )


def negative_window(span: Span, text: str) -> Diagnostic:
    return error(
        "RTL011",
        "the length of a window is not negative",
        span,
        note="a window always covers the time before now",
        help=f"write `{text.lstrip('- ')}`",
    )


NESTED_TOO_DEEPLY = ProgramMessage(
    "RTL012",
    "this expression is nested more than {limit} levels deep",
    help="give a part of it a name with an `output` of its own",
)


def unknown_aggregation(span: Span, text: str, known: Iterable[str]) -> Diagnostic:
    names = sorted(set(known))
    name = text.split("(")[0].strip()
    return error(
        "RTL013",
        f"`{text}` is no aggregation",
        span,
        "expected an aggregation here, or in the place before",
        note=fill(f"the aggregations are {', '.join(names)}", _NOTE_WIDTH),
        help=_same_meaning(name) or did_you_mean(name, names),
    )


def _same_meaning(name: str) -> str:
    """The name that an aggregation has here, where other languages call it differently."""
    meant = next((ours for ours, theirs in _OTHER_NAMES.items() if name.lower() in theirs), None)
    return f"did you mean `{meant}`?" if meant else ""


AGGREGATION_ARGUMENTS = ProgramMessage(
    "RTL013",
    "the aggregation `{name}` is used with {count} arguments",
    help="write `{name}`, or `{name}(v)` with one argument",
)


TOO_MANY_ACCESS_PARTS = ProgramMessage(
    "RTL013",
    "an access has at most three parts",
    help="write `a[-1, 0]` for an offset, `a[10s, 0, avg]` for a window",
)


NO_STREAM_ACCESSED = ProgramMessage(
    "RTL014",
    "only a stream has earlier values and windows",
    caption="is no stream",
    help="give this expression a name with an `output` of its own, and access that",
)


RATE_NOT_POSITIVE = ProgramMessage(
    "RTL015", "the rate {text} would never tick", caption="must be more than 0"
)


unknown_escape = partial(shared.unknown_escape, "RTL016")


def number_too_large(span: Span, type_name: str) -> Diagnostic:
    limit = "9223372036854775807" if type_name == "int" else "1.7976931348623157e308"
    return error(
        "RTL017",
        f"this number does not fit into `{type_name}`",
        span,
        "too large",
        note=f"the greatest one is {limit}",
        help="with a point it is a double" if type_name == "int" else "",
    )


def missing_section(span: Span, aggregation: str, section: str, help: str) -> Diagnostic:
    message = f"the aggregation `{aggregation}` has no section `{section}`"
    return error("RTL018", message, span, help=help)


def unknown_section(span: Span, name: str) -> Diagnostic:
    sections = ("state", "step", "combine", "inverse", "result")
    return error(
        "RTL018",
        f"an aggregation has no section `{name}`",
        span,
        note=f"the sections are {', '.join(sections)}",
        help=did_you_mean(name, sections),
    )


def incomplete_if(span: Span, found: str, missing: str, opening: Span) -> Diagnostic:
    return error(
        "RTL019",
        f"expected `{missing}`, found {found}",
        span,
        f"expected `{missing}`",
        labels=(Label(opening, f"this `if` has no `{missing}`"),),
        help="write `if condition then value else value`; both branches are needed",
    )


OTHER_DIALECT = ProgramMessage("RTL112", "`{written}` has no meaning here", help="{help}")
