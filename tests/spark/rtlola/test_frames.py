"""DataFrames as input: types of time, names of columns, what is missing, and the caller's session."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import Row
from tests.spark.rtlola.frames import collect

import horae
from horae.languages.rtlola.plan.spread import make_partition
from horae.source.errors import InputError
from horae.spark.failures import recognise

pytestmark = pytest.mark.spark

VIEWS = """input int viewed
output int views<int id>
    invoke: viewed
    extend: viewed = id
    := views(id)[-1, 0] + 1
trigger any(views > 1) "again"
"""


def views():
    return horae.compile(VIEWS)


SECONDS = (1_700_000_000, 1_700_000_001, 1_700_000_001, 1_700_000_003)
VIEWED = (7, 7, 8, 7)


@pytest.fixture(scope="module")
def expected():
    rows = [{"time": t, "viewed": v} for t, v in zip(SECONDS, VIEWED, strict=True)]
    return horae.compile(VIEWS).evaluate(rows)


def _moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


TIMES: dict[str, Callable[[int], object]] = {
    "bigint": int,
    "double": float,
    "string": str,
    "timestamp": _moment,
    "timestamp_ntz": lambda seconds: _moment(seconds).replace(tzinfo=None),
    "decimal(20,3)": Decimal,
}


SHORT = ("bigint", "string", "timestamp")  # `long` has all


@pytest.mark.parametrize(
    "kind",
    [kind if kind in SHORT else pytest.param(kind, marks=pytest.mark.long) for kind in TIMES],
)
def test_types_of_time(spark, expected, kind):
    rows = [(TIMES[kind](t), v) for t, v in zip(SECONDS, VIEWED, strict=True)]
    frame = spark.createDataFrame(rows, f"time {kind}, viewed bigint")
    assert collect(views().answers(frame, shards=2), views()) == expected


def test_dates_as_text(spark, expected):
    rows = [(_moment(t).isoformat(), v) for t, v in zip(SECONDS, VIEWED, strict=True)]
    frame = spark.createDataFrame(rows, "at string, viewed int")
    assert collect(views().answers(frame, time="at", shards=2), views()) == expected


def test_the_number_of_partitions_changes_nothing(spark, expected):
    frame = _frame(spark)
    for before in (1, 5):
        found = horae.compile(VIEWS).answers(frame.repartition(before), shards=3)
        assert collect(found, views()) == expected


def _frame(spark):
    rows = list(zip(SECONDS, VIEWED, strict=True))
    return spark.createDataFrame(rows, "time bigint, viewed bigint")


def test_a_typed_stream(spark):
    frame = _frame(spark)
    views = horae.compile(VIEWS).answers(frame, output="views", shards=2)
    assert views.dtypes == [("time", "bigint"), ("id", "bigint"), ("value", "bigint")]
    assert max(views.collect()) == Row(time=1_700_000_003, id=7, value=3)


def test_typed_parameters_and_values_of_every_type(spark):
    text = """input string s
input double x
output string said<string time, double value>
    invoke: (s, x)
    extend: s = time and x = value
    := if x > 1.0 then s else "\\"quoted\\", é"
output bool big := x > 1.0
"""
    frame = spark.createDataFrame(
        [(1, 'a "b", c', 0.5), (2, "ü", 1e20)], "time int, s string, x double"
    )
    program = horae.compile(text)
    said = program.answers(frame, output="said", shards=2).orderBy("time")
    assert said.columns == ["time", "time_", "value_", "value"]
    assert [tuple(row) for row in said.collect()] == [
        (1.0, 'a "b", c', 0.5, '"quoted", é'),
        (2.0, "ü", 1e20, "ü"),
    ]
    big = program.answers(frame, output="big", shards=2).orderBy("time")
    assert [row.value for row in big.collect()] == [False, True]


def test_an_unknown_stream_is_named(spark):
    with pytest.raises(ValueError, match="`view` is not an output"):
        horae.compile(VIEWS).answers(_frame(spark), output="view")


def test_names_that_differ_by_case_only(spark):
    text = "input int a, A\noutput int d<int i>\n invoke: a\n extend: a = i\n := a - A"
    rows = [{"time": 1, "a": 3, "A": 1}, {"time": 2, "a": 1, "A": 3}]
    frame = spark.createDataFrame([(1, 3, 1, 0), (2, 1, 3, 0)], ["time", "a", "A", "Time"])
    program = horae.compile(text)
    assert collect(program.answers(frame, shards=2), program) == program.evaluate(rows)


def test_inputs_may_have_the_names_of_records(spark):
    text = """input int tick, delta0
output int n<int id>
    invoke: tick
    extend: tick = id
    terminate: delta0 = id
    := n(id)[-1, 0] + 1
trigger count(n) > 0
"""
    program = horae.compile(text)
    rows = [{"time": 1, "tick": 1, "delta0": 2}, {"time": 1, "tick": 2}, {"time": 2, "delta0": 1}]
    assert make_partition(program.checked).join is not None
    values = [(row["time"], row.get("tick"), row.get("delta0")) for row in rows]
    frame = spark.createDataFrame(values, "time int, tick int, delta0 int")
    assert collect(program.answers(frame, shards=3), program) == program.evaluate(rows)


ORDERS = {
    "numbers in text": (("9", "10", "11"), "string"),
    "text": (("a", "b", "c10"), "string"),
    "text and numbers": (("9", "10", "x"), "string"),
    "large numbers": ((-(2**60) - 1, -(2**60), 2**60), "bigint"),
    "doubles": ((-1.5, 0.25, 1e20), "double"),
}


@pytest.mark.parametrize("kind", ORDERS)
def test_the_order_column(spark, kind):
    orders, sql_type = ORDERS[kind]
    program = horae.compile("input int a\noutput int n := 10 * n[-1, 0] + a")
    rows = [{"time": 0, "a": a, "o": o} for a, o in zip((1, 2, 3), orders, strict=True)]
    frame = spark.createDataFrame(
        [(0, row["a"], row["o"]) for row in reversed(rows)], f"time int, a int, o {sql_type}"
    )
    found = collect(program.answers(frame, order="o", shards=2), program)
    assert [answer["value"] for answer in found] == [1, 12, 123]
    assert found == program.evaluate(rows, order="o")


def test_times_that_no_double_holds(spark):
    """Ticks of 1/7 s at today's dates are more than 2^53."""
    text = "input int a\noutput int n\n extend: 7 Hz\n := a\noutput int m := a"
    frame = spark.createDataFrame([(1_700_000_000, 1), (1_700_000_001, 2)], "time bigint, a bigint")
    program = horae.compile(text)
    found = collect(program.answers(frame, shards=2), program)
    rows = [{"time": 1_700_000_000, "a": 1}, {"time": 1_700_000_001, "a": 2}]
    assert found == program.evaluate(rows)


def test_no_rows(spark):
    frame = spark.createDataFrame([], "time bigint, viewed bigint")
    answers = horae.compile(VIEWS).answers(frame)
    assert answers.columns[0] == "time"
    assert collect(answers, views()) == []


def test_a_missing_column(spark):
    frame = spark.createDataFrame([(1, 2)], "time bigint, seen bigint")
    with pytest.raises(InputError, match="there is no column `viewed`"):
        horae.compile(VIEWS).answers(frame)


def test_a_missing_column_of_a_stream_is_an_input_error(spark):
    live = spark.readStream.format("rate").load().selectExpr("timestamp AS time", "value AS viewed")
    with pytest.raises(InputError, match="there is no column `nowhere` for the order of rows"):
        horae.compile(VIEWS).answers(live, order="nowhere")


def test_a_stream_needs_a_session_with_rocksdb(spark):
    live = spark.readStream.format("rate").load().selectExpr("timestamp AS time", "value AS viewed")
    provider = "spark.sql.streaming.stateStore.providerClass"
    before = spark.conf.get(provider)
    spark.conf.unset(provider)
    try:
        with pytest.raises(InputError, match="RocksDB") as caught:
            horae.compile(VIEWS).answers(live)
    finally:
        spark.conf.set(provider, before)
    assert provider in caught.value.help


def test_a_bad_value_is_an_input_error_at_once(spark):
    frame = spark.createDataFrame([("1", "7"), ("2", "seven")], "time string, viewed string")
    with pytest.raises(InputError, match="`seven`") as caught:
        horae.compile(VIEWS).answers(frame)
    assert (caught.value.code, caught.value.row) == ("INP009", None)


def test_a_fault_stops_the_action_also_where_nobody_asks_for_the_stream(spark):
    text = "input int a\noutput int n<int id>\n invoke: a\n extend: a = id\n := 1 / (id - 3)"
    frame = spark.createDataFrame([(1, 2), (2, 3)], "time int, a int")
    for emit in ("all", "triggers"):
        answers = horae.compile(text).answers(frame, emit=emit, shards=2)
        with pytest.raises(PySparkException) as caught:
            answers.collect()
        error = recognise(str(caught.value))
        assert error is not None
        assert (error.code, error.row, error.time) == ("RUN001", None, "2")


def test_rows_that_do_not_fit_the_plan_run_in_one_place(spark):
    """`stars` is missing in a row: the instance reads the value of another one's row."""
    text = """input int pid
input double stars
output double latest<int id>
    invoke: pid
    extend: pid = id
    := stars
"""
    program = horae.compile(text)
    frame = spark.createDataFrame([(1, 1, 0.5), (2, 2, None)], "time int, pid int, stars double")
    rows: list[dict[str, object]] = [{"time": 1, "pid": 1, "stars": 0.5}, {"time": 2, "pid": 2}]
    assert program.plan.is_spread
    found = collect(program.answers(frame, shards=4), program)
    assert found == program.evaluate(rows)
    assert found[1]["value"] == 0.5


def test_the_callers_session_is_as_before(spark):
    def settings():
        return {row.key: row.value for row in spark.sql("SET").collect()}

    before, tables = settings(), spark.catalog.listTables()
    collect(views().answers(_frame(spark), shards=3), views())
    assert settings() == before
    assert spark.catalog.listTables() == tables
    assert spark.sparkContext.getLocalProperty("spark.job.description") is None
