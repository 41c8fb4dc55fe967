"""What Spark tells of workers that cannot run Horae."""

from __future__ import annotations

import pytest

from horae.spark.worker_python import unready_worker

_TOLD = [
    (
        'java.io.IOException: Cannot run program "./environment/bin/python": error=2, No such file',
        "there is no Python at `./environment/bin/python`",
    ),
    (
        "ModuleNotFoundError: No module named 'horae.spark'; 'horae' is not a package",
        "their Python has no module `horae`",
    ),
    (
        "Python in worker has different version: 3.10 than that in driver: 3.11, PySpark cannot run",
        "their Python is 3.10, that of the driver is 3.11",
    ),
]


@pytest.mark.parametrize(("text", "reason"), _TOLD)
def test_the_reason_is_told(text, reason):
    error = unready_worker(f"Job aborted due to stage failure: Task 0 failed\n{text} with more")
    assert error is not None
    assert error.code == "ENV005"
    assert error.message == f"the workers of the cluster cannot run Horae: {reason}"


def test_other_failures_are_not_theirs():
    assert unready_worker("Job aborted due to stage failure: ZeroDivisionError") is None
    assert unready_worker('Cannot run program "tar": error=2, No such file or directory') is None
