"""The benchmarks are right programs over the same events at every call."""

from __future__ import annotations

import pytest

from horae.cli.benchmarks import BENCHMARKS
from horae.cli.main import main
from horae.languages.rtlola.check.check import load
from horae.source.text import Source


@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda b: b.name)
def test_a_benchmark_fits_its_events(benchmark):
    program, diagnostics = load(Source(benchmark.name, benchmark.spec))
    assert program is not None
    assert diagnostics == []
    events = benchmark.make(1000)
    assert set(events) == {"time", *(stream.name for stream in program.inputs)}
    again = benchmark.make(1000)
    assert all((events[name] == again[name]).all() for name in events)


def test_without_names_they_are_listed(capsys):
    assert main(["bench"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "shop",
        "ratings",
        "sensor",
    ]


def test_an_unknown_name(capsys):
    assert main(["bench", "nothing"]) == 2
    assert "no benchmark `nothing`; there are: shop, ratings, sensor." in capsys.readouterr().err
