"""Event files as DataFrames. Values stay text until the door, which checks them by the program."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from horae.data import catalogue
from horae.data.endings import JSON_LINES, ending_of
from horae.data.files import find_files, reading
from horae.data.formats.csv import header_of
from horae.data.formats.jsonl import check_keys
from horae.data.layout import Layout, Place
from horae.data.validate import check_columns
from horae.spark.bad_rows import LINE
from horae.spark.columns import numbered_names, select_by_place
from horae.spark.files import all_text, csv_options, read_typed
from horae.spark.rtlola.door import FILE_PLACE
from horae.spark.rtlola.topics import are_topics, topic_events


@dataclass(frozen=True)
class Files:
    """Event files of one format. `header` and `columns` are for CSV.

    `multi_line`: cells hold line breaks, so that a file cannot be cut into splits at any line.
    """

    paths: tuple[str, ...]
    layout: Layout
    header: bool | None = None
    columns: tuple[str, ...] | None = None
    multi_line: bool = False


def read_frame(session: SparkSession, wanted: Files) -> DataFrame:
    """The rows of all files; of a single file also their places, and of topics those of records."""
    if are_topics(wanted.paths):
        return topic_events(session, wanted.paths, wanted.layout)
    files = [file for path in wanted.paths for file in find_files(path)]
    endings = {ending_of(file) for file in files}
    if len(endings) > 1:
        raise catalogue.mixed_endings(sorted(endings))
    frame = _read(session, endings.pop(), files, wanted)
    return _with_places(frame) if len(files) == 1 else frame


def _read(session: SparkSession, ending: str, files: list[Path], wanted: Files) -> DataFrame:
    match ending:
        case ".csv":
            return _read_csv(session, files, wanted)
        case _ if ending in JSON_LINES:
            return _read_json(session, files, wanted.layout)
        case _:
            return read_typed(session, files)


def _names(files: list[Path]) -> list[str]:
    return [str(file.resolve()) for file in files]


def _read_csv(session: SparkSession, files: list[Path], wanted: Files) -> DataFrame:
    """Files with the same columns are read at once; their order may differ from file to file."""
    groups: dict[tuple[str, ...], list[Path]] = {}
    for file in files:
        groups.setdefault(wanted.columns or _titles(file), []).append(file)
    if len(groups) == 1:
        ((titles, alike),) = groups.items()
        return _read_alike(session, titles, alike, wanted)
    frames = []
    for titles, alike in groups.items():
        check_columns(list(titles), wanted.layout, Place(str(alike[0])))
        frame = _read_alike(session, titles, alike, wanted)
        frames.append(select_by_place(frame, wanted.layout.columns).toDF(*wanted.layout.columns))
    return reduce(DataFrame.union, frames)


def _titles(file: Path) -> tuple[str, ...]:
    with reading(file):
        return tuple(header_of(file))


def _read_alike(
    session: SparkSession, titles: tuple[str, ...], files: list[Path], wanted: Files
) -> DataFrame:
    frame = session.read.csv(
        _names(files),
        all_text(numbered_names(titles)),
        header=wanted.header or (wanted.header is None and not wanted.columns),
        enforceSchema=True,
        multiLine=wanted.multi_line,
        **csv_options(),
    )
    return frame.toDF(*titles)


def _read_json(session: SparkSession, files: list[Path], layout: Layout) -> DataFrame:
    """Lines of text: the door reads them, so that JSON means the same here and in process."""
    check_keys(files, layout)
    lines = session.read.text(_names(files))
    return lines.where(f.trim("value") != "").withColumnRenamed("value", LINE)


def _with_places(frame: DataFrame) -> DataFrame:
    """Splits of a file can be read in any order; a row's place is that of its split and in it."""
    block, at = FILE_PLACE
    places = {block: f.col("_metadata.file_block_start"), at: f.monotonically_increasing_id()}
    return frame.withColumns(places)
