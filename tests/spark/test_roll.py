"""Names that workers meet are told in the driver."""

from __future__ import annotations

import threading
import warnings
from pathlib import Path

import pytest
from tests.data.test_roll import CQL, DMTL, LARS, LOLA

import horae
from horae.spark.streaming.checkpoint_folder import LocalFolder
from horae.spark.streaming.file_stream import FileStream

pytestmark = pytest.mark.spark

FACTS = "signal(a)@1\n" * 3 + "singal(b)@2\n" * 3


def on_spark(program, inputs: list[str], **options) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always", horae.InputWarning)
        assert list(program.run_files(inputs, master="local[2]", shards=2, **options))
    problems = [w.message.problem for w in found if isinstance(w.message, horae.InputWarning)]
    return [f"{problem.code} {problem.place}" for problem in problems]


@pytest.mark.parametrize("program", [DMTL, LARS, CQL], ids=lambda p: p.language)
def test_facts_of_an_unknown_predicate(spark, program, tmp_path: Path):
    file = tmp_path / "in.facts"
    file.write_text(FACTS)
    assert on_spark(program, [str(file)]) == [f"INP130 {file}"]
    with pytest.raises(horae.InputError, match=r"INP130[^\n]*in\.facts:4:1"):
        on_spark(program, [str(file)], strict=True)


def test_an_input_without_a_value(spark, tmp_path: Path):
    file = tmp_path / "in.csv"
    file.write_text("time,a,b\n1,2,\n2,3,\n")
    assert on_spark(LOLA, [str(file)]) == ["INP131 "]
    frame = spark.createDataFrame([(1, 2, None), (2, 3, None)], "time int, a int, b int")
    with pytest.warns(horae.InputWarning, match="`b`"):
        LOLA.answers(frame)


def test_frames_by_name(spark):
    frame = spark.createDataFrame([("a", 1)], "x string, time int")
    program = horae.compile("q(X) :- signal(X), not stopped(X).", "lars")
    with pytest.warns(horae.InputWarning, match="`stopped`"):
        program.answers({"signal": frame})
    with pytest.raises(ValueError, match="lateness is for streams"):
        program.answers({"signal": frame}, lateness=5)


def test_a_stream_tells_a_name_once(spark, tmp_path: Path):
    """In the micro-batch in which it comes; what never came is told at the end."""
    from horae.spark.streaming.metrics import watching
    from horae.spark.streaming.run import StreamRun

    (tmp_path / "in").mkdir()
    for number in range(2):
        (tmp_path / "in" / f"{number}.facts").write_text(
            f"signal(a)@{number}\nsingal(b)@{number}\n"
        )
    program = horae.compile("q(X) :- signal(X), not stopped(X).", "lars")
    place = LocalFolder(tmp_path / "checkpoint")
    stream = FileStream([str(tmp_path / "in")], place, shards=1, files_per_batch=1)
    files = program.live_files(stream)
    with warnings.catch_warnings(record=True) as found, watching(spark) as monitor:
        warnings.simplefilter("always", horae.InputWarning)
        run = StreamRun(files, [], monitor, lambda: None, threading.Event())
        run.available(finish=True)
        run.check_names()
    codes = [w.message.code for w in found if isinstance(w.message, horae.InputWarning)]
    assert codes == ["INP130", "INP131"]
