"""MeTeoR as an outside oracle: checked programs in, materialised facts out.

MeTeoR lives in an environment of its own; `HORAE_METEOR_PYTHON` names the interpreter there.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, assert_never

from horae.data.constants import Value
from horae.data.intervals import Interval
from horae.languages.datalogmtl.program import Program
from horae.languages.datalogmtl.syntax.tree import Binary, Formula, Modal, Rule
from horae.reference.datalogmtl import GroundFact
from horae.rules.terms import Atom, Constant, Term

PYTHON = os.environ.get("HORAE_METEOR_PYTHON", "")
_SCRIPT = Path(__file__).with_name("run_meteor.py")


def pose(program: Program, facts: Iterable[GroundFact], mode: str) -> dict[str, Any]:
    """A case for `materialise`. `mode` is `naive` or `seminaive`."""
    written = [(f.atom.predicate, _values(f.atom), f.interval) for f in program.facts]
    return {
        "program": [_rule(rule) for rule in program.rules],
        "facts": [_fact(*fact) for fact in [*written, *facts]],
        "mode": mode,
    }


def materialise(cases: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Per case `{"facts": [[predicate, args, interval]]}` or `{"error": text}`."""
    done = subprocess.run(
        [PYTHON, str(_SCRIPT)],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


# --- in MeTeoR's words


def _rule(rule: Rule) -> str:
    assert not any(literal.negated for literal in rule.body), "MeTeoR ignores negation"
    boxes = "".join(f"{operator}{_interval(interval)}" for operator, interval in rule.head.boxes)
    body = ",".join(_formula(literal.formula) for literal in rule.body)
    return f"{boxes}{_atom(rule.head.atom)}:-{body}"


def _formula(formula: Formula) -> str:
    match formula:
        case Atom():
            return _atom(formula)
        case Modal(operator=operator, interval=interval, operand=operand):
            return f"{operator}{_interval(interval)}{_formula(operand)}"
        case Binary(operator=operator, interval=interval, left=left, right=right):
            return f"{_formula(left)}{operator}{_interval(interval)}{_formula(right)}"
        case _:
            assert_never(formula)


def _atom(atom: Atom) -> str:
    terms = ",".join(_term(term) for term in atom.arguments)
    return f"{atom.predicate}({terms})" if terms else atom.predicate


def _term(term: Term) -> str:
    return str(term.value) if isinstance(term, Constant) else term.name


def _fact(predicate: str, arguments: Sequence[Value], interval: Interval) -> str:
    terms = ",".join(map(str, arguments))
    atom = f"{predicate}({terms})" if terms else predicate
    return f"{atom}@{_interval(interval)}"


def _interval(interval: Interval) -> str:
    left, right = "(" if interval.low_open else "[", ")" if interval.high_open else "]"
    low = "-inf" if interval.low is None else _number(interval.low)
    high = "inf" if interval.high is None else _number(interval.high)
    return f"{left}{low},{high}{right}"


def _number(value: Fraction) -> str:
    """As a decimal: MeTeoR knows no fractions."""
    text = str(float(value))
    assert Fraction(text) == value, f"{value} has no short decimal"
    return text.removesuffix(".0")


def _values(atom: Atom) -> tuple[Value, ...]:
    return tuple(term.value for term in atom.arguments if isinstance(term, Constant))
