"""Several `Since` and `Until` whose left sides have variables that their right sides do not."""

from __future__ import annotations

from random import Random

import pytest
from tests.languages.datalogmtl.kernel.driving import at_once, facts, prepared

from horae.languages.datalogmtl.check.print_normal import print_normal
from horae.reference.datalogmtl import evaluate


def random_rule(rng: Random) -> str:
    """X is bound; Y and Z may be bound by right sides, or occur on left sides only."""
    literals = ["s(X)"] if rng.random() < 0.7 else ["b0(X)"]
    for number in range(rng.choice((2, 2, 3))):
        left, right = rng.choice("XXYZ"), rng.choice("XYZ")
        link = rng.choice(("Since", "Until"))
        literals.append(
            f"u{number}({left}) {link}{rng.choice(('[0,2]', '[0,1)'))} b{number}({right})"
        )
    rng.shuffle(literals)
    if rng.random() < 0.3:
        literals.append("not n(X)")
    return f"p(X) :- {', '.join(literals)}."


def random_data(rng: Random) -> str:
    names = ("s", "n", *(f"{kind}{n}" for kind in "ub" for n in range(3)))
    return "\n".join(
        f"{name}({rng.choice('kl')})@[{low},{low + rng.randint(0, 3)}]"
        for name in names
        for low in (rng.randint(0, 5) for _ in range(rng.choice((1, 2))))
    )


@pytest.mark.parametrize("block", range(3))
def test_random_rules(block: int):
    for seed in range(40 * block, 40 * block + 40):
        rng = Random(seed)
        normal = prepared(random_rule(rng))
        data = [f for f in facts(random_data(rng)) if f.predicate in normal.program.arities]
        given = [(f.predicate, f.arguments, f.interval) for f in data]
        assert at_once(normal, data) == evaluate(normal.program, given), normal.program.source.text


def test_rules_grow_with_the_literals_not_with_their_combinations():
    many = [f"u{n}(X) Since[0,5] b{n}(Y{n})" for n in range(16)]
    normal = prepared(f"p(X) :- s(X), {', '.join(many)}.")
    assert len(normal.rules) == 48
    data = "\n".join(f"u{n}(a)@[0,9]\nb{n}(y)@{n % 3}" for n in range(16))
    (answer,) = at_once(normal, facts(f"s(a)@[0,9]\n{data}"))
    assert answer["interval"] == "[2,5]"


def test_left_sides_that_bind_each_other_wait_for_their_right_sides():
    """X comes from the right side of the second literal, Y from that of the first."""
    normal = prepared("p :- u(X) Since[0,1] b(Y), v(Y) Since[0,1] c(X).")
    assert "Diamondminus[0,1] b(Y)" in print_normal(normal)
    assert at_once(normal, facts("b(k)@1\nc(l)@1\n")) == [
        {"predicate": "p", "args": [], "interval": "[1,1]"}
    ]
