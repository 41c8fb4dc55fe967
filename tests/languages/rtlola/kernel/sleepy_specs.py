"""Random specifications whose instances can fall asleep, and input with long silences.

Outputs at several rates read windows, offsets and each other's past; recursive ones settle, oscillate
or count. Operators over instances watch the ticks.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from horae.languages.rtlola.check.check import load
from horae.languages.rtlola.program import Program
from horae.source.text import Source

_RATES = ("1Hz", "2 Hz", "0.5Hz", "2s", "3s", "5 s")
_DURATIONS = ("0.5 s", "1 s", "2 s", "3 s", "5s", "10 s")
_AGGREGATIONS = {
    "int": ("count", "sum", "min", "max", "last", "first"),
    "double": ("sum", "min", "max", "last", "integral"),
}
_INPUTS = {"int": ("a", "b"), "double": ("x",)}
_DEFAULTS = {"int": ("0", "3"), "double": ("0.0", "1.5")}
_RECURSIONS = (
    "min({0}[-1, 0] + 1, 5)",
    "max({0}[-1, 9] - 1, 0)",
    "{0}[-1, 0] / 2",
    "(if {0}[-1, 0] = {0}[-2, 1] then 4 else {0}[-2, 0])",
    "{0}[-3, 1]",
    "{0}[-2s, 1]",
    "{0}[-1, 0] + 1",
)
_TERMINATIONS = ("", "    terminate: b = id\n", "    terminate: b = id and p\n")


def sleepy_specification(rng: Random) -> tuple[str, Program]:
    while True:
        text = _attempt(rng)
        program, _ = load(Source("sleepy.lola", text))
        if program is not None:
            return text, program


def _attempt(rng: Random) -> str:
    parts = ["input int a, b\ninput double x\ninput bool p\n"]
    life = f"    invoke: a\n{rng.choice(_TERMINATIONS)}"
    known: list[tuple[str, str, bool]] = []
    for number in range(rng.randint(1, 4)):
        name, kind, templated = (
            f"o{number}",
            rng.choice(("int", "int", "double")),
            rng.random() < 0.7,
        )
        parts.append(_output(rng, name, kind, life if templated else "", known))
        known.append((name, kind, templated))
    parts += [_trigger(rng, known) for _ in range(rng.randint(0, 3))]
    return "".join(parts)


def _output(
    rng: Random, name: str, kind: str, life: str, known: list[tuple[str, str, bool]]
) -> str:
    bound = "a = id" if life else "a > 0"
    extend = rng.choice((*(rng.choice(_RATES) for _ in range(4)), bound, bound, ""))
    operands = [_operand(rng, name, kind, bool(life), known) for _ in range(rng.randint(1, 2))]
    limit = "101" if kind == "int" else "64.0"
    pace = f"    extend: {extend}\n" if extend else ""
    parameters = "<int id>" if life else ""
    return (
        f"output {kind} {name}{parameters}\n{life}{pace}    := ({' + '.join(operands)}) % {limit}\n"
    )


def _operand(
    rng: Random, name: str, kind: str, templated: bool, known: list[tuple[str, str, bool]]
) -> str:
    default = rng.choice(_DEFAULTS[kind])
    read = rng.choice(_INPUTS[kind])
    options: list[Callable[[], str]] = [lambda: _read(rng, read, kind, default)] * 5
    if templated and kind == "int":
        options += [lambda: f"a[{rng.choice(_DURATIONS)}, 0, count(id)]", lambda: "id"]
    for other, type_, has_parameters in known:
        if type_ == kind and (templated or not has_parameters):
            target = f"{other}(id)" if has_parameters else other
            options += [lambda target=target: _read(rng, target, kind, default)] * 3  # type: ignore[misc]
    if kind == "int":
        own = f"{name}(id)" if templated else name
        options += [lambda: rng.choice(_RECURSIONS).format(own)] * 5
    return rng.choice(options)()


def _read(rng: Random, target: str, kind: str, default: str) -> str:
    duration = rng.choice(_DURATIONS)
    return rng.choice(
        (
            f"{target}[0, {default}]",
            f"{target}[{-rng.randint(1, 3)}, {default}]",
            f"{target}[-{duration}, {default}]",
            f"{target}[{duration}, {default}, {rng.choice(_AGGREGATIONS[kind])}]",
        )
    )


def _trigger(rng: Random, known: list[tuple[str, str, bool]]) -> str:
    name, _, templated = rng.choice(known)
    number = rng.randint(0, 5)
    if not templated:
        return f"trigger {name} > {number}\n"
    return rng.choice(
        (
            f"trigger any({name} > {number})\n",
            f"trigger all({name} < {number})\n",
            f"trigger count({name} = {number}) > 1\n",
            f"trigger count({name}) > 2\n",
        )
    )


def silent_trace(rng: Random) -> list[dict[str, object]]:
    """Bursts of events with silences that are longer than anything looks back."""
    rows: list[dict[str, object]] = []
    time = rng.choice((0, 0.25, 3.5, -40, -7.25))
    for _ in range(rng.randint(3, 14)):
        drawn = {
            "a": rng.randint(0, 3),
            "b": rng.randint(0, 3),
            "x": rng.randint(-8, 8) / 4,
            "p": rng.random() < 0.5,
        }
        kept = {name: value for name, value in drawn.items() if rng.random() < 0.5}
        rows.append({"time": time, **kept})
        silence = rng.random() < 0.4
        time += rng.choice((10, 20, 33.25, 60, 150) if silence else (0, 0.25, 0.5, 1, 2, 3))
    return [*rows, {"time": time}]
