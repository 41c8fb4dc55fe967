"""Errors cross from Python workers through the JVM as text; here they become themselves again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import unquote

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from horae.data import catalogue
from horae.source.errors import InputError
from horae.spark.brokers import broker_failure
from horae.spark.crashes import crashed_worker, noticing_losses, shortage
from horae.spark.worker_python import unready_worker

_MARK = "horae-input-error:"
_MARKED = re.compile(re.escape(_MARK) + r"(\{.*?\}):end", re.DOTALL)


class MarkedError(Exception):
    """An InputError on its way out of a worker: its parts as JSON between marks.

    Not the row: a worker counts the rows of its own partition, which mean nothing to anybody else.
    """

    def __init__(self, error: InputError) -> None:
        super().__init__(marked_text(error))


def marked_text(error: InputError) -> str:
    parts = {
        "code": error.code,
        "message": error.message,
        "place": error.place,
        "time": error.time,
        "help": error.help,
    }
    return f"{_MARK}{json.dumps(parts)}:end"


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
    with noticing_losses():
        try:
            yield
        except (PySparkException, Py4JJavaError) as error:
            found = cause_of(str(error))
            if found is None:
                raise
            raise found from None


def cause_of(report: str) -> InputError | None:
    """What Spark reports, said to the user: what a worker found, or what Spark wanted for."""
    return (
        recognise(report) or unreadable_input(report) or crashed_worker(report) or shortage(report)
    )


OTHER_HEADER = "its header is not that of the first file"
SPLIT_CELL = "a row of CSV has too many or too few cells"


def unreadable_input(text: str) -> InputError | None:
    """Spark could not read a file or a topic, or not run what reads them, for whatever reason."""
    return _unreadable_file(text) or broker_failure(text) or unready_worker(text)


def _unreadable_file(text: str) -> InputError | None:
    file = re.search(r"FAILED_READ_FILE.*? (?:file )?([a-z][a-z0-9+.-]*://\S+?)\.?\s", text)
    if file is None:
        return None
    is_csv = "MALFORMED_CSV_RECORD" in text
    causes = re.findall(r"^Caused by: (?:[\w.$]+: )?(.+)$", text, re.MULTILINE)
    is_header = "CSV header does not conform" in text
    reason = (
        OTHER_HEADER
        if is_header
        else SPLIT_CELL
        if is_csv
        else causes[-1]
        if causes
        else "Spark does not say why"
    )
    return catalogue.unreadable(unquote(file[1]).removeprefix("file://"), reason)


def recognise(text: str) -> InputError | None:
    found = _MARKED.search(text)
    if found is None:
        return None
    parts = json.loads(found[1])
    code, message = parts.pop("code"), parts.pop("message")
    return InputError(code, message, **parts)
