"""The numbers that reports have for the state of a stream."""

from __future__ import annotations

import horae
from horae.analysis.state_bound import StateBound, find_state_bound


def test_rtlola_without_parameters_has_a_bound_in_bytes():
    """A stream has 16 bytes, its ring 8, and each value 8: 16 + 8 + 8 for `a`, 16 + 8 + 2·8 for `s`."""
    program = horae.compile("input int a\noutput int s := s[-1, 0] + a")
    assert find_state_bound(program.report) == StateBound(fixed=72)


def test_rtlola_with_parameters_has_a_bound_per_instance():
    """`id` has 32 bytes. Each instance has 8 more for its parameter: 24 + 8 + 2·8 and 24 + 8 + 3·8."""
    clauses = "invoke: id extend: id = i :="
    program = horae.compile(
        f"input int id\noutput int one<int i> {clauses} one(i)[-1, 0] + 1\n"
        f"output int two<int i> {clauses} two(i)[-2, 0] + 1"
    )
    found = find_state_bound(program.report)
    assert found == StateBound(fixed=32, per_instance=48 + 56)
    assert found.bytes_of(10) == 32 + 10 * 104


def test_rtlola_that_keeps_everything_has_no_bound():
    program = horae.compile("input int a\noutput int all := a[99s, 0, sum]")
    assert find_state_bound(program.report).bytes_of(1) is None


def test_datalogmtl_has_the_smallest_bound_that_a_theorem_gives():
    """Theorem 8: (4·(⌈(4 + 2·1)/1⌉ + 1)² + 1) · 3·2, which is less than what Theorem 10 gives."""
    program = horae.compile(
        "often(X) :- Boxminus[0,4] Diamondminus[0,3] beat(X).", language="datalogmtl"
    )
    known = program.report_for(objects=2, gcd="1", step="1")
    assert find_state_bound(known) == StateBound(values=(4 * 49 + 1) * 6)
    assert find_state_bound(program.report) == StateBound()


def test_lars_and_cql_count_time_points_and_not_values():
    lars = horae.compile("a(X) :- win[10] <> b(X).", language="lars")
    cql = horae.compile(
        "REGISTER STREAM tram(ID string);\nq: SELECT ID FROM tram [RANGE 5];", language="cql"
    )
    assert find_state_bound(lars.report) == find_state_bound(cql.report) == StateBound()
