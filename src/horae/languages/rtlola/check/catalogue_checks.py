"""Everything that checking can find wrong with a specification, in the order of the codes.

02x names, 03x types, 04x templates and clauses, 05x well-definedness and the future, 06x windows
and aggregations, 09x warnings.
"""

from __future__ import annotations

from collections.abc import Sequence

from horae.data.types import Type
from horae.frontend.catalogue_syntax import error
from horae.source.diagnostic import Diagnostic, Label
from horae.source.messages import ProgramMessage
from horae.source.text import Span


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _types(types: Sequence[Type]) -> str:
    return "(" + ", ".join(types) + ")"


# --- 02x: names


UNKNOWN_NAME = ProgramMessage(
    "RTL020", "nothing is called `{name}` here", caption="not declared", help="{help}"
)


def unknown_function(name: str, span: Span, help: str) -> Diagnostic:
    message = f"there is no function or template `{name}`"
    return error("RTL021", message, span, "not declared", help=help)


def declared_twice(what: str, name: str, span: Span, first: Span) -> Diagnostic:
    return error(
        "RTL022",
        f"{what} `{name}` is declared twice",
        span,
        "declared again",
        labels=[Label(first, "declared first here")],
        help="give one of them another name",
    )


RESERVED_NAME = ProgramMessage(
    "RTL023",
    "{what} cannot be called `{name}`: that is {kind}",
    caption="taken",
    help="for example `my_{name}`",
)


def second_clock(span: Span, first: Span) -> Diagnostic:
    return error(
        "RTL024",
        "there is more than one `timeinput`",
        span,
        "a second clock",
        labels=[Label(first, "the clock is declared here")],
        help="make it an `input`",
    )


def second_frequency(span: Span, first: Span) -> Diagnostic:
    return error(
        "RTL025",
        "there is more than one `frequency`",
        span,
        "given again",
        labels=[Label(first, "given first here")],
        help="give single outputs a rate of their own with `extend`",
    )


UNKNOWN_AGGREGATION = ProgramMessage(
    "RTL026", "there is no aggregation `{name}`", caption="not known", help="{help}"
)


FIELD_OUTSIDE_AGGREGATION = ProgramMessage(
    "RTL027",
    "`{owner}.{name}` has a meaning inside an `aggregation` only",
    note="streams have no fields",
)


PARAMETER_AS_STREAM = ProgramMessage(
    "RTL028",
    "`{name}` is a parameter, not a stream",
    caption="has one value, no history",
    help="write just `{name}`",
)


# --- 03x: types


def operator_types(
    operator: str, operands: Sequence[tuple[Type, Span]], span: Span, help: str
) -> Diagnostic:
    taken = " and ".join(type for type, _ in operands)
    labels = [Label(place, type) for type, place in operands]
    message = f"`{operator}` does not take {taken}"
    return error("RTL030", message, span, labels=labels, help=help)


def branch_types(then: Type, otherwise: Type, span: Span, other: Span) -> Diagnostic:
    return error(
        "RTL031",
        f"the branches of `if` have different types: {then} and {otherwise}",
        other,
        f"is {otherwise}",
        labels=[Label(span, f"is {then}")],
        help="the value of `if` has one type, so both branches must have it",
    )


def function_types(
    function: str, given: Sequence[Type], wanted: Sequence[str], span: Span
) -> Diagnostic:
    return error(
        "RTL032",
        f"`{function}` does not take {_types(given)}",
        span,
        help="it takes " + " or ".join(wanted),
    )


def function_arity(function: str, given: int, wanted: str, span: Span) -> Diagnostic:
    message = f"`{function}` takes {wanted}, not {given}"
    return error("RTL033", message, span, f"{_plural(given, 'argument')} here")


def value_type(what: str, wanted: Type, given: Type, span: Span, declared: Span) -> Diagnostic:
    help = "cast it with `int(…)`, which truncates" if wanted is Type.INT else ""
    if wanted is Type.STRING:
        help = "cast it with `string(…)`"
    return error(
        "RTL034",
        f"{what} is {wanted}, but its value is {given}",
        span,
        f"is {given}",
        labels=[Label(declared, f"declared {wanted}")],
        help=help if given is not Type.STRING else "",
    )


def default_type(what: str, wanted: Type, given: Type, span: Span) -> Diagnostic:
    zero = {Type.INT: "0", Type.DOUBLE: "0.0", Type.BOOL: "false", Type.STRING: '""'}[wanted]
    return error(
        "RTL035",
        f"the default is {given}, but {what} is {wanted}",
        span,
        f"is {given}",
        help=f"a default of type {wanted}, for example `{zero}`",
    )


CONDITION_TYPE = ProgramMessage(
    "RTL036", "{what} must be bool, not {given}", caption="is {given}", help="{help}"
)


def no_pace(clause: str, span: Span) -> Diagnostic:
    always = "`extend: true` is every position; else " if clause == "extend" else ""
    return error(
        "RTL110",
        f"this `{clause}` reads no stream, so nothing says when to look at it",
        span,
        note="a condition is considered where a stream that it reads is extended",
        help=f"{always}name a stream in it, as in `a = id`, or give a rate, such as `1Hz`",
    )


INTEGER_RANGE = ProgramMessage(
    "RTL037",
    "{value} does not fit an int of 64 bits",
    caption="too large",
    help="`{value}.0` is a double",
)


DOUBLE_RANGE = ProgramMessage("RTL037", "this does not fit a double", caption="too large")


CLOCK_TYPE = ProgramMessage(
    "RTL038",
    "the clock `{name}` must be a number, not {given}",
    caption="is {given}",
    help="declare it `double` (seconds) or `int`",
)


def pattern(reason: str, span: Span) -> Diagnostic:
    message = "this pattern is not a regular expression"
    help = (
        "the syntax is that of RE2: no references back, no looking around, repetitions up to 1000"
    )
    return error("RTL039", message, span, note=f"the pattern: {reason}", help=help)


# --- 04x: templates and clauses


def argument_count(
    stream: str, given: int, parameters: Sequence[Type], span: Span, declared: Span
) -> Diagnostic:
    wanted = _plural(len(parameters), "argument")
    return error(
        "RTL040",
        f"`{stream}` takes {wanted}, not {given}",
        span,
        f"{_plural(given, 'argument')} here",
        labels=[Label(declared, f"declared with {_types(parameters)}")],
        help="give one argument per parameter",
    )


def argument_type(
    stream: str, parameter: str, wanted: Type, given: Type, span: Span, declared: Span
) -> Diagnostic:
    return error(
        "RTL041",
        f"parameter `{parameter}` of `{stream}` is {wanted}, not {given}",
        span,
        f"is {given}",
        labels=[Label(declared, f"declared {wanted}")],
    )


def no_parameters(stream: str, span: Span, declared: Span) -> Diagnostic:
    return error(
        "RTL042",
        f"`{stream}` has no parameters",
        span,
        "takes no arguments",
        labels=[Label(declared, "declared here")],
        help=f"write `{stream}`",
    )


def arguments_missing(stream: str, names: Sequence[str], span: Span, declared: Span) -> Diagnostic:
    instance = f"{stream}({', '.join(names)})"
    return error(
        "RTL043",
        f"`{stream}` is a template: which instance?",
        span,
        "no arguments",
        labels=[Label(declared, "its parameters")],
        help=f"give arguments: `{instance}`, or range over the instances: `any({stream} …)`, "
        f"`all({stream} …)`, `count({stream})`",
    )


NOTHING_TO_RANGE_OVER = ProgramMessage(
    "RTL044",
    "`{quantifier}` ranges over the instances of a template, and there is none here",
    caption="no template without arguments",
    help="{help}",
)


def ranges_differ(
    quantifier: str, span: Span, templates: Sequence[tuple[str, Sequence[Type], Span]]
) -> Diagnostic:
    labels = [Label(place, f"`{name}` has {_types(types)}") for name, types, place in templates]
    return error(
        "RTL045",
        f"the templates in `{quantifier}` have different parameters",
        span,
        labels=labels,
        note="they range together over the parameters for which all of them are active",
    )


def invoke_missing(stream: str, parameters: Sequence[str], span: Span) -> Diagnostic:
    is_one = len(parameters) == 1
    streams = "…" if is_one else f"({', '.join('…' for _ in parameters)})"
    names = ", ".join(f"`{name}`" for name in parameters)
    return error(
        "RTL046",
        f"the template `{stream}` is never invoked",
        span,
        "parameters, but no `invoke`",
        help=f"add `invoke: {streams}`, the stream{'' if is_one else 's'} whose values become {names}",
    )


def invoke_count(
    stream: str, given: int, parameters: Sequence[Type], span: Span, declared: Span
) -> Diagnostic:
    wanted = _plural(len(parameters), "parameter")
    return error(
        "RTL047",
        f"`{stream}` has {wanted}, but `invoke` names {_plural(given, 'stream')}",
        span,
        labels=[Label(declared, f"declared with {_types(parameters)}")],
        help="`invoke` names one stream per parameter: `invoke: (a, b)`",
    )


def invoke_type(
    stream: str, parameter: str, wanted: Type, given: Type, span: Span, declared: Span
) -> Diagnostic:
    return error(
        "RTL048",
        f"`{stream}` cannot give the parameter `{parameter}`: it is {given}, not {wanted}",
        span,
        f"is {given}",
        labels=[Label(declared, f"declared {wanted}")],
        help=f"declare `{parameter}` as {given}",
    )


RATE_NOT_POSITIVE = ProgramMessage(
    "RTL049", "a rate must be positive, not `{text}`", caption="never ticks"
)


# --- 05x: well-definedness and the future


def same_position_cycle(path: Sequence[str], steps: Sequence[Label], help: str) -> Diagnostic:
    if len(path) == 1:
        message = f"`{path[0]}` needs its own value at the same position"
    else:
        message = "these streams need each other at the same position: " + _arrows(path)
    return error("RTL050", message, steps[0].span, steps[0].text, labels=steps[1:], help=help)


def unbounded_future(path: Sequence[str], steps: Sequence[Label]) -> Diagnostic:
    return error(
        "RTL051",
        f"this looks into the future without bound: {_arrows(path)}",
        steps[0].span,
        steps[0].text,
        labels=steps[1:],
        note="a value would wait for a later one, and that for a still later one",
        help="use a negative offset somewhere on the way round, or break the cycle",
    )


def _arrows(path: Sequence[str]) -> str:
    return " → ".join(f"`{name}`" for name in (*path, path[0]))


def no_shared_pace(members: Sequence[tuple[str, Sequence[Type], Span]]) -> Diagnostic:
    names = ", ".join(f"`{name}`" for name, _, _ in members)
    first, *rest = members
    return error(
        "RTL052",
        f"{names} read each other without `extend`, but their parameters differ",
        first[2],
        f"has {_types(first[1])}",
        labels=[Label(span, f"has {_types(types)}") for _, types, span in rest],
        note="streams without `extend` that read each other in a cycle share one pace",
        help="give one of them an `extend`",
    )


def circular_pace(reader: str, target: str, steps: Sequence[Label]) -> Diagnostic:
    return error(
        "RTL053",
        f"`{reader}` counts back in `{target}`, but whether `{target}` is extended depends on "
        f"`{reader}`",
        steps[0].span,
        steps[0].text,
        labels=steps[1:],
        note=f"`{target}[-1, …]` is the value before the latest one, and which one is the latest "
        f"depends\non whether `{target}` gets a value at this position",
        help=f"give `{target}` a rate or a condition that does not need `{reader}`, "
        f"or go back in time: `{target}[-1s, …]`",
    )


# --- 06x: windows and aggregations


def aggregation_type(
    aggregation: str, stream: str, given: Type, wanted: Sequence[Type], span: Span
) -> Diagnostic:
    return error(
        "RTL060",
        f"`{aggregation}` does not take {given}",
        span,
        f"`{stream}` is {given}",
        help="it takes " + " or ".join(wanted),
    )


AGGREGATION_ARGUMENT = ProgramMessage("RTL061", "`{aggregation}` takes {wanted}")


PERCENTILE = ProgramMessage(
    "RTL062", "`percentile` needs a constant between 0 and 100", help="for example `percentile(95)`"
)


COUNTED_TYPE = ProgramMessage(
    "RTL063", "`count` looks for {given}, but `{stream}` is {wanted}", caption="is {given}"
)


def window_not_positive(text: str, span: Span) -> Diagnostic:
    positive = text.lstrip("-−").strip()
    help = "" if positive == text else f"drop the minus: `{positive}` reaches back from now"
    return error("RTL064", "the length of a window must be positive", span, help=help)


ASSIGNMENT_UNKNOWN = ProgramMessage(
    "RTL065",
    "`{part}` assigns `{variable}`, which is not in the state",
    caption="not a state variable",
    help="{help}",
)


def assignment_repeated(variable: str, part: str, span: Span) -> Diagnostic:
    message = f"`{part}` assigns `{variable}` twice"
    return error("RTL065", message, span, "assigned again")


def assignment_missing(variable: str, part: str, span: Span, declared: Span) -> Diagnostic:
    return error(
        "RTL066",
        f"`{part}` does not assign `{variable}`",
        span,
        labels=[Label(declared, "declared here")],
        note=f"`{part}` assigns each state variable once",
    )


INITIAL_VALUE = ProgramMessage(
    "RTL067",
    "the initial value of `{variable}` must be a constant of type {wanted}",
    help="a literal, with or without a minus",
)


STREAM_IN_AGGREGATION = ProgramMessage(
    "RTL068",
    "an aggregation reads its state and its argument only",
    caption="`{name}` cannot be read here",
)


def unknown_variable(name: str, span: Span, available: Sequence[str], part: str) -> Diagnostic:
    help = f"`{part}` can use " + ", ".join(f"`{v}`" for v in available)
    return error("RTL069", f"there is no variable `{name}` here", span, help=help)
