"""The random programs of DatalogMTL: reproducible, checked, alive, and covering the language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest
from tests.strategies.datalogmtl_programs import HORIZON, random_facts, random_program

from horae.data.intervals import ALWAYS, Interval
from horae.languages.datalogmtl.check.check import load
from horae.languages.datalogmtl.program import Program, atoms
from horae.languages.datalogmtl.syntax.tree import Binary, Formula, Modal, Rule
from horae.reference.datalogmtl import GroundFact, evaluate
from horae.rules.terms import Atom, Constant
from horae.source.text import Source

FRAGMENTS = ("datalog", "mitl-fp", "mtl-fp", "full")
Sample = tuple[Program, list[GroundFact]]


@cache
def samples(fragment: str) -> tuple[Sample, ...]:
    return tuple(_sample(Random(seed), fragment) for seed in range(150))


def _sample(rng: Random, fragment: str) -> Sample:
    program, diagnostics = load(Source("random.dmtl", random_program(rng, fragment)))
    assert program is not None, [d.message for d in diagnostics]
    return program, [*random_facts(rng, program, unbounded=fragment == "full")]


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_the_same_seed_gives_the_same_program_and_facts(fragment: str):
    for seed in range(20):
        assert random_program(Random(seed), fragment) == random_program(Random(seed), fragment)
        assert _sample(Random(seed), fragment) == _sample(Random(seed), fragment)


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_most_queried_predicates_have_answers(fragment: str):
    counts = Counter(alive for sample in samples(fragment)[:60] for alive in _alive(*sample))
    assert counts[True] >= 0.8 * counts.total()


def _alive(program: Program, data: list[GroundFact]) -> list[bool]:
    found = {answer["predicate"] for answer in evaluate(program, data, horizon=HORIZON)}
    return [predicate in found for predicate in program.queries]


def test_full_programs_end_without_a_horizon():
    for program, data in samples("full")[:40]:
        evaluate(program, data)


def test_sizes():
    for fragment in FRAGMENTS:
        for program, _ in samples(fragment):
            assert 1 <= len(program.rules) <= 6
            assert all(arity <= 2 for arity in program.arities.values())


# --- what occurs

_ALWAYS_THERE = {"recursion", "own recursion", "constant", "zero arity", "join of three"}
_ALWAYS_THERE |= {"eternal fact", "point", "open fact", "half-open fact", "fact in the program"}
_FORWARD = {"Boxminus", "Diamondminus", "head Boxplus", "nested", "nested head", "infinite"}
_FORWARD |= {"open interval", "half-open interval", "fraction"}
_FULL = {"Boxplus", "Diamondplus", "Since", "Until", "Since with 0", "Until with 0"}
_FULL |= {"head Boxminus", "negation", "negated operator", "strata", "operator over Since"}
_FULL |= {"unbounded fact", "free left side"}
EXPECTED = {
    "datalog": _ALWAYS_THERE,
    "mitl-fp": _ALWAYS_THERE | _FORWARD,
    "mtl-fp": _ALWAYS_THERE | _FORWARD | {"punctual"},
    "full": _ALWAYS_THERE | _FORWARD | {"punctual"} | _FULL,
}


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_every_construct_of_the_fragment_occurs_and_no_other(fragment: str):
    counts = Counter(found for sample in samples(fragment) for found in set(_constructs(*sample)))
    assert {name: counts[name] for name in EXPECTED[fragment] if counts[name] < 4} == {}
    assert counts.keys() <= EXPECTED[fragment]


def _constructs(program: Program, data: list[GroundFact]) -> Iterator[str]:
    yield from ("strata",) if len(program.strata) > 1 and _negates_derived(program) else ()
    yield from ("fact in the program",) if program.facts else ()
    yield from ("zero arity",) if 0 in program.arities.values() else ()
    yield from ("recursion",) if _is_recursive(program) else ()
    for rule in program.rules:
        yield from _of_rule(rule)
    for *_, interval in data:
        yield from _of_fact(interval)


def _of_fact(interval: Interval) -> Iterator[str]:
    if interval == ALWAYS:
        yield "eternal fact"
    elif interval.length is None:
        yield "unbounded fact"
    elif interval.is_punctual:
        yield "point"
    elif interval.low_open != interval.high_open:
        yield "half-open fact"
    elif interval.low_open:
        yield "open fact"


def _of_rule(rule: Rule) -> Iterator[str]:
    for operator, interval in rule.head.boxes:
        yield f"head {operator}"
        yield from _of_interval(interval)
    yield from ("nested head",) if len(rule.head.boxes) > 1 else ()
    yield from ("join of three",) if len(rule.body) >= 3 else ()
    for literal in rule.body:
        yield from _of_formula(literal.formula)
        if literal.negated:
            yield "negation" if isinstance(literal.formula, Atom) else "negated operator"
    read = {atom.predicate for literal in rule.body for atom in atoms(literal.formula)}
    yield from ("own recursion",) if rule.head.atom.predicate in read else ()


def _of_formula(formula: Formula) -> Iterator[str]:
    match formula:
        case Atom(arguments=arguments):
            yield from ("constant",) if any(isinstance(t, Constant) for t in arguments) else ()
        case Modal(operator=operator, interval=interval, operand=operand):
            yield str(operator)
            yield from ("nested",) if not isinstance(operand, Atom) else ()
            yield from ("operator over Since",) if isinstance(operand, Binary) else ()
            yield from _of_interval(interval)
            yield from _of_formula(operand)
        case Binary(operator=operator, interval=interval, left=left, right=right):
            yield str(operator)
            yield from (
                (f"{operator} with 0",) if interval.low == 0 and not interval.low_open else ()
            )
            bound = {name for atom in atoms(right) for name in atom.variables}
            free = any(name not in bound for atom in atoms(left) for name in atom.variables)
            yield from ("free left side",) if free else ()
            yield from _of_interval(interval)
            yield from _of_formula(left)
            yield from _of_formula(right)


def _of_interval(interval: Interval) -> Iterator[str]:
    ends = [end for end in (interval.low, interval.high) if end is not None]
    yield from ("fraction",) if any(end.denominator > 1 for end in ends) else ()
    if interval.high is None:
        yield "infinite"
    elif interval.is_punctual:
        yield "punctual"
    elif interval.low_open != interval.high_open:
        yield "half-open interval"
    elif interval.low_open:
        yield "open interval"


def _negates_derived(program: Program) -> bool:
    negated = {
        atom.predicate
        for rule in program.rules
        for literal in rule.body
        if literal.negated
        for atom in atoms(literal.formula)
    }
    return bool(negated & program.derived)


def _is_recursive(program: Program) -> bool:
    reads: dict[str, set[str]] = {predicate: set() for predicate in program.derived}
    for rule in program.rules:
        for literal in rule.body:
            reads[rule.head.atom.predicate] |= {a.predicate for a in atoms(literal.formula)}
    for _ in reads:
        for predicate in reads:
            derived = reads[predicate] & reads.keys()
            reads[predicate] |= {far for near in derived for far in reads[near]}
    return any(predicate in far for predicate, far in reads.items())
