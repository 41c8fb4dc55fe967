"""The columns of rows: the time, the inputs, and what orders rows of equal time.

Spark does not tell `a` from `A`, and an input may be called `time`: the name of an input carries its
number.

Rows of equal time are ordered by the order column, if there is one, then by their places: where a row
stands in a file that is the only one, or a record in its topic. What has no place is ordered by content.
Rows that were read in this process are in order already; they have numbers, for messages.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from horae.data.columns import DataType
from horae.data.values import ARROW_TYPES
from horae.languages.rtlola.program import Input

TIME = "time"
ORDER = "order"
PLACE = ("place", "within")  # the block of a file, or the partition of a topic; and the place there
NUMBER = "row"


def input_columns(inputs: Sequence[Input]) -> dict[str, str]:
    """The column of each input."""
    return {stream.name: f"{number}:{stream.name}" for number, stream in enumerate(inputs)}


def rows_schema(inputs: Sequence[Input], *, order: bool, numbered: bool) -> pa.Schema:
    columns = input_columns(inputs)
    types: dict[str, DataType] = {TIME: pa.int64()}
    types |= {columns[i.name]: ARROW_TYPES[i.type] for i in inputs}
    if numbered:
        return pa.schema(types | {NUMBER: pa.int64()})
    ordered = {ORDER: pa.string()} if order else {}
    return pa.schema(types | ordered | {name: pa.int64() for name in PLACE})
