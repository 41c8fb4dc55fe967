"""Errors cross from Python workers through the JVM as text; here they become themselves again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.errors import PySparkException

from horae.source.errors import InputError

_MARK = "horae-input-error:"
_MARKED = re.compile(re.escape(_MARK) + r"(\{.*?\}):end", re.DOTALL)


class MarkedError(Exception):
    """An InputError on its way out of a worker: all its parts as JSON between marks."""

    def __init__(self, error: InputError) -> None:
        parts = {
            "code": error.code,
            "message": error.message,
            "place": error.place,
            "row": error.row,
            "time": error.time,
            "help": error.help,
        }
        super().__init__(f"{_MARK}{json.dumps(parts)}:end")


@contextmanager
def marked() -> Iterator[None]:
    """In a worker: let an InputError be recognised on the other side."""
    try:
        yield
    except InputError as error:
        raise MarkedError(error) from None


@contextmanager
def unmarked() -> Iterator[None]:
    """In the driver: give the caller the InputError of a worker, not Spark's report of it."""
    try:
        yield
    except PySparkException as error:
        found = recognise(str(error))
        if found is None:
            raise
        raise found from None


def recognise(text: str) -> InputError | None:
    found = _MARKED.search(text)
    if found is None:
        return None
    parts = json.loads(found[1])
    code, message = parts.pop("code"), parts.pop("message")
    return InputError(code, message, **parts)
