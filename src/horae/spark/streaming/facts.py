"""Facts that are there before a stream starts."""

from __future__ import annotations

from pyspark.sql import DataFrame

from horae.data.fact_columns import to_facts
from horae.data.ground_facts import GroundFact


def collected(facts: DataFrame) -> list[GroundFact]:
    return [fact for batch in facts.toArrow().to_batches() for fact in to_facts(batch)]
