"""Specifications of unusual shape: long, deep, or knotted. They run as any other."""

from __future__ import annotations

import pickle

import pytest
from tests.languages.rtlola.kernel.driving import agree, checked, events, expect, get, run

import horae
from horae.languages.rtlola.kernel.code import Code
from horae.languages.rtlola.kernel.compile import interpret_loop
from horae.languages.rtlola.kernel.generate import generate
from horae.languages.rtlola.kernel.kernel import RTLolaKernel
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.report import analyze

ROWS = [{"time": i, "a": i % 7} for i in range(8)]
LADDER = " ".join(f"if a = {n} then {n} * 2 else" for n in range(500))
LONG = {
    "ladder": f"output int o := {LADDER} -1",
    "sum": f"output int o := {' + '.join(['a'] * 5000)}",
    "mixed sum": f"output double o := {' + '.join(['a', '1', 'a / 2.0'] * 300)}",
    "conjunction": f"output bool o := {' and '.join(['a < 9'] * 3000)}",
    "condition": f"output int o extend: {' or '.join(f'a = {n}' for n in range(3, 900))} := a",
    "arguments": f"output int o := {'abs(' * 60}a{')' * 60}",
    "defaults": f"output int o := {'a[-1, ' * 60}a{']' * 60}",
    "branches": f"output int o := {'if a > 0 then (' * 50}a{') else 1' * 50}",
    "conditions": f"output bool o extend: {'not (a > 1 and ' * 28}true{')' * 28} := a > 1",
}


@pytest.mark.parametrize("name", LONG)
def test_long_and_deep_expressions(name: str):
    program = checked(f"input int a\n{LONG[name]}")
    found = get(program, ROWS, "all")
    assert found
    assert agree(found, expect(program, ROWS, "all"))


@pytest.mark.parametrize("name", ["ladder", "mixed sum", "defaults", "conditions"])
def test_every_stage_takes_them(name: str):
    """Reports, fingerprints and the way to workers walk through expressions too."""
    program = horae.compile(f"input int a\n{LONG[name]}")
    assert analyze(program.checked).needs
    assert pickle.loads(pickle.dumps(program.checked)) == program.checked
    assert repr(program.checked)


def test_a_ring_of_outputs_that_count_back():
    # Each output adds `a` to what the next one had at the row before: after n rows, the sum of all.
    ring = "\n".join(f"output int p{i} := p{(i + 1) % 40}[-1, 0] + a" for i in range(40))
    found = run(checked(f"input int a\n{ring}"), ROWS)
    assert {a["value"] for a in found if a["time"] == 7} == {sum(row["a"] for row in ROWS)}


def test_a_knot_of_outputs_that_count_back_in_all_others():
    # With n outputs and the values v, each next value is (n - 1) v + a.
    knot = "\n".join(
        f"output int p{i} := {' + '.join(f'p{j}[-1, 0]' for j in range(20) if j != i)} + a"
        for i in range(20)
    )
    found = run(checked(f"input int a\n{knot}"), [{"time": 0, "a": 1}, {"time": 1, "a": 2}])
    assert {a["value"] for a in found} == {1, 21}


WINDOW_OVER_INSTANCES = """input int a
output int t<int p> invoke: a extend: a = p := a
output int o extend: 1Hz := count(t[1s, 0, sum] > 0)
output bool q extend: 2Hz := any(t[-1s, 0] > 3)
trigger count(t[2s, 0, max] > 1) > 1
"""
ENDS_BY_OTHERS = """input int k
input bool f
output int s0<int p> invoke: k := if f then s2[-1, 1] else 5
output int s2<int p> invoke: k terminate: count(s0 >= 5) > 1 := k
"""
ENDS_IN_TURN = """input int k
output int x<int p> invoke: k terminate: x(p) > 2 and count(y > 0) > 0 := k + p
output int y<int p> invoke: k terminate: y(p) > 3 or count(x > 2) > 1 := k
output int n := count(x > 0) + count(y > 0)
"""


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("text", [WINDOW_OVER_INSTANCES, ENDS_BY_OTHERS, ENDS_IN_TURN])
def test_operators_over_instances(text: str, compiled: bool):
    program = checked(text)
    rows = [{"time": i / 2, "a": i % 5, "k": (3 * i) % 4, "f": i % 3 == 0} for i in range(12)]
    given = [{n: r[n] for n in ("time", *(s.name for s in program.inputs))} for r in rows]
    found = get(program, given, "all", compiled=compiled)
    assert found
    assert agree(found, expect(program, given, "all"))


def test_code_that_is_nested_too_deeply_for_python():
    code = Code(1)
    _nested(code, 300)
    code.line("return out")
    names: dict[str, object] = {}
    exec("def run(n, out):\n" + code.text(), names)
    run_it = names["run"]
    assert callable(run_it)
    # At each level n >= i holds or not; what follows the inner block is still in its own.
    for n in (0, 1, 120, 299, 1000):
        inside = min(n + 1, 300)
        down = [f"in {i}" for i in range(inside)]
        turned = [f"out {inside}"] if inside < 300 else []
        up = [f"after {i}" for i in reversed(range(inside))]
        assert run_it(n, []) == [*down, *turned, *up]


def _nested(code: Code, levels: int, level: int = 0) -> None:
    if level == levels:
        return
    with code.block(f"if n >= {level}"):
        code.line(f"out.append('in {level}')")
        _nested(code, levels, level + 1)
        code.line(f"out.append('after {level}')")
    with code.block("else"):
        code.line(f"out.append('out {level}')")


def test_loops_that_are_too_long_for_numba_run_as_python():
    program = checked(f"input int a\noutput int o := {' + '.join(['a'] * 2000)}")
    source = generate(program, Options(10**6))
    assert source.text.count("\n") > 4_000
    interpret_loop(source.text)
    assert [a["value"] for a in run(program, ROWS[:3], compiled=True)] == [0, 2000, 4000]


FAR_BACK = """input int a
output int near := a[-64, -1]
output int far := a[-65, -1] + a[-70, 0]
output int never := a[-1000000000, -1]
output int after := a[1000000000, -1]
output int p<int k> invoke: a terminate: a = 6 and k = 0 := k + a
output int back<int k> invoke: a := p(k)[-66, -1]
output int n extend: a > 0 := m[-65, 0] + a
output int m extend: a > 1 := n
"""


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.long)])
def test_offsets_that_count_far(compiled: bool):
    program = checked(FAR_BACK)
    rows = [{"time": i, "a": i % 7 if i < 100 else i % 5} for i in range(190)]
    found = run(program, rows, compiled=compiled)
    assert agree(found, expect(program, rows, "all"))
    assert {a["value"] for a in found if a["stream"] == "never"} == {-1}


def test_an_offset_takes_no_more_memory_than_there_are_values():
    program = checked("input int a\noutput int o := a[-1000000000, 0]")
    kernel = RTLolaKernel(program, Options(10**6), compiled=False)
    assert sum(column.nbytes for column in kernel.runners[0].state.columns.values()) < 10_000
    kernel.push(events(program, ROWS).to_batches()[0])
    kernel.finish(7_000_000)
    assert kernel.state_size().values == len(ROWS)
