"""The columns of live rows: the time, the inputs, and what orders rows of equal time.

Spark does not tell `a` from `A`, and an input may be called `time`: the name of an input carries its
number.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from horae.data.columns import DataType
from horae.data.values import ARROW_TYPES
from horae.languages.rtlola.program import Input

TIME = "time"
ORDER = "order"


def input_columns(inputs: Sequence[Input]) -> dict[str, str]:
    """The column of each input."""
    return {stream.name: f"{number}:{stream.name}" for number, stream in enumerate(inputs)}


def rows_schema(inputs: Sequence[Input], order: DataType | None) -> pa.Schema:
    columns = input_columns(inputs)
    fields = [(TIME, pa.int64()), *((columns[i.name], ARROW_TYPES[i.type]) for i in inputs)]
    return pa.schema(fields if order is None else [*fields, (ORDER, order)])
