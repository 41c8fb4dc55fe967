"""Names for Arrow's types: the type checker wants their parameters, Python does not know them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa

if TYPE_CHECKING:
    Array: TypeAlias = pa.Array[Any]
    Column: TypeAlias = pa.ChunkedArray[Any]
    DataType: TypeAlias = Any
else:
    Array = pa.Array
    Column = pa.ChunkedArray
    DataType = pa.DataType
