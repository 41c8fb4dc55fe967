"""Lines of JSON as workers of Spark get them: of files, or the values of Kafka's records.

A line of a file has no number on Spark; a record has its place, partition and offset: it is in every
error about the record, and orders those of equal times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from horae.data import catalogue
from horae.data.columns import Array
from horae.data.layout import RECORD_PLACE, Place
from horae.source.errors import InputError

PLACE_DIGITS = (10, 19)  # of the greatest partition and of the greatest offset
_HELP = 'the value of a record is one object, such as {"time": 1.5, "a": 3}, as UTF-8 text'


@dataclass(frozen=True)
class WrittenLines:
    """The lines of an Arrow batch. `orders` are the places of records; files have none."""

    lines: list[str]
    place: Place
    orders: list[str] | None


@contextmanager
def written_lines(batch: pa.RecordBatch, name: str) -> Iterator[WrittenLines]:
    """Lines of text, in the first column, maybe with the places of records in the next two.

    Errors about a line inside of the block get its place.
    """
    lines: list[str | None] = batch.column(0).to_pylist()
    if RECORD_PLACE[0] not in batch.schema.names:
        yield WrittenLines([str(line) for line in lines], Place(name, None), None)
        return
    with _at_records(name, _places(batch)):
        place = Place(name, 1)
        yield WrittenLines(
            _filled(lines, place), place, list(map(str, place_texts(batch).to_pylist()))
        )


def _places(batch: pa.RecordBatch) -> list[tuple[int, int]]:
    partitions, offsets = (batch.column(column).to_numpy().tolist() for column in RECORD_PLACE)
    return list(zip(partitions, offsets, strict=True))


@contextmanager
def _at_records(name: str, places: Sequence[tuple[int, int]]) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        if error.row is None:
            raise
        partition, offset = places[error.row - 1]
        where = f"partition {partition}, offset {offset}"
        raise error.at(f"{name}, {where}" if name else where) from None


def _filled(lines: Sequence[str | None], place: Place) -> list[str]:
    filled: list[str] = []
    for index, line in enumerate(lines):
        if line is None or not line.strip():
            problem = "the record has no value, or one that is not UTF-8 text"
            raise catalogue.malformed_row(place, index, problem, _HELP)
        filled.append(line)
    return filled


def place_texts(batch: pa.RecordBatch) -> Array:
    """Partition, then offset, as text that sorts as the numbers do."""
    columns = [batch.column(name).cast(pa.string()) for name in RECORD_PLACE]
    padded = [pc.utf8_lpad(c, digits, "0") for c, digits in zip(columns, PLACE_DIGITS, strict=True)]
    between: Any = pa.scalar(":")
    found: Array = pc.binary_join_element_wise(*padded, between)
    return found
