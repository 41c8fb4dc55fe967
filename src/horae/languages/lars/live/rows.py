"""Facts as rows of a live stream: columns of facts, and the time point at which a row comes.

A fact with an interval comes at its beginning; its later time points wait for their time.
"""

from __future__ import annotations

from collections.abc import Collection

import pyarrow as pa

from horae.data import catalogue_facts as catalogue
from horae.data.fact_columns import PREDICATE, SCHEMA, background_rows
from horae.languages.lars.kernel.encode_rows import time_spans
from horae.source.errors import InputError

TIME = "time"
ROWS = SCHEMA.append(pa.field(TIME, pa.int64()))


def to_rows(facts: pa.Table, derived: Collection[str]) -> pa.Table:
    """From the columns of `inputs.fact_columns`. An interval without a time point says nothing."""
    timeless = background_rows(facts)
    if len(timeless):
        raise _background(str(timeless.column(PREDICATE)[0]))
    for name in facts.column(PREDICATE).unique().to_pylist():
        if name in derived:
            raise catalogue.derived_in_stream(str(name))
    first, last = time_spans(facts)
    rows = facts.append_column(TIME, pa.array(first, pa.int64()))
    return rows.filter(pa.array(first <= last)).cast(ROWS)


def _background(predicate: str) -> InputError:
    return InputError(
        "INP055",
        f"a fact about `{predicate}` comes in a stream, but has no time",
        help="give it a time, or give it as background data before the stream starts",
    )
