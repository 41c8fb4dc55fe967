"""Lines of JSON: of files, in process or as workers of Spark get them, or the values of Kafka's records.

A line of a file has no number on Spark; a record has its place, partition and offset: it is in every
error about the record, and orders those of equal times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from horae.data import catalogue
from horae.data.columns import Array
from horae.data.file_places import File
from horae.data.formats.text import open_text, read_bytes
from horae.data.layout import RECORD_PLACE, Place
from horae.source.errors import InputError

PLACE_DIGITS = (10, 19)  # of the greatest partition and of the greatest offset
_HELP = 'the value of a record is one object, such as {"time": 1.5, "a": 3}, as UTF-8 text'


@dataclass(frozen=True)
class WrittenLines:
    """Lines of a file, or of an Arrow batch, of which the `count` is known.

    `orders` are the places of records; files have none.
    """

    text: bytes
    read: Callable[[], list[str]]
    place: Place
    count: int | None = None
    orders: Array | None = None

    @cached_property
    def lines(self) -> list[str]:
        """One by one."""
        return self.read()


def lines_of_file(file: File) -> WrittenLines:
    """The lines of a file that are not blank."""

    def read() -> list[str]:
        with open_text(file) as lines:
            return [line for line in lines if line.strip()]

    return WrittenLines(read_bytes(file), read, Place(str(file)))


@contextmanager
def written_lines(batch: pa.RecordBatch, name: str) -> Iterator[WrittenLines]:
    """Lines of text, in the first column, maybe with the places of records in the next two.

    Errors about a line inside of the block get its place.
    """
    if RECORD_PLACE[0] not in batch.schema.names:
        yield _lines_of(batch.column(0), Place(name, None), None)
        return
    with _at_records(name, batch):
        place = Place(name, 1)
        _check_filled(batch.column(0), place)
        yield _lines_of(batch.column(0), place, place_texts(batch))


def _lines_of(column: Array, place: Place, orders: Array | None) -> WrittenLines:
    ends: Any = pa.array([0, len(column)], pa.int32())
    lists: Any = pa.ListArray.from_arrays(ends, column)
    joined: Any = pc.binary_join(lists, "\n")
    read: Any = column.to_pylist
    return WrittenLines(bytes(joined[0].as_buffer()), read, place, len(column), orders)


@contextmanager
def _at_records(name: str, batch: pa.RecordBatch) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        if error.row is None:
            raise
        partition, offset = (batch.column(place)[error.row - 1].as_py() for place in RECORD_PLACE)
        where = f"partition {partition}, offset {offset}"
        raise error.at(f"{name}, {where}" if name else where) from None


def _check_filled(lines: Array, place: Place) -> None:
    texts: Any = pc.fill_null(lines, "")  # type: ignore[type-var]
    blank: Any = pc.equal(pc.utf8_trim_whitespace(texts), pa.scalar("", lines.type))
    index = pc.index(blank, True).as_py()
    if index >= 0:
        problem = "the record has no value, or one that is not UTF-8 text"
        raise catalogue.malformed_row(place, index, problem, _HELP)


def place_texts(batch: pa.RecordBatch) -> Array:
    """Partition, then offset, as text that sorts as the numbers do."""
    columns = [batch.column(name).cast(pa.string()) for name in RECORD_PLACE]
    padded = [pc.utf8_lpad(c, digits, "0") for c, digits in zip(columns, PLACE_DIGITS, strict=True)]
    between: Any = pa.scalar(":")
    found: Array = pc.binary_join_element_wise(*padded, between)
    return found
