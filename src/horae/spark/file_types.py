"""The typed tables of answers over files, whose types follow from those of the files."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
from pyspark.sql import SparkSession

from horae.data.file_places import looking_in
from horae.data.input_types import types_of_files
from horae.engine.run import Run
from horae.engine.typed_answers import Schemas
from horae.spark.file_system import FileSystem
from horae.spark.given_frames import with_sources
from horae.spark.given_sources import GivenSource


def schemas_of(
    run: Run, spark: SparkSession, files: Sequence[str], sources: Sequence[GivenSource]
) -> Schemas:
    """Text has no types; tables and other sources of Spark have."""
    with looking_in(FileSystem(spark)):
        known = types_of_files(files, has_names=run.has_names)
    return run.schemas(with_sources(known, sources), pa.string())
