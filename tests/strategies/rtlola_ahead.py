"""Random specifications that look into the future of clocks, of what follows them, and of instances.

Some clocks start late, because what they read barely has no value yet; some skip ticks. The inputs are
those of `rtlola_traces.py`.
"""

from __future__ import annotations

from random import Random

from horae.languages.rtlola.check.check import load
from horae.languages.rtlola.program import Program
from horae.source.text import Source

_HEADER = "input int a, b\ninput bool p\n"
_RATES = ("1s", "2s", "0.5s", "2 Hz")
_VALUES = (
    "a",
    "a[0, 0]",
    "a + b",
    "a[3s, 0, sum]",
    "if p then a else b",
    "if p[0, true] then a[0, 0] else b",
    "own[-1, 0] + 1",
    "own[-1, 0] + b",
)


def ahead_program(rng: Random) -> Program:
    while True:
        program, _ = load(Source("ahead.lola", _specification(rng)))
        if program is not None:
            return program


def _specification(rng: Random) -> str:
    known = ["tick"]
    parts = [_HEADER, f"output int tick extend: {rng.choice(_RATES)} := {_value(rng, 'tick')}\n"]
    if rng.random() < 0.5:
        known.append("after")
        parts.append(
            f"output int after := {rng.choice(('tick', 'tick + a', 'tick[0, 5]', 'b + tick'))}\n"
        )
    if rng.random() < 0.4:
        parts += _template(rng)
    for number in range(rng.randint(1, 3)):
        parts.append(_reader(rng, f"r{number}", known))
        known.append(f"r{number}")
    if rng.random() < 0.5:
        parts.append(f"trigger {_look(rng, known)} > {rng.randint(0, 3)}\n")
    return "".join(parts)


def _value(rng: Random, own: str) -> str:
    return rng.choice(_VALUES).replace("own", own)


def _template(rng: Random) -> list[str]:
    life = rng.choice(("    invoke: a\n", "    invoke: a\n    terminate: b = id\n"))
    value = rng.choice(("n(id)[-1, 0] + 1", "b", "b[0, 0]", "a[2s, 0, count(id)]"))
    pace = rng.choice(("", f"    extend: {rng.choice(_RATES)}\n", "    extend: a = id\n"))
    look = rng.choice((f"n(id)[{rng.randint(1, 2)}, -1]", f"n(id)[{rng.randint(1, 3)}s, -1]"))
    return [
        f"output int n<int id>\n{life}    extend: {rng.choice(_RATES)}\n    := {value}\n",
        f"output int m<int id>\n{life}{pace}    := {look}\n",
    ]


def _reader(rng: Random, name: str, known: list[str]) -> str:
    pace = rng.choice(("", "    extend: b > 0\n", f"    extend: {rng.choice(_RATES)}\n"))
    value = " + ".join(_look(rng, known) for _ in range(rng.randint(1, 2)))
    return f"output int {name}\n{pace}    := {value}\n"


def _look(rng: Random, known: list[str]) -> str:
    stream = rng.choice((*known, known[0]))
    return rng.choice(
        (
            f"{stream}[{rng.randint(1, 3)}, 9]",
            f"{stream}[{rng.randint(1, 3)}, 9]",
            f"{stream}[{rng.randint(1, 3)}s, 9]",
            f"{stream}[-1, 9]",
            f"{stream}[0, 9]",
        )
    )
