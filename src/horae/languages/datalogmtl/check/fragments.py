"""The fragments of the language: plain Datalog ⊂ MITL-FP ⊂ MTL-FP ⊂ full DatalogMTL.

Forward-propagating programs (FP) derive nothing about the past, so a stream can forget; without
punctual intervals (MITL) the memory does not depend on how dense the input is (Theorem 10).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from horae.data.intervals import Interval
from horae.languages.datalogmtl.program import Program
from horae.languages.datalogmtl.syntax.tree import Binary, Formula, Literal, Modal, Operator, Rule
from horae.rules.terms import Atom


class FragmentName(StrEnum):
    """From small to large."""

    DATALOG = "plain Datalog"
    MITL_FP = "MITL-FP"
    MTL_FP = "MTL-FP"
    FULL = "full DatalogMTL"


_SIZE = {name: size for size, name in enumerate(FragmentName)}
_FUTURE = frozenset((Operator.BOX_PLUS, Operator.DIAMOND_PLUS))


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A construct of a rule that leaves `fragment` and every smaller one."""

    fragment: FragmentName
    rule: Rule
    construct: str
    reason: str


@dataclass(frozen=True, slots=True)
class Fragment:
    """The smallest fragment that contains the program, and what keeps it out of smaller ones."""

    name: FragmentName
    exclusions: tuple[Exclusion, ...]

    def contains_program(self, fragment: FragmentName) -> bool:
        return _SIZE[fragment] >= _SIZE[self.name]

    def excluded_from(self, fragment: FragmentName) -> tuple[Exclusion, ...]:
        """Every construct that leaves the fragment; empty iff the program is in it."""
        return tuple(e for e in self.exclusions if _SIZE[e.fragment] >= _SIZE[fragment])


def find_fragment(program: Program) -> Fragment:
    exclusions = tuple(e for rule in program.rules for e in _exclusions(rule))
    left = [_SIZE[e.fragment] + 1 for e in exclusions]
    return Fragment(list(FragmentName)[max(left, default=0)], exclusions)


def _exclusions(rule: Rule) -> Iterator[Exclusion]:
    for operator, interval in rule.head.boxes:
        yield from _in_head(rule, operator, interval)
    for literal in rule.body:
        yield from _in_literal(rule, literal)


def _in_head(rule: Rule, operator: Operator, interval: Interval) -> Iterator[Exclusion]:
    construct = f"{operator}{interval} in the head"
    if operator is Operator.BOX_MINUS:
        reason = "derives facts about the past"
        yield Exclusion(FragmentName.MTL_FP, rule, construct, reason)
    yield from _by_interval(rule, construct, interval)


def _in_literal(rule: Rule, literal: Literal) -> Iterator[Exclusion]:
    if literal.negated:
        reason = "the paper has no negation"
        yield Exclusion(FragmentName.MTL_FP, rule, "not", reason)
    yield from _in_formula(rule, literal.formula)


def _in_formula(rule: Rule, formula: Formula) -> Iterator[Exclusion]:
    match formula:
        case Atom():
            return
        case Modal(operator, interval, operand):
            construct = f"{operator}{interval}"
            if operator in _FUTURE:
                reason = "looks into the future"
                yield Exclusion(FragmentName.MTL_FP, rule, construct, reason)
            yield from _by_interval(rule, construct, interval)
            yield from _in_formula(rule, operand)
        case Binary(binary, interval, left, right):
            construct = f"{binary}{interval}"
            reason = f"`{binary}` is left out of the forward-propagating language"
            yield Exclusion(FragmentName.MTL_FP, rule, construct, reason)
            yield from _by_interval(rule, construct, interval)
            yield from _in_formula(rule, left)
            yield from _in_formula(rule, right)
        case _:
            assert_never(formula)


def _by_interval(rule: Rule, construct: str, interval: Interval) -> Iterator[Exclusion]:
    """Every operator leaves plain Datalog; a punctual one also MITL."""
    if interval.is_punctual:
        yield Exclusion(FragmentName.MITL_FP, rule, construct, "has a punctual interval")
    else:
        yield Exclusion(FragmentName.DATALOG, rule, construct, "is a temporal operator")
