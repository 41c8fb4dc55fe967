"""The types of accesses: offsets, real-time offsets, windows."""

from __future__ import annotations

from horae.data.types import Type
from horae.languages.rtlola.check import catalogue_checks as catalogue
from horae.languages.rtlola.check import catalogue_warnings
from horae.languages.rtlola.check.rewrite import take_integers
from horae.languages.rtlola.check.scope import CheckScope, Typed, carried, common_type, fits, widen
from horae.languages.rtlola.check.templates import AccessTarget
from horae.languages.rtlola.program import (
    Aggregation,
    BuiltinAggregation,
    Constant,
    Hold,
    Offset,
    TimeOffset,
    UserAggregation,
    Window,
)
from horae.languages.rtlola.syntax import tree
from horae.languages.rtlola.syntax.aggregations import AGGREGATIONS, ALIASES, AggregationKind
from horae.source.diagnostic import Diagnostic
from horae.source.suggest import did_you_mean
from horae.source.text import Span


def check_hold(target: AccessTarget, span: Span) -> Typed:
    """`a`: the latest value."""
    return Typed(Hold(target.reference, None, carried(target.type), span=span), target.type)


def check_offset(
    access: tree.Offset, target: AccessTarget, default: Typed, scope: CheckScope
) -> Typed:
    """`a[0, d]` holds, any other offset looks elsewhere."""
    what = f"`{target.reference.stream}`"
    type = _with_default(what, target.type, default, scope)
    last, span = widen(default, type), access.span
    if access.offset == 0:
        return Typed(Hold(target.reference, last, carried(type), span=span), type)
    return Typed(Offset(target.reference, access.offset, last, carried(type), span=span), type)


def check_time_offset(
    access: tree.TimeOffset, target: AccessTarget, default: Typed, scope: CheckScope
) -> Typed:
    duration = access.offset
    if duration.seconds > 0:
        text = duration.text.removeprefix("+").strip()
        scope.report.append(catalogue_warnings.LOOKS_AHEAD(duration.span, text=text))
    what = f"`{target.reference.stream}`"
    type = _with_default(what, target.type, default, scope)
    node = TimeOffset(
        target.reference, duration.seconds, widen(default, type), carried(type), span=access.span
    )
    return Typed(node, type)


def check_window(
    access: tree.Window,
    target: AccessTarget,
    default: Typed,
    argument: Typed | None,
    scope: CheckScope,
) -> Typed:
    duration, use = access.duration, access.aggregation
    if duration.seconds <= 0:
        scope.report.append(catalogue.window_not_positive(duration.text, duration.span))
    aggregation, result = _aggregation(use, target, argument, scope)
    type = _with_default(f"`{use.name}`", result, default, scope)
    if aggregation is None:
        return Typed(default.node, None)
    node = Window(
        target.reference,
        duration.seconds,
        aggregation,
        widen(default, type),
        carried(type),
        span=access.span,
    )
    return Typed(node, type)


def _with_default(what: str, type: Type | None, default: Typed, scope: CheckScope) -> Type | None:
    """The type of the access. Until the target's type is inferred, the default stands for it.

    `x[-1, 0.5]` with an int `x` is an error, but means a double while `x` is still inferred.
    """
    if type is None or default.type is None:
        return type or default.type
    if fits(default.type, type):
        return type
    found = catalogue.default_type(what, type, default.type, default.node.span)
    scope.report.append(found)
    return common_type(type, default.type) if scope.inferring else None


# --- aggregations


def _aggregation(
    use: tree.AggregationUse, target: AccessTarget, argument: Typed | None, scope: CheckScope
) -> tuple[Aggregation | None, Type | None]:
    """The aggregation and the type of its results."""
    if use.name in scope.aggregations:
        return _user_aggregation(use, scope.aggregations[use.name], target, scope.report)
    kind = AGGREGATIONS.get(ALIASES.get(use.name, use.name))
    if kind is None:
        available = (*AGGREGATIONS, *ALIASES, *scope.aggregations)
        help = did_you_mean(use.name, available)
        scope.report.append(catalogue.UNKNOWN_AGGREGATION(use.span, name=use.name, help=help))
        return None, None
    return _builtin(kind, use, target, argument, scope.report)


def _user_aggregation(
    use: tree.AggregationUse,
    aggregation: UserAggregation,
    target: AccessTarget,
    report: list[Diagnostic],
) -> tuple[Aggregation, Type]:
    wanted = aggregation.argument_type
    if use.argument is not None:
        report.append(
            catalogue.AGGREGATION_ARGUMENT(
                use.span, aggregation=use.name, wanted="no argument in a window"
            )
        )
    if target.type is not None and not fits(target.type, wanted):
        report.append(_not_taken(use, target, target.type, [wanted]))
    if target.type is Type.INT and wanted is Type.DOUBLE:
        aggregation = take_integers(aggregation)
    return aggregation, aggregation.type


def _builtin(
    kind: AggregationKind,
    use: tree.AggregationUse,
    target: AccessTarget,
    argument: Typed | None,
    report: list[Diagnostic],
) -> tuple[Aggregation, Type | None]:
    if target.type is not None and target.type not in kind.results:
        report.append(_not_taken(use, target, target.type, list(kind.results)))
    built = BuiltinAggregation(kind.name)
    match kind.name, argument:
        case "percentile", _:
            built = BuiltinAggregation(kind.name, percent=_percent(use, argument, report))
        case "count", Typed():
            report += _counted(target, argument)
            built = BuiltinAggregation(kind.name, widen(argument, target.type))
        case _, Typed():
            report.append(
                catalogue.AGGREGATION_ARGUMENT(use.span, aggregation=use.name, wanted="no argument")
            )
        case _:
            pass
    return built, _result(kind, target.type)


def _result(kind: AggregationKind, values: Type | None) -> Type | None:
    results = set(kind.results.values())
    if len(results) == 1:
        return results.pop()
    return None if values is None else kind.results.get(values)


def _not_taken(
    use: tree.AggregationUse, target: AccessTarget, given: Type, wanted: list[Type]
) -> Diagnostic:
    stream = target.reference.stream
    return catalogue.aggregation_type(use.name, stream, given, wanted, use.span)


def _counted(target: AccessTarget, argument: Typed) -> list[Diagnostic]:
    """`count(v)` compares v with the values, so it has their type."""
    if argument.type is None or target.type is None or fits(argument.type, target.type):
        return []
    stream, span = target.reference.stream, argument.node.span
    return [catalogue.COUNTED_TYPE(span, stream=stream, wanted=target.type, given=argument.type)]


def _percent(
    use: tree.AggregationUse, argument: Typed | None, report: list[Diagnostic]
) -> float | None:
    if argument is None:
        report.append(catalogue.PERCENTILE(use.span))
        return None
    match argument.node:
        case Constant(type=Type.INT | Type.DOUBLE, value=int() | float() as p) if 0 <= p <= 100:
            return float(p)
        case _:
            report.append(catalogue.PERCENTILE(argument.node.span))
            return None
