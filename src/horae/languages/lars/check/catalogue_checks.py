"""Everything that checking can find wrong with a program, in the order of the codes.

02x variables and predicates, 03x heads, 04x and 100 windows and times, 05x facts, 09x warnings.
"""

from __future__ import annotations

from collections.abc import Sequence

from horae.data.natural_times import LAST
from horae.frontend.catalogue_syntax import error
from horae.languages.lars.syntax.catalogue_syntax import TRUTH_HELP
from horae.rules import truth
from horae.rules.arities import Clash, arity_clash
from horae.source.diagnostic import Diagnostic, Label, Severity
from horae.source.messages import ProgramMessage
from horae.source.text import Span


def _warning(
    code: str, message: str, span: Span, caption: str = "", *, note: str = "", help: str = ""
) -> Diagnostic:
    return Diagnostic(code, Severity.WARNING, message, span, caption, (), note, help)


# --- 02x: variables and predicates

HEAD = "of the head"
COMPARISON = "in a comparison"
NEGATION = "below `not`"
IMPLICATION = "in an implication"
DISJUNCTION = "of an `or`"
TIME = "behind `@`"
PARAMETER = "in the size of a window"
ALWAYS = "below `[]`"

_NOTES = {
    COMPARISON: "`X = e` binds X where the variables of e have values; other comparisons bind nothing",
    NEGATION: "what is below `not` binds nothing",
    IMPLICATION: "what `->` connects binds nothing",
    DISJUNCTION: "`or` binds the variables that all its operands bind",
    TIME: "`@T f` binds T where f is an atom, or an `and` with one",
    ALWAYS: "this window may have no time point at all, and `[]` is true there for every value",
    PARAMETER: "the size of a window must be known before anything inside of it",
}


def unsafe(variable: str, place: str, reason: str, span: Span) -> Diagnostic:
    help = f"add an atom with `{variable}` to the body, or `{variable} = …`"
    if variable == "_":
        help = "for “there is none at all”: `any_p(X) :- p(X,_).` and `not any_p(X)`"
    return error(
        "LRS020",
        f"no value is known for `{variable}`{f' {place}' if place else ''}",
        span,
        "not bound by the body",
        note=_NOTES.get(reason, ""),
        help=help,
    )


def unsafe_without_body(variable: str, span: Span) -> Diagnostic:
    meant = variable.lower() if variable.isupper() else variable[:1].lower() + variable[1:]
    constant = f'; for a constant write `{meant}` or `"{variable}"`' if meant[:1] != "_" else ""
    return error(
        "LRS020",
        f"no value is known for `{variable}`: there is no body",
        span,
        "a variable",
        help=f"add a body that binds it: `:- p({variable})`{constant}",
    )


def arity(clash: Clash) -> Diagnostic:
    return arity_clash("LRS021", clash)


def unknown_query(predicate: str, span: Span, help: str) -> Diagnostic:
    message = f"the program has no predicate `{predicate}`"
    return error("LRS022", message, span, "nothing to answer", help=help)


def truth_as_predicate(name: str, span: Span) -> Diagnostic:
    help = TRUTH_HELP[name.lower()]
    return error("LRS101", truth.MESSAGE.format(name=name), span, help=help)


# --- 03x: heads


COMPARISON_IN_HEAD = ProgramMessage(
    "LRS030",
    "a comparison cannot stand in a head",
    caption="cannot be derived",
    help="write it into the body; what must not be is a constraint: `:- X > 5, p(X).`",
)


ENDLESS_HEAD = ProgramMessage(
    "LRS031",
    "`{operator}` in a head needs a window around it that ends",
    caption="infinitely many time points",
    help="say how far it reaches: `win[+5] {operator} a` is from now to 5 time points later",
)


WINDOW_IN_HEAD = ProgramMessage(
    "LRS032",
    "{what} cannot stand in a head",
    caption="depends on the data",
    help="in a head a window is one over time, such as `win[10]` or `win[+5]`",
)


# --- 04x: windows and times


NEGATIVE_SIZE = "for the time points, or the atoms, to come write `win[+5]`, or `win[#+5]`"
BROKEN_SIZE = "round it, or count time in smaller units throughout"
NO_SIZE = "write a number, or a variable that the body binds"
NO_STEP = "a step of 1 moves the window with every time point"


WRONG_SIZE = ProgramMessage("LRS040", "{what} is a whole number from {least} on", help="{help}")


def unknown_column(variable: str, predicate: str, span: Span, pattern: Span) -> Diagnostic:
    return error(
        "LRS041",
        f"`{variable}` does not occur in the pattern",
        span,
        "no column",
        labels=[Label(pattern, "the pattern")],
        help=f"name a column of `{predicate}` so: `{predicate}(…, {variable}, …) by {variable}`",
    )


def unknown_window(name: str, span: Span, similar: str, known: Sequence[str]) -> Diagnostic:
    names = ", ".join(f"`{each}`" for each in known)
    return error(
        "LRS042",
        f"there is no window function `{name}`",
        span,
        note=f"registered are: {names}",
        help=similar or "register it, or count atoms with `#`: `win[p(X,_) by X #3]`",
    )


def wrong_parameters(name: str, wanted: Sequence[str], given: int, span: Span) -> Diagnostic:
    numbers = f"{_parameters(len(wanted))}, not {given}"
    written = f"win[{' '.join([name, ', '.join(wanted)]).strip()}]"
    return error("LRS043", f"the window `{name}` has {numbers}", span, help=f"write `{written}`")


def _parameters(number: int) -> str:
    return {0: "no parameters", 1: "1 parameter"}.get(number, f"{number} parameters")


NO_TIME_POINT = ProgramMessage(
    "LRS044",
    "this is no time point",
    caption="behind `@`",
    note="time points are the whole numbers from 0 on",
    help="write `@5 p(X)`, or a variable: `@T p(X)`",
)


A_TIME_POINT = "a time point"


def too_large(what: str, span: Span) -> Diagnostic:
    """The error about a size or a time that is written as a number."""
    help = "for a window without a bound write `win[inf]`"
    if what == A_TIME_POINT:
        help = "count time in larger units: there is room for nanoseconds of 146 years"
    return error("LRS100", f"{what} is at most {LAST} (2^62)", span, "too large", help=help)


# --- 05x: facts


def fact_about_derived(predicate: str, span: Span, rule: Span) -> Diagnostic:
    return error(
        "LRS050",
        f"`{predicate}` is derived by a rule, and cannot have facts at times",
        span,
        "a fact of the stream",
        labels=[Label(rule, "derived here")],
        note="a data stream has input predicates only",
        help=f"call the fact otherwise, say `{predicate}_in`, and add the rule "
        f"`@T {predicate}(…) :- @T {predicate}_in(…).`",
    )


# --- 09x: warnings


def singleton(variable: str, span: Span) -> Diagnostic:
    return _warning(
        "LRS090",
        f"the variable `{variable}` occurs only once",
        span,
        help=f"if any value will do, write `_` or `_{variable.lower()}`",
    )


PROBABLY_MISSPELT = ProgramMessage(
    "LRS091",
    "nothing derives `{predicate}`, so it must come from the input",
    help="did you mean `{meant}`?",
    severity=Severity.WARNING,
)


UNUSED = ProgramMessage(
    "LRS092",
    "`{predicate}` is derived, but no query needs it",
    help="ask for it: `?- {predicate}.`, or leave it out",
    severity=Severity.WARNING,
)


UNUSED_FACT = ProgramMessage(
    "LRS093", "no rule and no query uses `{predicate}`", help="{help}", severity=Severity.WARNING
)


NEVER_SEEN = ProgramMessage(
    "LRS094",
    "`{predicate}` is derived, and windows that count atoms contain input atoms only",
    caption="false, unless it is background data",
    help="use a window over time, `win[10]`, or ask for the input that it is derived from",
    severity=Severity.WARNING,
)


NEVER_COUNTED = ProgramMessage(
    "LRS094",
    "`{predicate}` is derived, and windows count input atoms only",
    caption="matches nothing",
    help="use a window over time, `win[10]`, or count the input that it is derived from",
    severity=Severity.WARNING,
)
