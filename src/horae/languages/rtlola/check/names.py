"""Collect the declared names, and find those that are declared twice or taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from horae.data.types import Type
from horae.languages.rtlola.check import catalogue_checks as catalogue
from horae.languages.rtlola.check import catalogue_warnings
from horae.languages.rtlola.check.functions import FUNCTIONS
from horae.languages.rtlola.program import Parameter, Quantifier
from horae.languages.rtlola.syntax import tree
from horae.languages.rtlola.syntax.aggregations import AGGREGATIONS, ALIASES
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span

QUANTIFIERS = {quantifier.value: quantifier for quantifier in Quantifier}


@dataclass(frozen=True, slots=True)
class DeclaredNames:
    """What the specification declares; of a name declared twice, the first declaration."""

    inputs: dict[str, tree.Declared] = field(default_factory=dict)
    outputs: dict[str, tree.Output] = field(default_factory=dict)
    aggregations: dict[str, tree.Aggregation] = field(default_factory=dict)
    clocks: list[tree.Declared] = field(default_factory=list)
    frequencies: list[tree.Frequency] = field(default_factory=list)
    triggers: list[tree.Trigger] = field(default_factory=list)

    def is_stream(self, name: str) -> bool:
        return name in self.inputs or name in self.outputs

    def is_template(self, name: str) -> bool:
        return name in self.outputs and bool(self.outputs[name].parameters)

    def streams(self) -> tuple[str, ...]:
        return (*self.inputs, *self.outputs)

    def parameters(self, stream: str) -> tuple[Parameter, ...]:
        declared = self.outputs[stream].parameters if stream in self.outputs else ()
        return tuple(
            Parameter(p.name.name, index, p.type.type, span=p.span)
            for index, p in enumerate(declared)
        )

    def parameter_types(self, stream: str) -> tuple[Type, ...]:
        return tuple(p.type for p in self.parameters(stream))

    def place(self, name: str) -> Span:
        """Where the stream or aggregation is declared."""
        tables: tuple[Mapping[str, tree.Declared | tree.Output | tree.Aggregation], ...] = (
            self.inputs,
            self.outputs,
            self.aggregations,
        )
        return next(table[name].name.span for table in tables if name in table)


def collect_names(spec: tree.Specification) -> tuple[DeclaredNames, list[Diagnostic]]:
    names = DeclaredNames()
    report: list[Diagnostic] = []
    for declaration in spec.declarations:
        _declare(declaration, names, report)
    for output in names.outputs.values():
        report += _check_parameters(output, names)
    return names, report


def _declare(declaration: tree.Declaration, names: DeclaredNames, report: list[Diagnostic]) -> None:
    match declaration:
        case tree.Frequency():
            if names.frequencies:
                first = names.frequencies[0].span
                report.append(catalogue.second_frequency(declaration.span, first))
            names.frequencies.append(declaration)
        case tree.Input():
            for stream in declaration.streams:
                _declare_input(stream, declaration.is_clock, names, report)
        case tree.Output():
            report += _taken(declaration.name, bool(declaration.parameters))
            if not _twice(declaration.name, names, report):
                names.outputs[declaration.name.name] = declaration
        case tree.Aggregation():
            _declare_aggregation(declaration, names, report)
        case tree.Trigger():
            names.triggers.append(declaration)


def _declare_input(
    stream: tree.Declared, is_clock: bool, names: DeclaredNames, report: list[Diagnostic]
) -> None:
    report += _taken(stream.name, False)
    if _twice(stream.name, names, report):
        return
    names.inputs[stream.name.name] = stream
    if not is_clock:
        return
    if names.clocks:
        report.append(catalogue.second_clock(stream.span, names.clocks[0].span))
    if not stream.type.type.is_numeric:
        report.append(
            catalogue.CLOCK_TYPE(stream.type.span, name=stream.name.name, given=stream.type.type)
        )
    names.clocks.append(stream)


def _declare_aggregation(
    declaration: tree.Aggregation, names: DeclaredNames, report: list[Diagnostic]
) -> None:
    name = declaration.name
    if name.name in AGGREGATIONS or name.name in ALIASES:
        kind = "an aggregation already"
        report.append(
            catalogue.RESERVED_NAME(name.span, what="an aggregation", name=name.name, kind=kind)
        )
    elif not _twice(name, names, report):
        names.aggregations[name.name] = declaration


def _twice(name: tree.Name, names: DeclaredNames, report: list[Diagnostic]) -> bool:
    """Streams and aggregations share one space of names: both stand in the brackets of a window."""
    if not names.is_stream(name.name) and name.name not in names.aggregations:
        return False
    what = "the aggregation" if name.name in names.aggregations else "the stream"
    report.append(catalogue.declared_twice(what, name.name, name.span, names.place(name.name)))
    return True


def _taken(name: tree.Name, is_template: bool) -> list[Diagnostic]:
    """A template called `count` would make `count(x)` ambiguous; an input would not."""
    if name.name in FUNCTIONS:
        return [
            catalogue.RESERVED_NAME(name.span, what="a stream", name=name.name, kind="a function")
        ]
    if is_template and name.name in QUANTIFIERS:
        kind = "an operator over instances"
        return [catalogue.RESERVED_NAME(name.span, what="a template", name=name.name, kind=kind)]
    return []


def _check_parameters(output: tree.Output, names: DeclaredNames) -> list[Diagnostic]:
    report: list[Diagnostic] = []
    first: dict[str, Span] = {}
    for parameter in output.parameters:
        name, span = parameter.name.name, parameter.name.span
        if name in first:
            report.append(catalogue.declared_twice("the parameter", name, span, first[name]))
        elif names.is_stream(name):
            report.append(catalogue_warnings.HIDDEN_STREAM(span, parameter=name))
        first.setdefault(name, span)
    return report
