"""A plan with the queries that are asked for, and those that they read.

a: …; b: … FROM a; c: …        asked for b  ⇒  a (not answered), b
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from horae.languages.cql.plan.algebra import Algebra, Read
from horae.languages.cql.plan.walk import table_scans

_OF_QUERIES = (Read.ROWS_OF_QUERY, Read.ANSWERS_OF_QUERY)


def only_asked(plan: Algebra, only: Collection[str] | None) -> Algebra:
    """None: all queries are asked for."""
    if only is None:
        return plan
    needed = {*only}
    for query in reversed(plan.queries):
        if query.name in needed:
            scans = table_scans(replace(plan, queries=(query,)))
            needed |= {scan.name for scan in scans if scan.read in _OF_QUERIES}
    kept = (query for query in plan.queries if query.name in needed)
    queries = tuple(replace(query, is_answered=query.name in only) for query in kept)
    return replace(plan, queries=queries)
