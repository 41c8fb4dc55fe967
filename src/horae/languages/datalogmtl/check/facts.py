"""Facts as the parser of programs reads them: whatever stands in a text of facts, with all mistakes.

Facts have no variables, so a name in capitals is a constant here.
"""

from __future__ import annotations

from collections.abc import Iterable

from horae.data.clock import SECONDS, Clock
from horae.data.ground_facts import GroundFact
from horae.languages.datalogmtl.check.check_intervals import check_fact
from horae.languages.datalogmtl.syntax import catalogue_syntax as catalogue
from horae.languages.datalogmtl.syntax.parse import parse_chunks
from horae.languages.datalogmtl.syntax.tokens import scan
from horae.languages.datalogmtl.syntax.tree import Fact, Query, Rule
from horae.rules.terms import Constant
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source


def ground(facts: Iterable[Fact]) -> list[GroundFact]:
    """Facts of a program text; the checker has seen to it that they have no variables."""
    return [
        GroundFact(
            fact.atom.predicate,
            tuple(t.value for t in fact.atom.arguments if isinstance(t, Constant)),
            fact.interval,
        )
        for fact in facts
    ]


def parse_facts(source: Source, clock: Clock = SECONDS) -> tuple[list[Fact], list[Diagnostic]]:
    """The facts that could be read, and what is wrong with all else, in source order."""
    scanned = scan(source)
    facts: list[Fact] = []
    diagnostics = list(scanned.diagnostics)
    for parsed in parse_chunks(source, scanned.tokens, scanned.diagnostics, facts_of=clock):
        diagnostics += parsed.diagnostics
        match parsed.statement:
            case Fact() as fact if not parsed.diagnostics:
                found = check_fact(source, fact)
                diagnostics += found
                facts += [] if found else [fact]
            case Rule(span=span):
                diagnostics.append(catalogue.NO_FACT(span, kind="a rule"))
            case Query(span=span):
                diagnostics.append(catalogue.NO_FACT(span, kind="a query"))
            case _:
                pass
    return facts, sorted(diagnostics, key=lambda d: (d.span.start, d.code))
