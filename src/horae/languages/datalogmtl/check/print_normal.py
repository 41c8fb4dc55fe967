"""A normal form as a program that can be read again, for `translate --to normal`.

The predicates `~1`, `~2` have no spelling in programs; they are printed as `n1`, `n2`, with as many
underscores behind as it takes to clash with nothing.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import assert_never

from horae.languages.datalogmtl.check.normal import JoinRule, Link, NormalProgram, NormalRule, Step
from horae.languages.datalogmtl.syntax.print_statement import (
    print_interval,
    print_line,
    print_statement,
)
from horae.rules.print_atom import print_atom
from horae.rules.terms import Atom


def print_normal(normal: NormalProgram) -> str:
    """Every rule below the one that it comes from, then the facts and the query."""
    suffix = _suffix(normal)
    lines: list[str] = []
    for of, rules in groupby(normal.rules, key=lambda rule: rule.of):
        lines += [f"% {print_statement(of)}", *(_rule(rule, suffix) for rule in rules), ""]
    lines += [print_line(fact) for fact in normal.facts]
    if normal.program.queries:
        lines.append(f"?- {', '.join(normal.program.queries)}.")
    return "\n".join(lines) + "\n" if lines else ""


def _suffix(normal: NormalProgram) -> str:
    """What makes every fresh name different from all names of the program."""
    fresh = {r.head.predicate[1:] for r in normal.rules if r.head.predicate[0] == "~"}
    suffix = ""
    while any(f"n{number}{suffix}" in normal.program.arities for number in fresh):
        suffix += "_"
    return suffix


def _rule(rule: NormalRule, suffix: str) -> str:
    return f"{_atom(rule.head, suffix)} :- {_body(rule, suffix)}."


def _body(rule: NormalRule, suffix: str) -> str:
    match rule:
        case Step(operator=operator, interval=interval, body=body):
            return f"{operator}{print_interval(interval)} {_atom(body, suffix)}"
        case Link(operator=binary, interval=interval, left=left, right=right):
            sign = f"{binary}{print_interval(interval)}"
            return f"{_atom(left, suffix)} {sign} {_atom(right, suffix)}"
        case JoinRule(positive=positive, negative=negative):
            held = [_atom(atom, suffix) for atom in positive]
            return ", ".join([*held, *(f"not {_atom(atom, suffix)}" for atom in negative)])
        case _:
            assert_never(rule)


def _atom(atom: Atom, suffix: str) -> str:
    if atom.predicate[0] != "~":
        return print_atom(atom)
    return print_atom(replace(atom, predicate=f"n{atom.predicate[1:]}{suffix}"))
