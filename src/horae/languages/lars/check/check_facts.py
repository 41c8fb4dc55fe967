"""Facts of the stream are about input predicates, at time points; background data may be about any."""

from __future__ import annotations

from collections.abc import Iterator

from horae.data.intervals import ALWAYS
from horae.data.natural_times import LAST
from horae.languages.lars.check import catalogue_checks as catalogue
from horae.languages.lars.check.occurrences import name_span
from horae.languages.lars.program import atoms
from horae.languages.lars.syntax.tree import Fact, Rule, Tree
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span


def check_facts(tree: Tree) -> Iterator[Diagnostic]:
    heads = [s.head for s in tree.statements if isinstance(s, Rule) and s.head is not None]
    derived = {a.predicate: name_span(a) for head in reversed(heads) for a in atoms(head)}
    for fact in tree.statements:
        if not isinstance(fact, Fact) or fact.interval == ALWAYS:
            continue
        if fact.atom.predicate in derived:
            name = fact.atom.predicate
            yield catalogue.fact_about_derived(name, name_span(fact.atom), derived[name])
        if fact.interval.high is not None and fact.interval.high > LAST:
            yield catalogue.too_large(
                catalogue.A_TIME_POINT, Span(fact.atom.span.end, fact.span.end)
            )
