"""Causes in words: why a range has no bound, and what would give it one."""

from __future__ import annotations

from typing import assert_never

from horae.languages.lars.analysis.ranges import Cause, Why
from horae.languages.lars.syntax.tree import Choice, NamedWindow, Window

_AROUND = "put `win[n]` around it"


def why_past(cause: Cause) -> str:
    """Why atoms matter however old they are."""
    match cause.why:
        case Why.LENGTH:
            return "it looks back"
        case Why.NO_WINDOW:
            return "it has no window around it: it looks at the whole stream"
        case Why.ENDLESS:
            return "the window has no beginning"
        case Why.VARIABLE:
            return "the size of the window is known with the data only"
        case Why.COUNTED:
            return "the atoms of the window can be however old"
        case Why.ELSEWHERE:
            return "it counts atoms around other times than that of the evaluation"
        case Why.REGISTERED:
            return f"{_name(cause)} does not say how far back it looks"
        case _:
            assert_never(cause.why)


def why_ahead(cause: Cause) -> str:
    """Why atoms matter however late they come."""
    match cause.why:
        case Why.LENGTH:
            return "it looks ahead"
        case Why.NO_WINDOW | Why.ELSEWHERE | Why.VARIABLE:
            return why_past(cause)
        case Why.ENDLESS:
            return "the window has no end"
        case Why.COUNTED:
            return "it waits for atoms that are yet to come, however late"
        case Why.REGISTERED:
            return f"{_name(cause)} does not say how far ahead it looks"
        case _:
            assert_never(cause.why)


def remedy_past(cause: Cause) -> str:
    match cause.why:
        case Why.LENGTH:
            return ""
        case Why.NO_WINDOW:
            return _AROUND
        case Why.ENDLESS:
            return "give the window a length, `win[n]`"
        case Why.VARIABLE:
            return "write a number"
        case Why.COUNTED:
            return _around(cause)
        case Why.ELSEWHERE:
            return _around(cause, "put `win[n]` around the `@`, `<>` or `[]` in front of it")
        case Why.REGISTERED:
            return _around(cause, or_else="register the window with `past`")
        case _:
            assert_never(cause.why)


def remedy_ahead(cause: Cause) -> str:
    match cause.why:
        case Why.LENGTH | Why.NO_WINDOW | Why.VARIABLE | Why.ELSEWHERE:
            return remedy_past(cause)
        case Why.ENDLESS:
            return "give the window an end, `win[l,n]`"
        case Why.COUNTED:
            return _around(cause, "count back only, or put `win[l,n]` around it", "count back only")
        case Why.REGISTERED:
            return _around(cause, or_else="register the window with `future`")
        case _:
            assert_never(cause.why)


def _around(cause: Cause, text: str = _AROUND, or_else: str = "") -> str:
    """`win1` looks at the whole stream, whatever stands around it."""
    window = cause.formula
    return or_else if isinstance(window, Window) and window.choice is Choice.ORIGINAL else text


def _name(cause: Cause) -> str:
    window = cause.formula
    assert isinstance(window, Window), "a window of the registry is the cause"
    assert isinstance(window.function, NamedWindow), "a window of the registry is the cause"
    return f"`{window.function.name}`"
