"""How far behind the front each loop of a cascade runs."""

from __future__ import annotations

from fractions import Fraction

from horae.languages.rtlola.program import Expression, Offset, Program, TimeOffset, When, walk


def horizons(program: Program, resolution: int) -> list[int | None]:
    """Ticks per layer; None: only the end of the input tells (a discrete offset ahead)."""
    found: list[int | None] = []
    total = Fraction(0)
    waits = False
    for layer in range(max([0, *program.layers.values()]) + 1):
        ahead = [
            _ahead(e) for name, e in _expressions(program) if program.layers.get(name, 0) == layer
        ]
        waits = waits or None in ahead
        total += max((a for a in ahead if a is not None), default=Fraction(0))
        found.append(None if waits else -int(-total * resolution // 1))
    return found


def _ahead(expression: Expression) -> Fraction | None:
    """The farthest look ahead in seconds; None if it counts values."""
    farthest = Fraction(0)
    for node in walk(expression):
        if isinstance(node, Offset) and node.offset > 0:
            return None
        if isinstance(node, TimeOffset):
            farthest = max(farthest, node.seconds)
    return farthest


def _expressions(program: Program) -> list[tuple[str, Expression]]:
    """Expressions with the stream (or trigger) whose layer they have."""
    found = []
    for output in program.outputs:
        found.append((output.name, output.expression))
        for clause in (output.pace, output.template.terminate):
            if isinstance(clause, When):
                found.append((output.name, clause.condition))
    last = max([0, *program.layers.values()])
    names = [n for n, layer in program.layers.items() if layer == last]
    found.extend((names[0] if names else "", t.condition) for t in program.triggers)
    return found
