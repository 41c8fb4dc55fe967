"""Random specifications of RTLola as text: small, checked, with all constructs of the language.

`random_specification` draws from a seeded generator: the same seed gives the same text.
"""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from tests.strategies.rtlola_expressions import (
    BOOL,
    EXACT,
    INT,
    ROUGH,
    STRING,
    Expressions,
    Place,
    Stream,
)
from tests.strategies.shrinking import accepted, thinned

from horae.languages.rtlola.check.check import load
from horae.languages.rtlola.program import Program
from horae.source.text import Source

_INPUTS = (
    Stream("a", INT),
    Stream("b", INT),
    Stream("k", INT),
    Stream("x", EXACT),
    Stream("y", EXACT),
    Stream("p", BOOL),
    Stream("s", STRING),
)
_HEADER = """input int a, b
input k: int
input double x, y
input bool p
input string s
"""
_TYPES = {INT: "int", EXACT: "double", ROUGH: "double", BOOL: "bool", STRING: "string"}
_KINDS = (INT, INT, INT, EXACT, EXACT, ROUGH, BOOL, STRING)
_PARAMETERS = ((INT,), (INT,), (STRING,), (INT, INT), (INT, STRING))
_PARAMETER_NAMES = ("id", "other")
_RATES = ("1Hz", "2 Hz", "0.5Hz", "2s", "3s", "5 s")
_DECLARATIONS = re.compile(r"^\w(?:.|\n(?!\w))*\n", re.MULTILINE)

_AGGREGATIONS = {
    "spread": """aggregation spread(v: double) -> double {
    state: lo double = 1e9, hi double = -1e9;
    step: lo := min(lo, v), hi := max(hi, v);
    combine: lo := min(left.lo, right.lo), hi := max(left.hi, right.hi);
    result: hi - lo
}
""",
    "tally": """aggregation tally(v: int) -> int {
    state: total int = 0, odd int = 0;
    step: total := total + v, odd := odd + abs(v % 2);
    combine: total := left.total + right.total, odd := left.odd + right.odd;
    inverse: total := whole.total - left.total, odd := whole.odd - left.odd;
    result: total * 2 + odd
}
""",
    "drift": """aggregation drift(v: int) -> int {
    state: start int = 0, end int = 0, empty bool = true;
    step: start := if empty then v else start, end := v, empty := false;
    combine: start := if left.empty then right.start else left.start,
             end := if right.empty then left.end else right.end,
             empty := left.empty and right.empty;
    result: end - start
}
""",
}


def random_specification(rng: Random) -> str:
    """The first of the attempts that checks: nearly always the first one."""
    while True:
        text = attempt_specification(rng)
        if load(Source("random.lola", text))[0] is not None:
            return text


def random_program(rng: Random) -> Program:
    program, _ = load(Source("random.lola", random_specification(rng)))
    assert program is not None
    return program


def thinned_program(rng: Random, text: str) -> Program:
    """A specification; when it is shrunk, without some of its declarations."""
    kept = "".join(thinned(rng, _DECLARATIONS.findall(text)))
    return accepted(load(Source("thinned.lola", kept))[0])


def attempt_specification(rng: Random) -> str:
    """Signatures first, so that outputs can read the past of later ones; then the declarations."""
    outputs = _signatures(rng)
    own = {name for name in _AGGREGATIONS if rng.random() < 0.5}
    parts = [_HEADER, *(_AGGREGATIONS[name] for name in sorted(own))]
    if rng.random() < 0.2:
        parts.append("timeinput double ts\n")
    if rng.random() < 0.15:
        parts.append(f"frequency {rng.choice(('1 Hz', '0.5 Hz'))}\n")
    streams = [*_INPUTS, *outputs]
    parts += [_Declaration(rng, streams, output, own).text() for output in outputs]
    parts += [_trigger(rng, streams, own) for _ in range(rng.randint(0, 3))]
    return "".join(parts)


def _signatures(rng: Random) -> list[Stream]:
    """Templates often share their parameters, so that they can read each other's instances."""
    shared = rng.choice(_PARAMETERS)
    found = []
    for index in range(rng.randint(1, 6)):
        parameters = () if rng.random() < 0.45 else shared
        if parameters and rng.random() < 0.25:
            parameters = rng.choice(_PARAMETERS)
        plain = rng.random() < 0.4
        found.append(Stream(f"o{index}", rng.choice(_KINDS), parameters, index, plain))
    return _partners(rng, found) if len(found) > 1 and rng.random() < 0.15 else found


def _partners(rng: Random, streams: list[Stream]) -> list[Stream]:
    """Let two of the outputs read each other: of one kind, with the same parameters."""
    one, other = sorted(rng.sample(range(len(streams)), 2))
    kind = rng.choice((INT, EXACT))
    first = replace(streams[one], kind=kind, plain=True, partner=f"o{other}")
    streams[one] = first
    streams[other] = replace(first, name=f"o{other}", index=other, partner=first.name)
    return streams


def _trigger(rng: Random, streams: list[Stream], own: set[str]) -> str:
    expressions = Expressions(rng, streams, Place(len(streams)), own)
    conditions = [_trigger_condition(rng, expressions) for _ in range(rng.choice((1, 1, 2)))]
    message = rng.choice(("", ' "too much"', ' "look: “here”"'))
    return f"trigger {', '.join(conditions)}{message}\n"


def _trigger_condition(rng: Random, expressions: Expressions) -> str:
    over = expressions.over() if rng.random() < 0.6 else None
    if over is None:
        return expressions.boolean(2)
    return over if rng.random() < 0.7 else f"{over} and {expressions.boolean(1)}"


class _Declaration:
    """One output: its life, its pace and its expression."""

    def __init__(self, rng: Random, streams: list[Stream], output: Stream, own: set[str]):
        self.rng = rng
        self.output = output
        names = zip(_PARAMETER_NAMES, output.parameters, strict=False)
        place = Place(output.index, tuple(names))
        self.parameters = place.parameters
        self.known = [s for s in streams if s.index < output.index]
        self.inputs = [s for s in streams if s.index < 0]
        self.conditions = Expressions(rng, self.inputs if output.plain else streams, place, set())
        self.conditions.later = []
        self.values = Expressions(rng, streams, place, own)

    def text(self) -> str:
        name, kind = self.output.name, self.output.kind
        types = [f"{_TYPES[type]} {name}" for name, type in self.parameters]
        parameters = f"<{', '.join(types)}>" if types else ""
        clauses = [self._invoke(), self._extend(), self._terminate()]
        lines = [f"output {_TYPES[kind]} {name}{parameters}"]
        lines += [f"    {clause}" for clause in clauses if clause]
        return "\n".join([*lines, f"    := {self._expression()}"]) + "\n"

    def _invoke(self) -> str:
        if not self.parameters:
            return "invoke: p" if self.rng.random() < 0.05 else ""
        streams = [self._invoking(type) for _, type in self.parameters]
        return f"invoke: {streams[0]}" if len(streams) == 1 else f"invoke: ({', '.join(streams)})"

    def _invoking(self, type: str) -> str:
        outputs = [s.name for s in self.known if s.kind == type and s.index >= 0]
        if outputs and not self.output.plain and self.rng.random() < 0.4:
            return self.rng.choice(outputs)
        return self.rng.choice({INT: ("a", "a", "b"), STRING: ("s",)}[type])

    def _extend(self) -> str:
        roll = self.rng.random()
        if roll < 0.3:
            return self._omit()
        if roll < 0.5:
            return f"extend: {self.rng.choice(_RATES)}"
        if self.parameters and roll < 0.85:
            return f"extend: {self._binding()}"
        return f"extend: {self._condition()}"

    def _omit(self) -> str:
        """Without `extend` the pace is that of what the expression reads: inputs, if plain."""
        if self.output.plain:
            self.values.known = self.inputs
        return ""

    def _binding(self) -> str:
        """Parameters compared with inputs, as most specifications do."""
        columns = {INT: ("a", "b"), STRING: ("s",)}
        atoms = [f"{self.rng.choice(columns[type])} = {name}" for name, type in self.parameters]
        if self.rng.random() < 0.2:
            atoms.append(self._condition())
        return self.rng.choice((" and ", " and ", " or ")).join(atoms)

    def _condition(self) -> str:
        bools = [s.name for s in self.known if s.kind == BOOL and not s.parameters]
        usable = bools if not self.output.plain else ["p"]
        if self.rng.random() < 0.3:
            return self.rng.choice(usable)
        return f"{self.conditions.boolean(2)} or p" if self.rng.random() < 0.4 else "a >= 1"

    def _terminate(self) -> str:
        roll = self.rng.random()
        if roll < 0.6:
            return ""
        if roll < 0.68:
            return f"terminate: {self.rng.choice(_RATES)}"
        own = self._own_value()
        if own and not self.output.plain and roll < 0.8:
            return f"terminate: {own}"
        if self.parameters and roll < 0.93:
            return f"terminate: {self._binding()} and p"
        return f"terminate: {self._condition()}"

    def _own_value(self) -> str:
        name = self.output.name
        return {INT: f"{name} >= 2", EXACT: f"{name} > 1.0", BOOL: name}.get(self.output.kind, "")

    def _expression(self) -> str:
        """What could grow without bound, by recursion or by products, is kept small."""
        kind = self.output.kind
        text = self._recursive() or self.values.of(kind, self.rng.randint(1, 3))
        if kind == INT and any(part in text for part in ("*", "^", "sum", "product", "tally", "o")):
            return f"({text}) % 1009"
        return f"({text}) % 64.0" if kind == EXACT and not text.isidentifier() else text

    def _recursive(self) -> str:
        """A read of the own past, or of the partner's past (by the earlier one) or present."""
        if self.output.kind not in (INT, EXACT):
            return ""
        partner = self.output.partner
        if not partner and self.rng.random() < 0.75:
            return ""
        offset = "[0, 0]" if partner and partner < self.output.name else "[-1, 0]"
        read = self._same_instance(partner or self.output.name) + offset
        return f"{read} + {self.values.of(self.output.kind, 1)}"

    def _same_instance(self, name: str) -> str:
        if not self.parameters or self.rng.random() < 0.3:
            return name
        return f"{name}({', '.join(name for name, _ in self.parameters)})"
