"""Globs as Python has them, part by part: Hadoop's own know neither `**` nor colons in names."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase, translate

EVERYTHING = "**"
_MAGIC = re.compile(r"[*?\[]")
_VISIBLE = r"(?!\.)"


def split_glob(pattern: str) -> tuple[str, list[str]]:
    """`/data/a/*/x.csv` → `/data/a/` and `*`, `x.csv`; no parts where nothing is to be matched."""
    parts = pattern.split("/")
    first = next((at for at, part in enumerate(parts) if _MAGIC.search(part)), len(parts))
    start = "/".join(parts[:first]) + "/" if first else "."
    return start, [part for part in parts[first:] if part]


def part_matches(part: str, name: str) -> bool:
    """Names that begin with a point only match where it is asked for."""
    return fnmatchcase(name, part) and (part.startswith(".") or not name.startswith("."))


def path_pattern(parts: list[str]) -> re.Pattern[str]:
    """For paths below the start; `**` is any number of directories, and at the end all below them."""
    *before, last = [_EVERY if part == EVERYTHING else _one(part) + "/" for part in parts]
    return re.compile("".join(before) + (_ALL if parts[-1] == EVERYTHING else last[:-1]))


_EVERY = rf"(?:{_VISIBLE}[^/]+/)*"
_ALL = rf"(?:{_VISIBLE}[^/]+/)*{_VISIBLE}[^/]+"


def _one(part: str) -> str:
    """One name: what `translate` takes for any character is no slash here."""
    regex = translate(part).removeprefix("(?s:").removesuffix(r")\Z").replace(".*", "[^/]*")
    return ("" if part.startswith(".") else _VISIBLE) + regex
