"""Random specifications, most of which can be spread: templates keyed by inputs, and who asks for all.

The inputs are those of `rtlola_traces.py`: `a`, `b`, `k` int, `x`, `y` double, `p` bool, `s` string.
"""

from __future__ import annotations

from random import Random

from horae.languages.rtlola.check.check import load
from horae.languages.rtlola.program import Program
from horae.source.text import Source

_HEADER = "input int a, b, k\ninput double x, y\ninput bool p\ninput string s\n"
_RATES = ("1s", "2s", "3s", "5s", "0.5s", "2 Hz")
_KEYS = {"int": ("a", "a", "b", "k"), "double": ("x",), "bool": ("p",), "string": ("s",)}
_AGGREGATIONS = ("count", "sum", "max", "min", "last", "first")


def spreadable_program(rng: Random) -> Program:
    while True:
        program, _ = load(Source("spreadable.lola", _specification(rng)))
        if program is not None:
            return program


def templates_only(rng: Random) -> Program:
    """One or two groups of templates, and nothing that asks for all instances."""
    while True:
        groups = [_Group(rng, number) for number in range(rng.choice((1, 1, 2)))]
        text = "".join([_HEADER, *(group.text() for group in groups)])
        program, _ = load(Source("spreadable.lola", text))
        if program is not None:
            return program


def _specification(rng: Random) -> str:
    groups = [_Group(rng, number) for number in range(rng.choice((1, 1, 2, 2, 3)))]
    parts = [_HEADER]
    if rng.random() < 0.25:
        parts.append("timeinput double ts\n")
    parts += [group.text() for group in groups]
    names = [name for group in groups for name in group.names]
    parts += [_reader(rng, number, groups) for number in range(rng.randint(0, 2))]
    parts += [f"trigger {_condition(rng, groups)}\n" for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.15:
        parts.append(f"trigger count({rng.choice(names)}) > 0 and {rng.choice(('a > 0', 'p'))}\n")
    if rng.random() < 0.3:
        parts.append("output int alone := a + 1\n")
    return "".join(parts)


class _Group:
    """Templates with the same life, the first one extended by a key."""

    def __init__(self, rng: Random, number: int) -> None:
        self.rng = rng
        kinds = [rng.choice(("int", "int", "int", "string", "double", "bool"))]
        if rng.random() < 0.3:
            kinds.append(rng.choice(("int", "string")))
        self.parameters = [(f"i{j}", kind, rng.choice(_KEYS[kind])) for j, kind in enumerate(kinds)]
        self.names = [f"g{number}t{i}" for i in range(rng.randint(1, 3))]
        self.terminate = self._terminate()

    def text(self) -> str:
        return "".join(self._template(i) for i in range(len(self.names)))

    def _template(self, index: int) -> str:
        name = self.names[index]
        declared = ", ".join(f"{kind} {n}" for n, kind, _ in self.parameters)
        streams = ", ".join(stream for _, _, stream in self.parameters)
        invoke = streams if len(self.parameters) == 1 else f"({streams})"
        extend, expression = self._pace_and_value(index)
        lines = [f"output int {name}<{declared}>", f"    invoke: {invoke}"]
        lines += [f"    extend: {extend}"] if extend else []
        lines += [f"    terminate: {self.terminate}"] if self.terminate else []
        if not self.terminate and self.rng.random() < 0.07:
            lines.append(f"    terminate: {self._own(name)} > 2")
        return "\n".join([*lines, f"    := {expression}"]) + "\n"

    def _pace_and_value(self, index: int) -> tuple[str, str]:
        own = self._own(self.names[index])
        earlier = [self._own(name) for name in self.names[:index]]
        roll = self.rng.random()
        if earlier and roll < 0.25:
            return "", f"{self.rng.choice(earlier)} + {self.rng.choice((own + '[-1, 0]', '1'))}"
        if earlier and roll < 0.4:
            return f"{self.rng.choice(earlier)} > 1", f"{own}[-1, 0] + 1"
        if roll < 0.6:
            return self.rng.choice(_RATES), self._at_ticks(own, earlier)
        return self._bound(), self._at_rows(own, earlier)

    def _at_ticks(self, own: str, earlier: list[str]) -> str:
        target = self.rng.choice([*earlier, own])
        if target == own:
            return f"{own}[-1, 0] + 1"
        window = f"{self.rng.choice(('1s', '3s', '5s'))}, 0, {self.rng.choice(_AGGREGATIONS)}"
        return self.rng.choice(
            (f"{target}[{window}]", f"{target}[0, -1]", f"{target}[-2s, 0] + {own}[-1, 0]", target)
        )

    def _at_rows(self, own: str, earlier: list[str]) -> str:
        first, kind, stream = self.parameters[0]
        options = [f"{own}[-1, 0] + 1", f"{own}[-1, 0] + {self.rng.choice(('a', 'b', 'k'))}"]
        options += [f"int({self.rng.choice(('x', 'y'))}[0, 1.0])", "if p then 1 else 0"]
        options += [f"{stream}[3s, 0, count({first})]"] if kind in ("int", "string") else []
        options += [f"{self.rng.choice(earlier)}[2s, 0, sum]"] if earlier else []
        return f"({self.rng.choice(options)}) % 1009"

    def _bound(self) -> str:
        atoms = [
            f"{self.rng.choice((name, name))} = {self.rng.choice((stream, *_KEYS[kind]))}"
            for name, kind, stream in self.parameters
        ]
        bound = " and ".join(atoms)
        first, kind, _ = self.parameters[0]
        roll = self.rng.random()
        if roll < 0.15:
            return f"{bound} or {self.rng.choice(_KEYS[kind])} = {first}"
        if roll < 0.3:
            return f"{bound} and {self.rng.choice(('p', 'b > 0', 'x[0, 1.0] > 0.0', 'not p'))}"
        if roll < 0.36:
            return f"({bound} or b = {first}) and a > 0" if kind == "int" else bound
        return bound

    def _terminate(self) -> str:
        roll = self.rng.random()
        if roll < 0.45:
            return ""
        if roll < 0.6:
            return self.rng.choice(_RATES)
        first, kind, _ = self.parameters[0]
        bound = f"{self.rng.choice(_KEYS[kind])} = {first}"
        return bound if roll < 0.7 else f"{bound} and {self.rng.choice(('p', 'b > 1'))}"

    def _own(self, name: str) -> str:
        return f"{name}({', '.join(parameter for parameter, _, _ in self.parameters)})"

    def over(self) -> str:
        rng = self.rng
        name = rng.choice(self.names)
        roll = rng.random()
        if roll < 0.25:
            return f"count({name})"
        if roll < 0.4 and len(self.names) > 1:
            one, other = rng.sample(self.names, 2)
            return f"count({one} >= {other})"
        return f"count({name} > {rng.randint(0, 3)})"

    def test(self) -> str:
        rng, name = self.rng, self.rng.choice(self.names)
        if rng.random() < 0.3:
            return f"{self.over()} > {rng.randint(0, 2)}"
        return f"{rng.choice(('any', 'all'))}({name} {rng.choice(('>', '<=', '='))} {rng.randint(0, 3)})"


def _condition(rng: Random, groups: list[_Group]) -> str:
    one, other = rng.choice(groups), rng.choice(groups)
    if rng.random() < 0.5:
        return one.test()
    return f"{one.test()} {rng.choice(('and', 'or'))} {other.test()}"


def _reader(rng: Random, number: int, groups: list[_Group]) -> str:
    """An output over instances: at its own pace or theirs, with windows, offsets, resets."""
    name = f"r{number}"
    over = rng.choice(groups).over()
    value = rng.choice((over, f"{over} + {name}[-1, 0] % 50", f"{over} - {name}[-2s, 0]"))
    if number:
        value = rng.choice((value, "r0[3s, 0, max]", "r0 + 1", f"{over} + r0[-1, 0]"))
    extend = rng.choice(("", "", rng.choice(_RATES), f"{rng.choice(groups).test()}"))
    terminate = rng.choice(("", "", "", f"{rng.choice(groups).test()}", "5s"))
    clauses = [f"    extend: {extend}\n"] if extend else []
    clauses += [f"    terminate: {terminate}\n"] if terminate else []
    return f"output int {name}\n{''.join(clauses)}    := {value}\n"
