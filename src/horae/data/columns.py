"""Names for the types of columns, and columns of Arrow as columns of NumPy.

The type checker wants parameters of Arrow's types that Python does not know.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

if TYPE_CHECKING:
    Array: TypeAlias = pa.Array[Any]
    Column: TypeAlias = pa.ChunkedArray[Any]
    DataType: TypeAlias = Any
else:
    Array = pa.Array
    Column = pa.ChunkedArray
    DataType = pa.DataType

Ints = npt.NDArray[np.int64]
Doubles = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


def are_in_order(numbers: Column) -> bool:
    """Whether none is less than the one before; looking at them is cheaper than sorting."""
    chunks = [chunk.to_numpy() for chunk in numbers.chunks if len(chunk)]
    return all((own[1:] >= own[:-1]).all() for own in chunks) and all(
        before[-1] <= after[0] for before, after in pairwise(chunks)
    )


def decimals_as_ints(decimals: Array) -> Ints | None:
    """Decimals without places behind the point, if all of them fit into 64 bits; nulls have no meaning.

    A decimal128 is an integer of two words.
    """
    buffer = decimals.buffers()[1]
    words: Ints = np.frombuffer(memoryview(buffer or b""), np.int64).reshape(-1, 2)
    low, high = words[decimals.offset : decimals.offset + len(decimals)].T
    return np.ascontiguousarray(low) if bool((high == low >> 63).all()) else None


def fitted(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """With the columns of a schema; those that the table does not have are null."""
    if table.schema.equals(schema):
        return table
    kinds: list[DataType] = schema.types
    given = set(table.column_names)
    columns = [
        table.column(name).cast(kind) if name in given else pa.nulls(len(table), kind)
        for name, kind in zip(schema.names, kinds, strict=True)
    ]
    return pa.table(columns, schema=schema)


def plain_columns(table: pa.Table) -> pa.Table:
    """Coded values, which are dictionaries, as the values themselves."""
    coded = [field for field in table.schema if pa.types.is_dictionary(field.type)]
    for field in coded:
        place, plain = table.schema.get_field_index(field.name), field.type.value_type
        table = table.set_column(
            place, pa.field(field.name, plain), table.column(place).cast(plain)
        )
    return table


def with_own_texts(piece: pa.Table) -> pa.Table:
    """Coded values without the codes of others: a slice keeps those of the whole table."""
    for place, field in enumerate(piece.schema):
        if pa.types.is_dictionary(field.type):
            own: list[Any] = [_with_own_codes(chunk) for chunk in piece.column(place).chunks]
            kind: Any = field.type
            column: Any = pa.chunked_array(own, kind)
            piece = piece.set_column(place, field, column)
    return piece


def _with_own_codes(coded: Any) -> Any:
    if len(coded.dictionary) <= len(coded):
        return coded
    used = coded.indices.dictionary_encode()
    return pa.DictionaryArray.from_arrays(used.indices, coded.dictionary.take(used.dictionary))


def without_nulls(rows: pa.Table) -> pa.Table:
    """Without columns that are null in every row; `fitted` adds them again."""
    empty = [name for name in rows.column_names if rows.column(name).null_count == len(rows)]
    return rows.drop_columns(empty) if empty else rows
