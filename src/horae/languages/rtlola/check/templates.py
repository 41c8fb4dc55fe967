"""Templates: which instance an access means, and how instances are invoked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from horae.data.types import Type
from horae.languages.rtlola.check import catalogue_checks as catalogue
from horae.languages.rtlola.check.names import DeclaredNames
from horae.languages.rtlola.check.scope import CheckScope, Typed, fits, widen
from horae.languages.rtlola.program import Expression, Parameter, Reference
from horae.languages.rtlola.syntax import tree
from horae.source.diagnostic import Diagnostic
from horae.source.suggest import did_you_mean


@dataclass(frozen=True, slots=True)
class AccessTarget:
    """The stream or instance that an access reads, and the type of its values."""

    reference: Reference
    type: Type | None


def resolve_name(name: tree.Name, scope: CheckScope) -> AccessTarget | None:
    """An input or output; or a template without arguments.

    Inside `any`, `all`, `count` that is the instance under consideration; inside a template with
    the same parameter types, the instance with the same parameters.
    """
    parameters = scope.names.parameters(name.name)
    stream, type = name.name, scope.types[name.name]
    if not parameters:
        return AccessTarget(Reference(stream, span=name.span), type)
    if scope.ranged is not None:
        scope.ranged.setdefault(stream, name.span)
        return AccessTarget(Reference(stream, every_instance=True, span=name.span), type)
    if [p.type for p in parameters] == [p.type for p in scope.parameters]:
        same: tuple[Expression, ...] = tuple(replace(p, span=name.span) for p in scope.parameters)
        return AccessTarget(Reference(stream, same, span=name.span), type)
    names = [p.name for p in parameters]
    place = parameters[0].span.to(parameters[-1].span)
    scope.report.append(catalogue.arguments_missing(stream, names, name.span, place))
    return None


def resolve_instance(
    instance: tree.Apply, arguments: tuple[Typed, ...], scope: CheckScope
) -> AccessTarget | None:
    """`s(x, y)`: one argument per parameter, each of its type."""
    stream, span, names = instance.name, instance.span, scope.names
    parameters = names.parameters(stream)
    if not parameters:
        scope.report.append(catalogue.no_parameters(stream, span, names.place(stream)))
        return None
    if len(arguments) != len(parameters):
        types, place = names.parameter_types(stream), names.place(stream)
        found = catalogue.argument_count(stream, len(arguments), types, span, place)
        scope.report.append(found)
        return None
    scope.report.extend(_argument_types(stream, parameters, arguments))
    nodes = tuple(widen(a, p.type) for a, p in zip(arguments, parameters, strict=True))
    return AccessTarget(Reference(stream, nodes, span=span), scope.types[stream])


def _argument_types(
    stream: str, parameters: Sequence[Parameter], arguments: Sequence[Typed]
) -> list[Diagnostic]:
    return [
        catalogue.argument_type(stream, p.name, p.type, a.type, a.node.span, p.span)
        for p, a in zip(parameters, arguments, strict=True)
        if a.type is not None and not fits(a.type, p.type)
    ]


def check_invoke(output: tree.Output, scope: CheckScope) -> list[Diagnostic]:
    """One stream per parameter, of its type; without parameters any streams will do."""
    names, report = scope.names, list[Diagnostic]()
    known = [name for name in output.invoke if names.is_stream(name.name)]
    for name in output.invoke:
        if name not in known:
            report.append(_unknown_invoke(name, names))
    types = names.parameter_types(output.name.name)
    if types and not output.invoke:
        parameters = [p.name.name for p in output.parameters]
        report.append(catalogue.invoke_missing(output.name.name, parameters, output.name.span))
    elif types and len(types) != len(output.invoke):
        span = output.invoke[0].span.to(output.invoke[-1].span)
        given, stream = len(output.invoke), output.name
        report.append(catalogue.invoke_count(stream.name, given, types, span, stream.span))
    elif types:
        report += _invoke_types(output, scope)
    return report


def _unknown_invoke(name: tree.Name, names: DeclaredNames) -> Diagnostic:
    help = did_you_mean(name.name, names.streams()) or "`invoke` names streams"
    return catalogue.UNKNOWN_NAME(name.span, name=name.name, help=help)


def _invoke_types(output: tree.Output, scope: CheckScope) -> list[Diagnostic]:
    report = []
    for name, parameter in zip(output.invoke, output.parameters, strict=True):
        given, wanted = scope.types.get(name.name), parameter.type.type
        if given is not None and given is not wanted:
            found = catalogue.invoke_type(
                name.name, parameter.name.name, wanted, given, name.span, parameter.span
            )
            report.append(found)
    return report
