"""What the ending of a file says: its format, and whether its text is compressed (`rows.csv.gz`).

A new format is a file in `data/formats/` and a line in `TABLES`.
"""

from __future__ import annotations

from pathlib import Path

from horae.data.file_places import File

TABLES = {".csv": "csv", ".parquet": "parquet", ".orc": "orc"}
"""Formats with columns, and the module of `data/formats/` that reads them."""
JSON_LINES = (".jsonl", ".json")
FACTS_TEXT = ".facts"

EVENTS = (".csv", *JSON_LINES, *(ending for ending in TABLES if ending != ".csv"))
"""The endings of files of events."""
FACTS = (FACTS_TEXT, *EVENTS)
"""Those of files of facts, and of rows of streams and relations."""

COMPRESSED = {".gz": "gzip", ".zst": "zstd"}
"""Endings behind those of text."""
_TEXT = (".csv", *JSON_LINES, FACTS_TEXT)


def ending_of(file: str | File) -> str:
    """That of the format, in small letters: `.csv` of `a.CSV.gz`; any other is the last one."""
    before, last = _last_two(file)
    return before if last in COMPRESSED and before in _TEXT else last


def whole_ending_of(file: str | File) -> str:
    """The ending of a file, together with that of a compressed file: `.csv.gz`."""
    before, last = _last_two(file)
    return before + last if last in COMPRESSED and before in _TEXT else last


def _last_two(file: str | File) -> tuple[str, str]:
    *_, before, last = ("", "", *(suffix.lower() for suffix in Path(str(file)).suffixes))
    return before, last


def is_json_lines(file: str | File) -> bool:
    return ending_of(file) in JSON_LINES


def is_csv(file: str | File) -> bool:
    """Then numbers are text, and what they are comes from elsewhere."""
    return ending_of(file) == ".csv"
