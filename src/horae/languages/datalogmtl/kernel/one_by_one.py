"""Facts that rules read one by one: what follows from them is derived block by block.

    seen(X) :- Diamondminus[0,20] reading(X, L).

needs one reading at a time. Where all rules that read a predicate of the input are such, what they
derive stands for its facts, which are then never sorted, nor even encoded, all together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from horae.data.predicate_facts import PredicateFacts, count_facts, pieces_of_facts
from horae.data.symbols import Symbols
from horae.data.table_blocks import BLOCK
from horae.languages.datalogmtl.check.normal import JoinRule, NormalProgram, NormalRule, Step
from horae.languages.datalogmtl.kernel.facts import encode_rows
from horae.languages.datalogmtl.kernel.fixpoint import Relations
from horae.languages.datalogmtl.kernel.rules import Executable, collect, positive_atoms
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.languages.datalogmtl.syntax.tree import Operator
from horae.rules.intervals.relation import Relation

_DIAMONDS = (Operator.DIAMOND_MINUS, Operator.DIAMOND_PLUS)


def read_one_by_one(
    normal: NormalProgram, facts: Sequence[PredicateFacts], asked: Collection[str]
) -> frozenset[str]:
    """The predicates with more than a block of facts whose facts their consequences can stand for."""
    names = {part.predicate for part in facts}
    return frozenset(
        name
        for name in names - normal.program.derived - set(asked)
        if count_facts(part for part in facts if part.predicate == name) > BLOCK
        and all(_takes_one(rule, normal) for rule in normal.rules if _reads(rule, name))
    )


def _reads(rule: NormalRule, name: str) -> bool:
    negative = rule.negative if isinstance(rule, JoinRule) else ()
    return any(atom.predicate == name for atom in (*positive_atoms(rule), *negative))


def _takes_one(rule: NormalRule, normal: NormalProgram) -> bool:
    """Whether a rule derives from all facts what it derives from each; and that only once.

    A box needs what holds around a time. What a recursive component derives depends on how far it goes.
    """
    if _is_recursive(rule.head.predicate, normal):
        return False
    match rule:
        case Step(operator=operator):
            return operator in _DIAMONDS
        case JoinRule(positive=positive, negative=negative):
            return len(positive) == 1 and not negative
        case _:
            return False


def _is_recursive(name: str, normal: NormalProgram) -> bool:
    component = next(names for names in normal.components if name in names)
    heads = (rule for rule in normal.rules if rule.head.predicate in component)
    return any(_reads(rule, other) for rule in heads for other in component)


def consequences(
    normal: NormalProgram, facts: Iterable[PredicateFacts], symbols: Symbols, timeline: Timeline
) -> Relations:
    """What rules derive from facts that they read one by one, per predicate of a head."""
    rules = [Executable(rule, symbols, timeline) for rule in normal.rules]
    found: dict[str, list[Relation]] = {}
    for part in facts:
        readers = [rule for rule in rules if part.predicate in rule.reads]
        for piece in pieces_of_facts(part, BLOCK) if readers else ():
            rows = encode_rows(piece, symbols, timeline)
            for rule in readers:
                derived = rule.evaluate_alone(rows)
                found.setdefault(rule.head.predicate, []).append(derived)
    return {name: collect(parts, parts[0].width) for name, parts in found.items()}
