"""The parts of a WHERE clause that are joined by AND, apart by what may be done with them.

Conditions that cannot fail and ask no subquery may be tested anywhere, on single rows or between
joins. The others come after them, from the left: so a fault counts only for rows that satisfy all
conditions that cannot fail, in any order of joins.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from horae.languages.cql.program import (
    And,
    Compare,
    Condition,
    Exists,
    Holds,
    In,
    IsNull,
    Not,
    Or,
)


def conjuncts_of(condition: Condition | None) -> Iterator[Condition]:
    """`a AND (b AND c)` → a, b, c."""
    match condition:
        case None:
            return
        case And(operands=operands):
            for operand in operands:
                yield from conjuncts_of(operand)
        case _:
            yield condition


def has_subquery(condition: Condition) -> bool:
    match condition:
        case Exists() | In():
            return True
        case Not(operand=operand):
            return has_subquery(operand)
        case And(operands=operands) | Or(operands=operands):
            return any(has_subquery(operand) for operand in operands)
        case Compare() | Holds() | IsNull():
            return False
        case _:
            assert_never(condition)
