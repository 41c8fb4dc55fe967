"""The DataFrames that Python programs give to `answers` and `live`, checked before they are used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from horae.data import catalogue_python as catalogue

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from horae.data.columns import DataType
    from horae.data.input_types import ColumnTypes, InputTypes
    from horae.spark.given_sources import GivenSource


def is_frame(found: object) -> bool:
    """A DataFrame of Spark; those of other libraries have no streams."""
    return hasattr(found, "isStreaming")


def known_types(inputs: object) -> InputTypes:
    """Of DataFrames of any library, or files; None: nothing is known."""
    from horae.data.input_types import NOTHING_KNOWN, InputTypes, types_of_inputs

    if inputs is None:
        return NOTHING_KNOWN
    frames: Mapping[str, Any] = inputs if isinstance(inputs, Mapping) else {"": inputs}
    if frames and all(map(is_frame, frames.values())):
        return InputTypes({name: types_of_frame(frame) for name, frame in frames.items()})
    return types_of_inputs(inputs)


def with_sources(known: InputTypes, sources: Sequence[GivenSource]) -> InputTypes:
    """The types of files, and those of tables and other sources of Spark beside them."""
    from horae.data.input_types import InputTypes

    found = {source.name or "": types_of_frame(source.open().frame) for source in sources}
    return InputTypes({**known.tables, **found}, known.has_facts)


def types_of_frame(frame: DataFrame) -> ColumnTypes:
    """The types of its columns, None for those that Arrow does not have."""
    return {field.name: _type_of(field.dataType) for field in frame.schema.fields}


def _type_of(type: Any) -> DataType | None:
    import pyarrow as pa
    from pyspark.errors import PySparkException
    from pyspark.sql.pandas.types import to_arrow_type
    from pyspark.sql.types import TimestampType

    if isinstance(type, TimestampType):
        return pa.timestamp("us", "UTC")
    try:
        return to_arrow_type(type)
    except PySparkException:
        return None


def check_frame(found: object, name: str | None = None) -> None:
    if not is_frame(found):
        raise catalogue.not_a_frame(found, name)


def check_frames(found: object, names: Sequence[str]) -> None:
    """At least one DataFrame, each by its name; `names` are those that the program knows."""
    if not isinstance(found, Mapping) or not found:
        raise catalogue.nameless_frame(found, list(names))
    for name, frame in found.items():
        check_frame(frame, str(name))
