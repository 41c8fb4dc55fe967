"""Random specifications and input at the edges: nanoseconds since 1970, rates without a common fraction,
durations beyond all time, numbers near the limits, long ladders and chains, offsets that count far.
"""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random

from tests.strategies.rtlola_specs import attempt_specification
from tests.strategies.rtlola_traces import random_trace

from horae.languages.rtlola.check.check import load
from horae.languages.rtlola.program import Program
from horae.source.text import Source

_RATE = re.compile(r"(?<=extend: )[0-9.]+ ?(?:Hz|s)\b")
_DURATION = re.compile(r"(?<=\[)(?:0\.5 s|1 s|2 s|3 s|5s|500 ms|0\.05 min)")
_RATES = ("3Hz", "7Hz", "11Hz", "13Hz", "0.7Hz", "60Hz", "1.1s", "88000 d")
_DURATIONS = ("88000 d", "365000000 d", "0.3333 s", "1.1s", "4611686018 s")
_LARGE = (2**53 + 1, 2**62, -(2**63), 2**63 - 1, -(2**62) - 1)
# Seconds before the first row. Times in nanoseconds may be up to 2^62 of them, which is the last one.
STARTS = (0, 1_700_000_000, 1_700_000_000, -1_700_000_000, 4_611_685_800)


def edge_program(rng: Random) -> Program:
    while True:
        drawn = attempt_specification(rng).replace("timeinput double ts\n", "")
        text = _stretched(rng, drawn) + _more(rng)
        program, _ = load(Source("edges.lola", text))
        if program is not None:
            return program


def _stretched(rng: Random, text: str) -> str:
    """Some rates and durations become odd ones."""
    odd = lambda choices: lambda m: rng.choice(choices) if rng.random() < 0.5 else m.group()  # noqa: E731
    return _DURATION.sub(odd(_DURATIONS), _RATE.sub(odd(_RATES), text))


def _more(rng: Random) -> str:
    """Two or three outputs of an unusual shape."""
    return "".join(f"output e{i} {rng.choice(_SHAPES)(rng)}\n" for i in range(rng.randint(1, 3)))


def _pace(rng: Random) -> str:
    return rng.choice(("", "", f"extend: {rng.choice(_RATES[:7])} "))


def _ladder(rng: Random) -> str:
    rungs = " ".join(f"if a + b = {n} then {n} * k else" for n in range(rng.randint(2, 130)))
    return f"{_pace(rng)}:= {rungs} b"


def _chain(rng: Random) -> str:
    operands = [rng.choice(("a", "k", "1", "b", "0")) for _ in range(rng.randint(3, 300))]
    return f"{_pace(rng)}:= {rng.choice((' + ', ' - ', ' * ')).join(operands)}"


def _logic(rng: Random) -> str:
    parts = [f"{rng.choice(('a', 'b', 'k'))} < {rng.randint(0, 4)}" for _ in range(90)]
    joined = rng.choice((" and ", " or ")).join(parts)
    return rng.choice((f":= {joined}", f"extend: {joined} := a"))


def _far(rng: Random) -> str:
    return f"{_pace(rng)}:= {rng.choice(('a', 'k'))}[{-rng.choice((20, 65, 66, 10**9))}, -5]"


def _quantile(rng: Random) -> str:
    kind = rng.choice(("median", "percentile(90)", "percentile(12.5)"))
    return f"{_pace(rng)}:= x[{rng.choice(_DURATIONS)}, 0.0, {kind}]"


def _deep(rng: Random) -> str:
    depth = rng.randint(2, 50)
    return f"{_pace(rng)}:= {'a[-1, ' * depth}k{']' * depth}"


_SHAPES = (_ladder, _chain, _logic, _far, _quantile, _deep)


def edge_trace(rng: Random, program: Program) -> list[dict[str, object]]:
    """Rows with exact times; nanoseconds in some."""
    start, fine = Fraction(rng.choice(STARTS)), rng.random() < 0.5
    rows = []
    for row in random_trace(rng, program):
        time = start + Fraction(str(row["time"])) / rng.choice((1, 1, 8))
        rows.append(row | {"time": time + (Fraction(rng.randint(0, 9), 10**9) if fine else 0)})
        if rng.random() < 0.05:
            rows[-1]["b"] = rng.choice(_LARGE)
    return sorted(rows, key=lambda row: Fraction(str(row["time"])))
