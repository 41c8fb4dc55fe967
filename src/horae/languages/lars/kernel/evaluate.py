"""A program over a finite set of facts, in process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from horae.data.cuts import Cuts
from horae.data.ground_facts import GroundFact
from horae.languages.lars.kernel.answers import no_answers
from horae.languages.lars.kernel.codes import Codes
from horae.languages.lars.kernel.facts import encode
from horae.languages.lars.kernel.feeding import evaluate_over
from horae.languages.lars.kernel.kernel import LarsKernel
from horae.languages.lars.kernel.options import Options
from horae.languages.lars.program import Program
from horae.rules.terms import Constant


def program_facts(program: Program) -> list[GroundFact]:
    """Facts of the program text."""
    return [
        GroundFact(
            fact.atom.predicate,
            tuple(t.value for t in fact.atom.arguments if isinstance(t, Constant)),
            fact.interval,
        )
        for fact in program.facts
    ]


def evaluate(
    program: Program, facts: Sequence[GroundFact], times: Cuts, options: Options | None = None
) -> pa.Table:
    """The answers at these evaluation times, not sorted. `facts` are all, those of the text too."""
    codes = Codes()
    kernel = LarsKernel(program, arities_of(program, facts), codes, options)
    answers = evaluate_over(kernel, encode(facts, codes), np.unique(times))
    return pa.concat_tables([no_answers(), *answers])


def arities_of(program: Program, facts: Sequence[GroundFact]) -> Mapping[str, int]:
    """Of the predicates of the program and of those that only the facts have: tuple windows
    count them.
    """
    return {f.predicate: len(f.arguments) for f in facts} | program.arities
