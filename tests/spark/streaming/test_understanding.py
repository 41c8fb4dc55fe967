"""What Spark says of a stream that failed: damage of the checkpoint is told from all else."""

from __future__ import annotations

from pathlib import Path

import pytest

from horae.source.errors import InputError
from horae.spark.crashes import crashed_worker, shortage
from horae.spark.streaming.checkpoint_lock import locked
from horae.spark.streaming.checksums import agrees
from horae.spark.streaming.damage import recognise_damage

_PLACE = "/data/checkpoint"

_DAMAGES = [
    (
        "[STREAM_FAILED] Query [id = 1] terminated with exception: "
        "[CANNOT_LOAD_STATE_STORE.CANNOT_READ_STREAMING_STATE_FILE] An error occurred. Error reading "
        "streaming state file of file:/data/checkpoint/state/0/1/4.changelog does not exist. If …",
        "CHK004: the stream cannot go on from the checkpoint: "
        "its state cannot be read (`state/0/1/4.changelog`)",
    ),
    (
        "[STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY] Cannot restart streaming query",
        "CHK004: the stream cannot go on from the checkpoint: `state` is missing",
    ),
    (
        "Multiple streaming queries are concurrently using file:/data/checkpoint/commits.",
        "CHK006: another run is using the checkpoint",
    ),
]
_OTHERS = [
    "[STREAM_FAILED] Query [id = 1] terminated with exception: / by zero",
    "[PATH_NOT_FOUND] Path does not exist: file:/data/in.",
    "Job aborted due to stage failure: Task 0 in stage 4.0 failed 1 times",
]


def _first_line(error: InputError | None) -> str:
    """What is wrong, without what would help."""
    return str(error).splitlines()[0]


@pytest.mark.parametrize(("text", "told"), _DAMAGES)
def test_damage(text: str, told: str):
    assert _first_line(recognise_damage(text, _PLACE)) == told


@pytest.mark.parametrize("text", _OTHERS)
def test_other_failures_are_no_damage(text: str):
    assert recognise_damage(text, _PLACE) is None
    assert crashed_worker(text) is None
    assert shortage(text) is None


def test_a_worker_that_is_gone():
    text = "org.apache.spark.SparkException: Python worker exited unexpectedly (crashed)"
    assert str(crashed_worker(text)).startswith("ENV015")


def test_a_full_disk():
    text = "[CANNOT_LOAD_STATE_STORE.UNCATEGORIZED] … Caused by: No space left on device"
    assert _first_line(shortage(text)) == "ENV016: Spark cannot work here: No space left on device"


def test_checksums(tmp_path: Path):
    file, sums = tmp_path / "3", tmp_path / ".3.crc"
    file.write_bytes(b"123456789")
    assert agrees(file)
    sums.write_bytes(b"crc\0" + (512).to_bytes(4, "big") + bytes.fromhex("cbf43926"))
    assert agrees(file)
    file.write_bytes(b"123456780")
    assert not agrees(file)


def test_the_checkpoint_cannot_be_written(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Exception, match="ENV003"), locked(tmp_path / "file" / "checkpoint"):
        pass
