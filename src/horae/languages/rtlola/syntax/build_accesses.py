"""`stream[key, …]`: which kind of access is meant, and what is missing.

The grammar takes any list between the brackets, so that the usual mistakes (no default, no
unit, a misspelt aggregation) get an answer of their own here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from horae.data.types import Type
from horae.languages.rtlola.syntax import catalogue_syntax as catalogue
from horae.languages.rtlola.syntax import tree
from horae.languages.rtlola.syntax.aggregations import AGGREGATIONS, ALIASES
from horae.source.diagnostic import Diagnostic
from horae.source.suggest import closest
from horae.source.text import Source, Span

AccessKey = tree.Expression | tree.DurationLiteral
Built = tuple[tree.Expression, list[Diagnostic]]
_WITH_ARGUMENT = frozenset(("count", "percentile"))


@dataclass(frozen=True, slots=True)
class _Site:
    """What every kind of access has: the text, the target, and its place."""

    source: Source
    target: tree.Name | tree.Apply
    span: Span


def build_access(
    source: Source,
    target: tree.Expression,
    key: AccessKey,
    rest: Sequence[tree.Expression],
    span: Span,
    own: frozenset[str],
) -> Built:
    """The node for `target[key, rest…]`; `own` are the aggregations that the file declares."""
    if not isinstance(target, tree.Name | tree.Apply):
        return _refuse(span, catalogue.NO_STREAM_ACCESSED(target.span))
    site = _Site(source, target, span)
    match len(rest):
        case 0:
            return _without_default(site, key)
        case 1:
            return _offset(site, key, rest[0])
        case 2:
            return _window(site, key, rest, own)
        case _:
            return _refuse(span, catalogue.TOO_MANY_ACCESS_PARTS(rest[2].span.to(rest[-1].span)))


def _refuse(span: Span, *diagnostics: Diagnostic) -> Built:
    return tree.Literal(Type.INT, 0, span=span), list(diagnostics)


def _without_default(site: _Site, key: AccessKey) -> Built:
    stream, written = site.source.snippet(site.target.span), site.source.snippet(key.span)
    return _refuse(site.span, catalogue.MISSING_DEFAULT(site.span, stream=stream, key=written))


def _offset(site: _Site, key: AccessKey, default: tree.Expression) -> Built:
    if isinstance(key, tree.DurationLiteral):
        return tree.TimeOffset(site.target, key, default, span=site.span), []
    match _constant(key):
        case int(steps):
            return tree.Offset(site.target, steps, default, span=site.span), []
        case float():
            text = site.source.snippet(key.span)
            return _refuse(site.span, catalogue.OFFSET_NOT_WHOLE(key.span, text=text))
        case None:
            return _refuse(site.span, catalogue.OFFSET_NOT_CONSTANT(key.span))


def _constant(key: tree.Expression) -> int | float | None:
    match key:
        case tree.Literal(type=Type.INT | Type.DOUBLE, value=int() | float() as value):
            return value
        case tree.Unary("-", tree.Literal(type=Type.INT | Type.DOUBLE, value=value)):
            assert isinstance(value, int | float)
            return -value
        case _:
            return None


# --- windows


def _window(
    site: _Site, key: AccessKey, rest: Sequence[tree.Expression], own: frozenset[str]
) -> Built:
    second, third = rest
    problems = _length_problems(site.source, key)
    if _names_aggregation(third, own):
        use, default = third, second
    elif _names_aggregation(second, own):
        use, default = second, third
    elif _calls_aggregation(third, own):
        use, default = third, second
    elif _calls_aggregation(second, own):
        use, default = second, third
    else:
        return _refuse(site.span, *problems, _no_aggregation(site.source, rest, own))
    aggregation, found = _use(use, own)
    problems += found
    if problems or not isinstance(key, tree.DurationLiteral):
        return _refuse(site.span, *problems)
    return tree.Window(site.target, key, default, aggregation, span=site.span), []


def _length_problems(source: Source, key: AccessKey) -> list[Diagnostic]:
    text = source.snippet(key.span)
    if not isinstance(key, tree.DurationLiteral):
        return [catalogue.window_without_unit(key.span, text)]
    if key.seconds < 0:
        return [catalogue.negative_window(key.span, text)]
    return []


def _is_known(name: str, own: frozenset[str]) -> bool:
    return name in own or name in AGGREGATIONS or name in ALIASES


def _names_aggregation(part: tree.Expression, own: frozenset[str]) -> bool:
    """`avg`, or `count(v)`: a form that is right for an aggregation."""
    match part:
        case tree.Name(name):
            return _is_known(name, own)
        case tree.Apply(name, arguments):
            return name in _WITH_ARGUMENT and len(arguments) == 1
        case _:
            return False


def _calls_aggregation(part: tree.Expression, own: frozenset[str]) -> bool:
    """`avg(x)`: an aggregation by its name only; `min(a, b)` may be a default just as well."""
    return isinstance(part, tree.Apply) and _is_known(part.name, own)


def _use(
    part: tree.Expression, own: frozenset[str]
) -> tuple[tree.AggregationUse, list[Diagnostic]]:
    assert isinstance(part, tree.Name | tree.Apply)
    name = part.name if part.name in own else ALIASES.get(part.name, part.name)
    arguments = part.arguments if isinstance(part, tree.Apply) else ()
    argument = arguments[0] if arguments else None
    use = tree.AggregationUse(name, argument, span=part.span)
    if isinstance(part, tree.Apply) and len(arguments) != 1:
        return use, [
            catalogue.AGGREGATION_ARGUMENTS(part.span, name=part.name, count=len(arguments))
        ]
    return use, []


def _no_aggregation(
    source: Source, rest: Sequence[tree.Expression], own: frozenset[str]
) -> Diagnostic:
    """Blame the part whose name is like one of an aggregation, else the last."""
    known = {*AGGREGATIONS, *ALIASES, *own}
    second, third = rest
    is_second = _resembles(second, known) and not _resembles(third, known)
    part = second if is_second else third
    return catalogue.unknown_aggregation(part.span, source.snippet(part.span), known)


def _resembles(part: tree.Expression, known: set[str]) -> bool:
    return isinstance(part, tree.Name | tree.Apply) and closest(part.name, known) is not None
