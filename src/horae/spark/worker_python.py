"""Workers of a cluster that cannot run Horae: they have no such Python, or too little in it."""

from __future__ import annotations

import re

from horae.source.errors import InputError
from horae.spark import catalogue

_NO_PROGRAM = re.compile(r'Cannot run program "([^"]*python[^"]*)"')
_NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '(\w+)")
_OTHER_VERSION = re.compile(r"worker has different version: (.+?) than that in driver: (.+?), Py")


def unready_worker(text: str) -> InputError | None:
    """What Spark tells of a Python that did not start, or could not load the kernels."""
    reason = _reason(text)
    if reason is None:
        return None
    return catalogue.WORKERS_CANNOT_RUN(reason=reason)


def _reason(text: str) -> str | None:
    if found := _NO_PROGRAM.search(text):
        return f"there is no Python at `{found[1]}`"
    if found := _NO_MODULE.search(text):
        return f"their Python has no module `{found[1]}`"
    if found := _OTHER_VERSION.search(text):
        return f"their Python is {found[1]}, that of the driver is {found[2]}"
    return None
