"""What the translation to LARS cannot express: CQL090 to CQL097."""

from __future__ import annotations

from horae.frontend.catalogue_syntax import error
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span

_CORE = (
    "the translation knows one SELECT per query, streams, relations and earlier queries in FROM, "
    "and an AND of comparisons in WHERE"
)


def _outside(code: str, what: str, span: Span, help: str = "") -> Diagnostic:
    return error(code, f"{what} has no translation to LARS", span, note=_CORE, help=help)


def stream_operator(operator: str, span: Span) -> Diagnostic:
    return _outside("CQL090", f"`{operator}`", span, "leave it out to translate the relation")


def set_operation(operator: str, span: Span) -> Diagnostic:
    return _outside("CQL091", f"`{operator}`", span)


def nested_query(span: Span) -> Diagnostic:
    return _outside(
        "CQL092", "a query in FROM", span, "give it a name, and read it without a window"
    )


def window_on_query(name: str, span: Span) -> Diagnostic:
    return _outside(
        "CQL093",
        f"a window on the query `{name}`",
        span,
        "without the window it is read as a relation, which has a translation",
    )


def grouping(span: Span) -> Diagnostic:
    return _outside("CQL094", "grouping, HAVING or an aggregate", span)


def ordering(span: Span) -> Diagnostic:
    return _outside("CQL095", "ORDER BY", span, "answers of rules are sets, without an order")


def outside_limit(span: Span) -> Diagnostic:
    return _outside("CQL095", "LIMIT", span)


def outside_condition(what: str, span: Span) -> Diagnostic:
    return _outside("CQL096", what, span)


def truth_value(span: Span) -> Diagnostic:
    return _outside("CQL097", "a truth value", span)
