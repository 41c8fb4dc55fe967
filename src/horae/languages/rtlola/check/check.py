"""From the syntax tree to the checked program: the passes, in their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from horae.languages.rtlola.check.clauses import check_rate
from horae.languages.rtlola.check.dependencies import find_dependencies
from horae.languages.rtlola.check.inference import infer_types
from horae.languages.rtlola.check.names import DeclaredNames, collect_names
from horae.languages.rtlola.check.order import Order, find_order
from horae.languages.rtlola.check.paces import find_paces, trigger_pace
from horae.languages.rtlola.check.scope import CheckScope
from horae.languages.rtlola.check.streams import TypedOutput, check_outputs, check_trigger_condition
from horae.languages.rtlola.check.user_aggregations import check_aggregations
from horae.languages.rtlola.program import (
    Expression,
    Input,
    Output,
    Pace,
    Program,
    Template,
    Trigger,
)
from horae.languages.rtlola.syntax import tree
from horae.languages.rtlola.syntax.parse import parse
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source


def load(source: Source) -> tuple[Program | None, list[Diagnostic]]:
    """Parse and check. There is a program iff no diagnostic is an error."""
    spec, found = parse(source)
    if spec is None:
        return None, found
    program, more = check(source, spec)
    report = [*found, *more]
    return (None if any(d.is_error for d in found) else program), report


def check(source: Source, spec: tree.Specification) -> tuple[Program | None, list[Diagnostic]]:
    """The passes. Each reports what it finds and goes on with what it could make sense of."""
    names, report = collect_names(spec)
    aggregations, found = check_aggregations(names)
    report += found

    scope = CheckScope(names, {}, aggregations, report)
    scope = replace(scope, types=infer_types(scope))
    frequency = _frequency(names, report)
    outputs = check_outputs(scope)
    conditions = _trigger_conditions(scope)

    paces, found = find_paces(outputs, frequency)
    report += found
    order, found = find_order([o.name for o in outputs], find_dependencies(outputs, paces))
    report += found

    report.sort(key=lambda d: d.span.start)
    if any(d.is_error for d in report):
        return None, report
    program = Program(
        source=source,
        inputs=_inputs(names),
        outputs=tuple(_output(o, paces[o.name], order) for o in outputs),
        triggers=_triggers(source, names, conditions),
        order=order.order,
        layers={name: 0 for name in names.inputs} | order.layers,
        frequency=frequency,
    )
    return program, report


def _frequency(names: DeclaredNames, report: list[Diagnostic]) -> Fraction | None:
    periods = [check_rate(f.rate, report).period for f in names.frequencies]
    return periods[0] if periods else None


def _trigger_conditions(scope: CheckScope) -> list[Expression]:
    return [
        check_trigger_condition(condition, scope)
        for trigger in scope.names.triggers
        for condition in trigger.conditions
    ]


def _inputs(names: DeclaredNames) -> tuple[Input, ...]:
    return tuple(
        Input(name, declared.type.type, declared in names.clocks, span=declared.span)
        for name, declared in names.inputs.items()
    )


def _output(output: TypedOutput, pace: Pace, order: Order) -> Output:
    template = Template(
        parameters=output.parameters,
        invoke=tuple(name.name for name in output.declared.invoke),
        terminate=output.terminate,
        closes_after=output.name in order.closing_after,
    )
    span = output.declared.span
    return Output(output.name, output.type, template, pace, output.expression, span=span)


def _triggers(
    source: Source, names: DeclaredNames, conditions: Sequence[Expression]
) -> tuple[Trigger, ...]:
    written = [(t, c) for t in names.triggers for c in t.conditions]
    return tuple(
        Trigger(
            number=number,
            condition=condition,
            message=declared.message,
            text=source.snippet(text.span),
            pace=trigger_pace(condition),
            span=text.span,
        )
        for number, ((declared, text), condition) in enumerate(
            zip(written, conditions, strict=True), start=1
        )
    )
