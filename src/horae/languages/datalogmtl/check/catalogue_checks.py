"""Everything that checking can find wrong with a program, in the order of the codes.

02x variables, predicates, negation and intervals, 09x warnings.
"""

from __future__ import annotations

from collections.abc import Sequence

from horae.data.fact_lines.catalogue_lines import TRUTH_HELP
from horae.frontend.catalogue_syntax import error
from horae.rules import truth
from horae.rules.arities import Clash, arity_clash
from horae.source.diagnostic import Diagnostic, Label, Severity
from horae.source.messages import ProgramMessage
from horae.source.text import Span


def _warning(
    code: str, message: str, span: Span, caption: str = "", *, note: str = "", help: str = ""
) -> Diagnostic:
    return Diagnostic(code, Severity.WARNING, message, span, caption, (), note, help)


# --- 02x: errors


def unsafe_head(variable: str, span: Span, *, only_left: bool) -> Diagnostic:
    note = _LEFT_SIDE if only_left else ""
    return error(
        "DMT020",
        f"no value is known for `{variable}` of the head",
        span,
        "not bound by the body",
        note=note,
        help=_binding_help(variable, only_left),
    )


def unsafe_negation(variable: str, span: Span, *, is_unnamed: bool, only_left: bool) -> Diagnostic:
    help = _binding_help(variable, only_left)
    if is_unnamed:
        help = "for “there is none at all”: `some(X) :- p(X,_).` and `not some(X)`"
    return error(
        "DMT021",
        f"no value is known for `{variable}` of a negated literal",
        span,
        "not bound by a positive literal",
        note=_LEFT_SIDE if only_left else "",
        help=help,
    )


def _binding_help(variable: str, only_left: bool) -> str:
    shorter = ", or leave 0 out of the interval: `(0,…`" if only_left else ""
    return f"add a positive literal with `{variable}` to the body{shorter}"


_LEFT_SIDE = (
    "the left side of `Since` and `Until` binds no variable if the interval contains 0:\n"
    "where the right side holds now, the left side need not hold at all"
)


def free_on_the_left(variable: str, span: Span) -> Diagnostic:
    return error(
        "DMT027",
        f"below an operator, nothing gives a value to `{variable}` of the left side",
        span,
        "not on the right side",
        note=_LEFT_SIDE,
        help=f"put `{variable}` on the right side as well, or leave 0 out of the interval: `(0,…`",
    )


def arity(clash: Clash) -> Diagnostic:
    return arity_clash("DMT022", clash)


def not_stratified(path: Sequence[str], steps: Sequence[Label]) -> Diagnostic:
    way = " → ".join(f"`{name}`" for name in path)
    return error(
        "DMT023",
        f"`{path[0]}` depends on its own negation: {way}",
        steps[0].span,
        steps[0].text,
        labels=steps[1:],
        note="what is negated must be known before: operators do not change that",
        help="break the cycle, or drop the `not`",
    )


NEGATIVE_INTERVAL = ProgramMessage(
    "DMT025",
    "the interval `{text}` of `{operator}` reaches below 0",
    caption="distances in time are not negative",
    help="for the other direction write `{opposite}`",
)


def truth_as_predicate(name: str, span: Span) -> Diagnostic:
    help = TRUTH_HELP[name.lower()]
    return error("DMT028", truth.MESSAGE.format(name=name), span, help=help)


def unknown_query(predicate: str, span: Span, help: str) -> Diagnostic:
    message = f"the program has no predicate `{predicate}`"
    return error("DMT026", message, span, "nothing to answer", help=help)


# --- 09x: warnings


def singleton(variable: str, span: Span) -> Diagnostic:
    return _warning(
        "DMT090",
        f"the variable `{variable}` occurs only once",
        span,
        help=f"if any value will do, write `_` or `_{variable.lower()}`",
    )


PROBABLY_MISSPELT = ProgramMessage(
    "DMT091",
    "nothing derives `{predicate}`, so it must come from the input",
    help="did you mean `{meant}`?",
    severity=Severity.WARNING,
)


UNUSED = ProgramMessage(
    "DMT092",
    "`{predicate}` is {what}, but no query needs it",
    help="ask for it: `?- {predicate}.`, or leave it out",
    severity=Severity.WARNING,
)


UNUSED_FACT = ProgramMessage(
    "DMT093", "no rule and no query uses `{predicate}`", help="{help}", severity=Severity.WARNING
)
