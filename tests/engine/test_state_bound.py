"""The numbers that reports have for the state of a stream."""

from __future__ import annotations

import horae
from horae.engine.report.state_bound import StateBound


def test_rtlola_without_parameters_has_a_bound_in_bytes():
    """Counters: position, row and whether the streams live. A value and a flag for each stream,
    and for `s` how often it was extended and one value before: 3·8 + 9 + 9 + 8 + 8.
    """
    program = horae.compile("input int a\noutput int s := s[-1, 0] + a")
    assert program.report.state_bound == StateBound(fixed=58)
    assert program.report.state_bound.bytes_of(0, shards=3) == 3 * 58


def test_the_report_has_the_bound_in_bytes():
    program = horae.compile("input int a\noutput int s := s[-1, 0] + a")
    assert "The state of a shard takes at most 58 bytes, besides rows that wait" in str(
        program.report
    )
    assert program.report.to_dict()["state"] == {"bytes": 58, "bytes_per_instance": 0}


def test_rtlola_with_parameters_has_a_bound_per_instance():
    """One table finds the instances of both streams; `two` keeps a value more than `one`."""
    clauses = "invoke: id extend: id = i :="
    one = f"input int id\noutput int one<int i> {clauses} one(i)[-1, 0] + 1\n"
    two = f"output int two<int i> {clauses} two(i)[-2, 0] + 1"
    alone = horae.compile(one).report.state_bound
    both = horae.compile(one + two).report.state_bound
    # A value, a flag, position, extensions, how many values there were, and two values before.
    assert both.per_instance == alone.per_instance + 8 + 1 + 8 + 8 + 8 + 16
    assert both.fixed == alone.fixed
    assert both.fixed is not None
    assert both.bytes_of(10) == both.fixed + 10 * both.per_instance


def test_rtlola_that_keeps_everything_has_no_bound():
    program = horae.compile("input int a\noutput int all := a[99s, 0, sum]")
    assert program.report.state_bound.bytes_of(1) is None


def test_datalogmtl_has_the_smallest_bound_that_a_theorem_gives():
    """Theorem 8: (4·(⌈(4 + 2·1)/1⌉ + 1)² + 1) · 3·2, which is less than what Theorem 10 gives."""
    program = horae.compile(
        "often(X) :- Boxminus[0,4] Diamondminus[0,3] beat(X).", language="datalogmtl"
    )
    known = program.report_for(objects=2, gcd="1", step="1")
    assert known.state_bound == StateBound(values=(4 * 49 + 1) * 6)
    assert program.report.state_bound == StateBound()


def test_lars_and_cql_count_time_points_and_not_values():
    lars = horae.compile("a(X) :- win[10] <> b(X).", language="lars")
    cql = horae.compile(
        "REGISTER STREAM tram(ID string);\nq: SELECT ID FROM tram [RANGE 5];", language="cql"
    )
    assert lars.report.state_bound == cql.report.state_bound == StateBound()
