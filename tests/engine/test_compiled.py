"""Functions that are plain Python for a little work and machine code for much, with the same answers."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import numpy.typing as npt
import pytest

from horae.engine import compiled as module
from horae.engine.compiled import compiled
from horae.rules.intervals.merge import order_of


@compiled
def _double(value: int) -> int:
    return value * 2


@compiled
def _sum(values: npt.NDArray[np.int64]) -> int:
    total = 0
    for value in values:
        total += _double(value)
    return total


@pytest.fixture
def effort(monkeypatch):
    fresh = module._Effort()
    monkeypatch.setattr(module, "_effort", fresh)
    return fresh


def test_a_little_work_is_plain(effort):
    assert _sum(np.arange(10)) == 90
    assert 0 < effort.spent < 100
    assert not effort.is_plain


@pytest.mark.parametrize("size", [1_001, 5_000])
def test_much_is_machine_code_at_once(effort, size):
    assert _sum(np.arange(size)) == size * (size - 1)
    assert effort.spent >= module._ENOUGH


def test_many_small_calls_become_machine_code(effort):
    for _ in range(50):
        assert _sum(np.arange(500)) == 500 * 499
    assert module._ENOUGH <= effort.spent < module._ENOUGH + 2_000


def test_what_is_out_of_range_wraps_around_both_ways(effort):
    """Numba says nothing of it, so neither does NumPy."""
    values = np.full(4, 2**62)
    small = _sum(values)
    effort.spent = module._ENOUGH
    assert small == _sum(values) == 0


def test_an_error_leaves_nothing_behind(effort):
    with pytest.raises(TypeError):
        _sum(3)  # type: ignore[arg-type]
    assert not effort.is_plain


def test_it_is_sent_by_its_name():
    assert pickle.loads(pickle.dumps(order_of)) is order_of


def test_numba_is_loaded_when_it_is_needed():
    code = (
        "import sys, numpy as np\n"
        "from horae.rules.intervals.join import tuple_ends\n"
        "few, many = np.zeros((3, 1), np.int64), np.zeros((3000, 1), np.int64)\n"
        "tuple_ends(few, few[:, 0]); print('numba' in sys.modules)\n"
        "tuple_ends(many, many[:, 0]); print('numba' in sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("False\nTrue\n", "")
