"""A shard of spread queries: it evaluates its own rows, and hands on what it finds."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa

from horae.languages.cql.kernel.answers import no_answers
from horae.languages.cql.kernel.evaluate import Found
from horae.languages.cql.live.gathered import pack_found
from horae.languages.cql.live.kernel import LiveCQLKernel


@dataclass
class SpreadShard(LiveCQLKernel):
    found: list[tuple[str, Found]] = field(default_factory=list)

    def derived(self) -> pa.Table:
        found, self.found = self.found, []
        return pack_found(found)

    def _evaluate(self, until: int) -> pa.Table:
        due = self.times.decide(until)
        if len(due):
            rows = self.kernel.rows(due)
            self.found += [(name, part) for name, part in rows if _says_something(part)]
        return no_answers()


def _says_something(found: Found) -> bool:
    return not isinstance(found, pa.Table) or found.num_rows > 0
