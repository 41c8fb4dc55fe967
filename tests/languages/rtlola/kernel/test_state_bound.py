"""The kernel never keeps more than the analysis says, however long the stream.

Entries of windows and real-time offsets are bounded per instance by the report; bytes by the report
and the layout of the loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random

import pytest
from tests.languages.rtlola.kernel.driving import checked, events, last_time, options_for
from tests.languages.rtlola.kernel.sleepy_specs import sleepy_specification
from tests.strategies.rtlola_ahead import ahead_program
from tests.strategies.rtlola_spreadable import spreadable_program, templates_only
from tests.strategies.rtlola_traces import random_trace

from horae.engine.report.bounds import Bounded, Unbounded
from horae.languages.rtlola.kernel.kernel import RTLolaKernel
from horae.languages.rtlola.kernel.runner import Runner
from horae.languages.rtlola.kernel.state_bound import bound_state
from horae.languages.rtlola.program import Program
from horae.languages.rtlola.report import analyze
from horae.source.errors import InputError

BATCH = 50

SPECS = {
    "windows": """input int a, b
input double x
output double mean extend: 1Hz := x[5 s, 0.0, avg]
output int most extend: 2s := a[10 s, 0, max] + b[7 s, 0, sum]
output int seen extend: a > 1 := most[20 s, 0, count]
""",
    "offsets": """input int a, b
input double x
output int before extend: 1Hz := a[-5 s, 0] + a[-2 s, 0]
output int older extend: 3s := before[-7 s, 0] + before[-4, 0]
""",
    "queues": """input int a, b
output int slow extend: 2s := a
output int before extend: 1Hz := slow[-10 s, 0] + slow[-6 s, 0] + slow[-3, 0]
""",
    "instances": """input int a, b
output int n<int id>
    invoke: a
    extend: a = id
    terminate: b = id
    := n(id)[-1, 0] + 1
output int often<int id>
    invoke: a
    extend: 1Hz
    terminate: b = id
    := n(id)[4 s, 0, count]
trigger any(often > 3)
""",
    "future": """input int a, b
output int tick extend: 1Hz := a[0, 0]
output int soon extend: 1Hz := tick[3 s, 0]
""",
    "cascade": """input int a, b
output int slow extend: 2s := a[0, 0]
output int soon extend: 1Hz := slow[10 s, 0] + slow[6 s, 0]
output int later extend: 1Hz := soon[3 s, 0]
trigger later[2 s, 0] > 5
""",
}


def trace(rng: Random, size: int) -> Iterator[dict[str, object]]:
    time = 0.0
    for _ in range(size):
        drawn = {"a": rng.randint(0, 3), "b": rng.randint(0, 3), "x": rng.randint(-8, 8) / 4}
        kept = {name: value for name, value in drawn.items() if rng.random() < 0.6}
        yield {"time": time, **kept}
        time += rng.choice((0, 0.25, 0.25, 0.5, 1))


def sizes(program: Program, rows: list[dict[str, object]]) -> Iterator[RTLolaKernel]:
    """The kernel after every batch."""
    known = {stream.name for stream in program.inputs} | {"time"}
    rows = [{name: value for name, value in row.items() if name in known} for row in rows]
    table = events(program, rows)
    kernel = RTLolaKernel(program, options_for(program), compiled=False)
    for start in range(0, len(table), BATCH):
        batch = table.slice(start, BATCH).combine_chunks()
        kernel.push(batch.to_batches()[0])
        kernel.advance(last_time(batch) - 1)
        yield kernel


def bounds(program: Program) -> dict[str, int]:
    """Entries per instance, for the streams where there is a bound."""
    found = {}
    for memory in analyze(program).memory:
        kept = [store.kept for store in memory.stores]
        if all(isinstance(bound, Bounded) for bound in kept):
            found[memory.name] = sum(int(b.n) for b in kept if isinstance(b, Bounded))
    return found


def entries(runner: Runner, stream: str) -> int:
    """What windows and real-time offsets into a stream hold, over all its instances."""
    model, used = runner.source.model, runner.state.used()
    names = [use.name for use in model.windows.get(stream, ())]
    names += [use.name for use in model.lags.get(stream, ())]
    return sum(used[name] for name in names)


def instances(runner: Runner, stream: str) -> int:
    model = runner.source.model
    if stream not in model.family_of or model.family_of[stream].is_single:
        return 1
    return runner.state.counter(f"{model.family_of[stream].name}_act")


def assert_within_bounds(program: Program, rows: list[dict[str, object]]) -> None:
    allowed = bounds(program)
    for kernel in sizes(program, rows):
        for runner in kernel.runners:
            for stream, most in allowed.items():
                held = entries(runner, stream)
                assert held <= most * instances(runner, stream), (program.source.text, stream)


@pytest.mark.parametrize("name", SPECS)
def test_bounded_specifications(name: str):
    program = checked(SPECS[name])
    assert set(bounds(program)) >= {s.name for s in program.outputs} - {"n"}
    assert_within_bounds(program, list(trace(Random(1), 3000)))


@pytest.mark.parametrize("seed", range(12))
def test_random_specifications(seed: int):
    rng = Random(seed)
    _, program = sleepy_specification(rng)
    assert_within_bounds(program, list(trace(rng, 400)))


# --- bytes


def assert_within_bytes(program: Program, rows: list[dict[str, object]]) -> bool:
    """False where there is no bound."""
    report = analyze(program)
    bound = bound_state(program, report.graph, report.needs, options_for(program))
    if isinstance(bound.fixed, Unbounded) or isinstance(bound.per_instance, Unbounded):
        return False
    for kernel in sizes(program, rows):
        size = kernel.state_size()
        allowed = bound.fixed.n + bound.per_instance.n * size.instances
        assert size.bytes <= allowed, program.source.text
    return True


@pytest.mark.parametrize("name", SPECS)
def test_bytes_of_bounded_specifications(name: str):
    assert assert_within_bytes(checked(SPECS[name]), list(trace(Random(1), 1500)))


@pytest.mark.parametrize("make", [templates_only, ahead_program, spreadable_program])
def test_bytes_of_random_specifications(make: Callable[[Random], Program]):
    bounded = 0
    for seed in range(30):
        rng = Random(seed)
        program = make(rng)
        with suppress(InputError):
            bounded += assert_within_bytes(program, [*random_trace(rng, program)])
    assert bounded > 1


@pytest.mark.parametrize("name", SPECS)
def test_the_state_stays_flat(name: str):
    """A hundred times the input, no more state. What is in use is counted, not what was reserved."""
    program = checked(SPECS[name])
    found = [kernel.state_size() for kernel in sizes(program, list(trace(Random(2), 100 * BATCH)))]
    early, late = found[:20], found[20:]
    assert max(s.values for s in late) <= 1.5 * max(s.values for s in early) + 2
    assert max(s.bytes for s in late) <= 1.5 * max(s.bytes for s in early)
    assert max(s.instances for s in late) <= 4 * len(program.outputs)
