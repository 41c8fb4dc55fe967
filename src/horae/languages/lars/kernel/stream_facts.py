"""Facts for LARS: those with times are about input predicates (Def. 1), at time points."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from horae.data import catalogue_facts as catalogue
from horae.data.intervals import ALWAYS
from horae.data.predicate_facts import PredicateFacts, ground_facts
from horae.languages.lars.kernel.facts import time_points
from horae.source.errors import InputError


@dataclass(frozen=True, slots=True)
class StreamCheck:
    """Refuses what cannot be in a stream, with the number of the fact."""

    derived: Collection[str]

    def __call__(self, facts: Sequence[PredicateFacts]) -> None:
        for number, fact in enumerate(ground_facts(facts), 1):
            if fact.interval == ALWAYS:
                continue
            if fact.predicate in self.derived:
                raise catalogue.derived_in_stream(fact.predicate, number)
            try:
                time_points(fact)
            except InputError as error:
                raise error.at("", number) from None
