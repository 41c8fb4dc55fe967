"""Reference and kernel against MeTeoR, on programs that MeTeoR gets right.

Where the two differ, Table 1 of the paper decides. What MeTeoR 2.0.0 gets wrong is kept out of the
programs (see `Fragment.plain` and `_suits`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from random import Random

import pytest
from tests.languages.datalogmtl.kernel.driving import at_once, grounded
from tests.oracles.meteor import meteor
from tests.strategies.datalogmtl_programs import random_facts, random_program

from horae.languages.datalogmtl.check.check import load
from horae.languages.datalogmtl.check.normalise import normalise
from horae.languages.datalogmtl.program import Program
from horae.languages.datalogmtl.syntax.tree import Binary
from horae.reference.datalogmtl import Answer, GroundFact, evaluate
from horae.source.text import Source

pytestmark = pytest.mark.skipif(
    not meteor.PYTHON,
    reason="HORAE_METEOR_PYTHON names no Python with MeTeoR; `make test-meteor` does",
)
Sample = tuple[Program, list[GroundFact]]
Engine = Callable[[Program, list[GroundFact]], list[Answer]]


def test_the_reference_agrees_with_meteor():
    assert _differing(_of_reference, _samples(200, binaries=1), "naive") == []


def test_the_reference_agrees_with_meteor_semi_naively():
    """Its semi-naive mode loses answers where a side of a Since or Until is derived."""
    assert _differing(_of_reference, _samples(100, binaries=0), "seminaive") == []


def test_the_kernel_agrees_with_meteor():
    assert _differing(_of_kernel, _samples(30, binaries=1), "naive") == []


@pytest.mark.long
@pytest.mark.parametrize("block", range(1, 6))
def test_the_kernel_agrees_with_meteor_on_many_programs(block: int):
    assert _differing(_of_kernel, _samples(100, binaries=1, first=1000 * block), "naive") == []


def _differing(
    engine: Engine, samples: list[Sample], mode: str
) -> list[tuple[str, list[GroundFact]]]:
    found = meteor.materialise([meteor.pose(*sample, mode) for sample in samples])
    return [
        (program.source.text, data)
        for (program, data), result in zip(samples, found, strict=True)
        if _of_meteor(program, result) != _plain(engine(program, data))
    ]


def _samples(count: int, binaries: int, first: int = 0) -> list[Sample]:
    """The first ones that MeTeoR gets right, with at most so many Since and Until per body."""
    drawn = (_sample(Random(seed)) for seed in itertools.count(first))
    suitable = (sample for sample in drawn if _suits(*sample, binaries))
    return list(itertools.islice(suitable, count))


def _sample(rng: Random) -> Sample:
    program, _ = load(Source("random.dmtl", random_program(rng, "plain")))
    assert program is not None
    return program, [*random_facts(rng, program)]


def _suits(program: Program, data: list[GroundFact], binaries: int) -> bool:
    """MeTeoR knows decimals only, and fails on a body with two Since or Until side by side."""
    ends = [end for *_, i in data for end in (i.low, i.high) if end is not None]
    return all(end.denominator <= 2 for end in ends) and all(
        sum(isinstance(literal.formula, Binary) for literal in rule.body) <= binaries
        for rule in program.rules
    )


def _of_meteor(program: Program, result: dict[str, object]) -> object:
    if "error" in result:
        return result
    facts = result["facts"]
    assert isinstance(facts, list)
    return sorted(fact for fact in facts if fact[0] in program.queries)


def _of_reference(program: Program, data: list[GroundFact]) -> list[Answer]:
    return evaluate(program, data)


def _of_kernel(program: Program, data: list[GroundFact]) -> list[Answer]:
    return at_once(normalise(program), grounded(data))


def _plain(answers: list[Answer]) -> object:
    return sorted([a["predicate"], [str(x) for x in a["args"]], a["interval"]] for a in answers)
