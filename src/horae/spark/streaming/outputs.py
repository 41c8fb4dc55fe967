"""What shards give to Spark: everything, as parcels; or answers alone, as rows.

Parcels are for whoever wants more than answers, or takes them to another stage. Rows come straight out
of the operator, where parcels would have to go through one more worker to be opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from horae.data.columns import DataType
from horae.spark.parcels import ParcelKind, Parcels, pack_pieces, unpack

if TYPE_CHECKING:
    import pandas as pd

    from horae.spark.piped import Schema

_TOGETHER = 32  # parcels of a frame
_ROWS = 32_768  # of a frame


@dataclass(frozen=True)
class Results:
    """Of a shard in a micro-batch; answers of earlier stages are among the parcels."""

    answers: Sequence[pa.Table]
    parcels: Parcels = field(default_factory=list)


class StreamOutput(Protocol):
    @property
    def schema(self) -> Schema: ...

    def frames(self, results: Results) -> Iterator[pd.DataFrame]: ...


@dataclass(frozen=True)
class AsParcels:
    schema = "kind string, payload binary"

    def frames(self, results: Results) -> Iterator[pd.DataFrame]:
        import pandas as pd

        pieces = [piece for table in results.answers for piece in pack_pieces(table)]
        parcels = [*results.parcels, *((ParcelKind.ANSWERS, piece) for piece in pieces)]
        for start in range(0, len(parcels), _TOGETHER):
            kinds, payloads = zip(*parcels[start : start + _TOGETHER], strict=True)
            yield pd.DataFrame({"kind": [str(kind) for kind in kinds], "payload": payloads})


EVERYTHING = AsParcels()


def is_plain(type: DataType) -> bool:
    """Whether columns of this type go through pandas as they are: numbers, truth values and text."""
    types = pa.types
    return bool(
        types.is_integer(type)
        or types.is_floating(type)
        or types.is_boolean(type)
        or types.is_string(type)
    )


@dataclass(frozen=True)
class AsRows:
    """`shape` gives answers, which have the schema `answers`, the columns of a batch run."""

    answers: pa.Schema
    shape: Callable[[pa.Table], pa.Table]

    @property
    def schema(self) -> StructType:
        return from_arrow_schema(self.shape(self.answers.empty_table()).schema)

    def frames(self, results: Results) -> Iterator[pd.DataFrame]:
        """Their columns stay those of Arrow: pandas would make an object of each text."""
        import pandas as pd

        earlier = [
            unpack(payload) for kind, payload in results.parcels if kind == ParcelKind.ANSWERS
        ]
        for table in (*earlier, *results.answers):
            rows = self.shape(table.cast(self.answers)).combine_chunks()
            for batch in rows.to_batches(max_chunksize=_ROWS):
                yield pa.Table.from_batches([batch]).to_pandas(types_mapper=pd.ArrowDtype)
