"""What shards give to Spark, without a JVM; what they give through Spark is in test_languages."""

from __future__ import annotations

from fractions import Fraction

import pyarrow as pa
from tests.spark.streaming.sums import ANSWERS

from horae.data.seconds import wide_in_seconds
from horae.spark.parcels import ParcelKind, pack, unpack
from horae.spark.streaming.outputs import EVERYTHING, AsRows, Results


def _answers(*times: int) -> pa.Table:
    return pa.Table.from_pylist([{"time": t, "key": 1, "sum": None} for t in times], ANSWERS)


def _in_seconds(answers: pa.Table, resolution: int) -> pa.Table:
    return pa.table({"time": pa.array(wide_in_seconds(answers.column("time"), resolution))})


RESULTS = Results(
    [_answers(3), _answers(), _answers(4, 5)],
    [
        (ParcelKind.ANSWERS, pack(_answers(1, 2))),
        (ParcelKind.LATE, b"late"),
        (ParcelKind.METRICS, b"{}"),
    ],
)


def test_parcels_hold_everything():
    found = [row for frame in EVERYTHING.frames(RESULTS) for row in frame.itertuples(index=False)]
    answers = [unpack(row.payload) for row in found if row.kind == ParcelKind.ANSWERS]
    assert [time for t in answers for time in t.column("time").to_pylist()] == [1, 2, 3, 4, 5]
    assert [row.kind for row in found if row.kind != ParcelKind.ANSWERS] == [
        ParcelKind.LATE,
        ParcelKind.METRICS,
    ]


def test_rows_are_the_answers_of_all_stages():
    frames = [*AsRows(ANSWERS, lambda answers: answers).frames(RESULTS)]
    rows = pa.concat_tables([pa.Table.from_pandas(frame, ANSWERS) for frame in frames])
    assert rows.to_pylist() == _answers(1, 2, 3, 4, 5).to_pylist()


def test_rows_have_the_columns_of_a_batch_run():
    output = AsRows(ANSWERS, lambda answers: _in_seconds(answers, 1000))
    times = [time for frame in output.frames(RESULTS) for time in frame["time"].tolist()]
    assert times == [0.001, 0.002, 0.003, 0.004, 0.005]
    assert output.schema["time"].dataType.simpleString() == "double"


def test_times_are_the_doubles_nearest_to_the_exact_seconds():
    """As in a batch: also where ticks are too many for a double, and dividing doubles rounds twice."""
    ticks = [2**62 + 1, 1_700_000_000_123_456_789, 11_900_000_000_000_001, -(2**53) - 1, 1]
    for resolution in (7_000_000, 10**9, 3003):
        times = _in_seconds(_answers(*ticks), resolution).column("time").to_pylist()
        assert times == [float(Fraction(tick, resolution)) for tick in ticks]
