"""The keys of all objects in lines of JSON, found by the workers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress

import pyarrow as pa
from pyspark.sql import DataFrame

from horae.spark.piped import Batches


def keys_of_lines(lines: DataFrame) -> list[str]:
    """Sorted; lines that are no objects are refused elsewhere."""
    found = lines.mapInArrow(_keys, "key string").distinct().toArrow()
    return sorted(map(str, found.column(0).to_pylist()))


def _keys(batches: Batches) -> Batches:
    keys = {key for batch in batches for text in batch.column(0).to_pylist() for key in _of(text)}
    yield pa.record_batch([pa.array(sorted(keys), pa.string())], names=["key"])


def _of(text: object) -> Iterator[str]:
    with suppress(ValueError, RecursionError):
        found = json.loads(str(text))
        if isinstance(found, dict):
            yield from found
