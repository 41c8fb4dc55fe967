"""Answers on Spark are those of one process, and of the reference, for any number of shards."""

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from tests.case_folders import Case, cases
from tests.spark.datalogmtl.running import checked, derive, locally, on_spark, over
from tests.strategies.datalogmtl_programs import HORIZON, random_facts, random_program

import horae
from horae.data.answer_times import read_at
from horae.data.facts import read_fact_text
from horae.data.ground_facts import GroundFact
from horae.data.predicate_facts import ground_facts
from horae.reference.datalogmtl import evaluate as by_definition
from horae.source.errors import InputError
from horae.spark.fact_frames import facts_of_frames, in_one_frame, tables_of_files

pytestmark = pytest.mark.spark

PROGRAMS = Path(__file__).parents[2] / "languages" / "datalogmtl" / "analysis" / "programs"
MONITORS = (PROGRAMS / "monitors.dmtl").read_text()
SHORT_STOP = (PROGRAMS / "short_stop.dmtl").read_text() + "?- ShortStop.\n"


def traffic() -> str:
    """Vehicles that stop for one to four seconds, and some that are never missing."""
    lines = []
    for vehicle in range(12):
        for second in range(30):
            seen = second % (vehicle % 5 + 2) != 0
            lines.append(f"{'Pos' if seen else 'NotOnMap'}(v{vehicle})@{second}")
    return "\n".join(lines) + "\nspeed(v1,7)@3\n"


@pytest.mark.parametrize("shards", [1, 4])
def test_short_stop_from_a_file(spark, tmp_path: Path, shards: int):
    path = tmp_path / "traffic.facts"
    path.write_text(traffic())
    program = checked(SHORT_STOP)
    expected = locally(program, ground_facts(read_fact_text(traffic(), program.arities)))
    facts = in_one_frame(tables_of_files(spark, [str(path)], program.arities))
    assert over(facts, program, shards).answers() == expected
    assert expected


@pytest.mark.parametrize("shards", [5])
def test_example_1_of_the_paper(spark, shards: int):
    lines = ["node(n1).", "node(n2).", "node(n3).", "connected(n2,n1).", "connected(n3,n2)."]
    for signal in range(6):
        lines.append(f"monitors(n1,s{signal})@[0,20]")
        lines += [f"signal(s{signal})@{time}" for time in range(0, 40, 1 + signal % 3)]
    program = checked(MONITORS)
    facts = ground_facts(read_fact_text("\n".join(lines), program.arities))
    expected = locally(program, facts, Fraction(60))
    assert on_spark(spark, program, facts, shards, horizon=Fraction(60)) == expected
    assert {a["args"][0] for a in expected if a["predicate"] == "flags"} == {"n1", "n2", "n3"}


CASES = cases("datalogmtl")


@pytest.mark.parametrize("case", CASES[::8], ids=lambda case: case.name)
def test_worked_example(spark, case: Case):
    _work_out(spark, case)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_worked_example(spark, case: Case):
    _work_out(spark, case)


def _work_out(spark, case: Case) -> None:
    horizon, at = case.options.get("horizon"), case.options.get("at")
    program = checked(case.source.text)
    found = on_spark(
        spark,
        program,
        ground_facts(read_fact_text(case.facts, program.arities)),
        3,
        horizon=None if horizon is None else Fraction(horizon),
        at=read_at(at),
    )
    assert found == case.expected


def _compare(spark, seed: int, shards: tuple[int, ...]) -> None:
    rng = Random(seed)
    program = checked(random_program(rng, rng.choice(("mitl-fp", "mtl-fp", "full"))))
    data = random_facts(rng, program)
    expected = by_definition(program, data, horizon=HORIZON)
    facts = [GroundFact(*fact) for fact in data]
    assert locally(program, facts, HORIZON) == expected
    for count in shards:
        assert on_spark(spark, program, facts, count, horizon=HORIZON) == expected


@pytest.mark.parametrize("seed", range(3))
def test_random_programs(spark, seed: int):
    _compare(spark, seed, ((1, 3, 8)[seed % 3],))


TRAFFIC = Path(__file__).parents[4] / "shared" / "data" / "traffic_s1.facts"


@pytest.mark.long
@pytest.mark.skipif(not TRAFFIC.exists(), reason="the published data is not in the project")
@pytest.mark.parametrize("shards", [1, 4, 16])
def test_published_traffic(spark, shards: int):
    program = checked(SHORT_STOP)
    facts = in_one_frame(tables_of_files(spark, [str(TRAFFIC)], program.arities))
    found = over(facts, program, shards).answers()
    assert len(found) == 1263
    assert found == locally(
        program, ground_facts(read_fact_text(TRAFFIC.read_text(), program.arities))
    )


@pytest.mark.long
@pytest.mark.parametrize("seed", range(30))
def test_many_random_programs(spark, seed: int):
    _compare(spark, seed, (1, 3, 8))


@pytest.mark.parametrize(
    "text",
    [
        "p(X,Y) :- e(X,Y).\nq(Y) :- p(X,Y), r(X).\nr(X) :- p(X,X).\nall :- q(X).",
        "r(X) :- e(X,Y), not s(X).\ns(X) :- e(X,X).\nt(Y) :- e(X,Y), Diamondminus[0,1] r(X).",
        "r(7) :- e(X,Y).\nt(X) :- e(X,X), not r(X).\nt(7)@3.\nr(a)@[0,1).\n?- t, r, e.",
        "quiet :- not loud.\nloud :- e(X,X).\nt(X) :- e(X,Y), Diamondplus[0,2] quiet.",
    ],
    ids=["answers of early stages", "negation", "constants and asked inputs", "no arguments"],
)
def test_stages(spark, text: str):
    at = "events" if "not" in text else None
    program = checked(text)
    lines = [f"e({x},{y})@[{x + y},{x + 2 * y + 1})" for x in range(4) for y in range(3)]
    text = "\n".join([*lines, "e(7,7)@3", "e(a,7)", "t(5)@9"])
    facts = ground_facts(read_fact_text(text, program.arities))
    expected = locally(program, facts, None, at)
    assert on_spark(spark, program, facts, 3, at=read_at(at)) == expected
    assert expected


def test_without_facts(spark):
    program = checked("p :- not q.\nq :- a(X).\nr(X) :- a(X).")
    assert on_spark(spark, program, [], 3) == [
        {"predicate": "p", "args": [], "interval": "(-inf,inf)"}
    ]


def test_answers_as_a_frame(spark):
    program = checked("p(X) :- Diamondminus[0,1/2] a(X).")
    facts = ground_facts(read_fact_text('a("x y")@1\na(5/2)@[0,2)\n', program.arities))
    rows = derive(spark, program, facts, 2).frame().orderBy("time").collect()
    assert [(row.time, row.name, tuple(row.p)) for row in rows] == [
        (0, "p", ("5/2", 0, 2.5, True, False)),
        (1, "p", ("x y", 1, 1.5, True, True)),
    ]
    points = derive(spark, program, facts, 2, at=read_at("every 3/4")).frame()
    assert [(row.time, row.name, *row.p) for row in points.orderBy("time", "p").collect()] == [
        (0, "p", "5/2"),
        (0.75, "p", "5/2"),
        (1.5, "p", "5/2"),
        (1.5, "p", "x y"),
    ]


def test_frames_per_predicate(spark):
    program = checked("p(X,Y) :- a(X), Diamondminus[0,10] b(X,Y).")
    a = spark.createDataFrame([("u", 5), ("v", 90)], "who string, ts long")
    b = spark.sql("SELECT 'u' AS x, 7 AS y UNION ALL SELECT 'v', 8")
    facts = facts_of_frames({"a": a, "b": b}, program.arities, time="ts")
    frame = over(facts, program, 2).frame()
    assert sorted(tuple(row.p) for row in frame.collect()) == [
        ("u", "7", 5, 5, True, True),
        ("v", "8", 90, 90, True, True),
    ]


def test_tables_from_files(spark, tmp_path: Path):
    program = checked("p(X) :- a(X), b(X), c(X).")
    (tmp_path / "a.csv").write_text("who,time\n7,3\nx,4\n")
    (tmp_path / "b.jsonl").write_text(
        '{"who": 7, "from": 1, "to": "7/2"}\n{"who": "x", "from": null, "to": 9.5}\n'
    )
    spark.sql("SELECT '7' AS who UNION ALL SELECT 'x'").write.parquet(str(tmp_path / "c.parquet"))
    inputs = [f"{name}={tmp_path / file}" for name, file in (("a", "a.csv"), ("b", "b.jsonl"))]
    facts = in_one_frame(
        tables_of_files(spark, [*inputs, f"c={tmp_path / 'c.parquet'}"], program.arities)
    )
    rows = over(facts, program, 2).frame().collect()
    assert [tuple(row.p) for row in rows] == [("x", 4, 4, True, True)]


def test_the_first_line_of_json_may_leave_out_what_others_have(spark, tmp_path: Path):
    path = tmp_path / "up.jsonl"
    path.write_text(
        '{"m": "a", "from": 0, "to": 2}\n{"m": "b", "from": 0, "to": 2, "to_open": true}\n'
    )
    program = horae.compile("steady(M) :- Boxminus[0,1] up(M).", language="datalogmtl")
    for engine in ("local", "spark"):
        found = program.run_files([f"up={path}"], engine=engine, master="local[2]", shards=2)
        intervals = {answer["args"][0]: answer["interval"] for answer in found}
        assert intervals == {"a": "[1,2]", "b": "[1,2)"}
    path.write_text('{"m": "a", "from": 0, "to": 2}\n{"m": "b", "from": 0, "to": 2, "n": 1}\n')
    for engine in ("local", "spark"):
        with pytest.raises(InputError, match="INP021"):
            program.run_files([f"up={path}"], engine=engine, master="local[2]", shards=2)


def test_errors_of_workers_arrive(spark, tmp_path: Path):
    program = checked("p(X) :- a(X).")
    (tmp_path / "a.csv").write_text("who,time\n7,soon\n")
    facts = in_one_frame(tables_of_files(spark, [f"a={tmp_path / 'a.csv'}"], program.arities))
    with pytest.raises(InputError, match="INP025"):
        over(facts, program, 2).answers()


def test_rules_without_end_ask_for_a_horizon(spark):
    program = checked("Boxplus[2] tick(X) :- tick(X).")
    facts = ground_facts(read_fact_text("tick(a)@0", program.arities))
    with pytest.raises(InputError, match="RUN011"):
        on_spark(spark, program, facts, 2)


FOR_EVER = """
    Boxplus[0,1] alive(X) :- alive(X), on(X).
    immortal(X) :- Boxplus[0,inf) alive(X).
    mortal(X) :- alive(X), not immortal(X).
    tick(X) :- Diamondminus[7] tick(X).
    met(X) :- Diamondplus[0,inf) both(X).
    both(X) :- tick(X), late(X).
"""


@pytest.mark.parametrize("shards", [1, 3])
def test_what_never_ends_is_the_same_in_all_shards(spark, shards: int):
    """`met` depends on 98, far behind the horizon; who is immortal, on the end of time."""
    program = checked(FOR_EVER)
    text = "".join(f"alive(c{n})@{n}\ntick(c{n})@{n}\nlate(c{n})@98\n" for n in range(4))
    facts = ground_facts(read_fact_text(f"{text}on(c0).\non(c1)@[0,60]\n", program.arities))
    expected = locally(program, facts, Fraction(20))
    assert on_spark(spark, program, facts, shards, horizon=Fraction(20)) == expected
    shown = [f"{a['predicate']}({a['args'][0]})@{a['interval']}" for a in expected]
    assert "immortal(c0)@[0,20]" in shown
    assert "mortal(c1)@[1,20]" in shown
    assert [line for line in shown if line.startswith("met")] == ["met(c0)@(-inf,20]"]
    times = {"at": read_at("3,7"), "horizon": None}
    assert on_spark(spark, program, facts, shards, **times) == locally(program, facts, None, "3,7")


def test_times_that_do_not_fit(spark):
    program = checked("p(X) :- a(X).")
    facts = ground_facts(read_fact_text("a(x)@1/1000000007\na(x)@4000000000", program.arities))
    with pytest.raises(InputError, match="RUN010"):
        on_spark(spark, program, facts, 2)


LARGE = {
    "sums": ("q(X) :- Diamondminus[288230376151711744] a(X).", "a(x)@2305843009213693951"),
    "ticks": ("q(X) :- Diamondminus[1] a(X).", "a(x)@1/1000000007\na(x)@4000000000"),
    "facts": ("q(X) :- Diamondminus[1] a(X).", "a(x)@1e30"),
}


@pytest.mark.parametrize("kind", LARGE)
def test_times_beyond_64_bits_are_exact(spark, tmp_path: Path, kind: str):
    """Columns of Spark do not hold them: the run goes on in process."""
    text, data = LARGE[kind]
    (tmp_path / "a.facts").write_text(data)
    program = horae.compile(text, language="datalogmtl")
    found = program.run_files([str(tmp_path / "a.facts")], master="local[2]", shards=2)
    assert found == program.evaluate(data)
    assert found
