"""A mistake in a kernel leads to a small program: mistakes are planted here, one per language."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from random import Random
from typing import Any

import pytest
from tests.languages.cql.kernel import driving as cql
from tests.languages.cql.kernel import test_against_reference as cql_samples
from tests.languages.datalogmtl.kernel import driving as datalogmtl
from tests.languages.datalogmtl.kernel import test_against_reference as datalogmtl_samples
from tests.languages.lars.kernel import solver_runs as lars
from tests.languages.lars.kernel import test_against_reference as lars_samples
from tests.languages.rtlola.kernel import driving as rtlola
from tests.languages.rtlola.kernel import test_against_reference as rtlola_samples
from tests.strategies.shrinking import Seeded, T, hold, shrunk

Patch = pytest.MonkeyPatch


def small(make: Callable[[Random], T], check: Callable[[T], None]) -> T:
    """What the first sample that fails is shrunk to; it still fails."""
    chance = next(chance for seed in count() if _fails(make, check, chance := Seeded(seed)))
    found = shrunk(make, check, chance.record, AssertionError)
    assert found is not None
    with pytest.raises(AssertionError):
        check(found)
    return found


def _fails(make: Callable[[Random], T], check: Callable[[T], None], chance: Seeded) -> bool:
    try:
        check(make(chance))
    except AssertionError:
        return True
    return False


def test_rtlola_takes_sums_for_maxima(monkeypatch: Patch):
    def wrong(program: Any, *rest: Any, **named: Any) -> Any:
        text = program.source.text.replace(", sum]", ", max]")
        return rtlola.get(rtlola.checked(text), *rest, **named)

    monkeypatch.setattr(rtlola_samples, "get", wrong)
    text, rows, _ = small(rtlola_samples.any_sample, rtlola_samples.check_any)
    assert text.count("output") <= 4
    assert "trigger" not in text
    assert len(rows) <= 3


def test_datalogmtl_takes_diamonds_for_boxes(monkeypatch: Patch):
    def wrong(normal: Any, *rest: Any) -> Any:
        text = normal.program.source.text.replace("Diamondminus", "Boxminus")
        return datalogmtl.at_once(datalogmtl.prepared(text), *rest)

    monkeypatch.setattr(datalogmtl_samples, "at_once", wrong)
    make = partial(datalogmtl_samples.random_sample, kind="mitl-fp")
    text, data, _ = small(make, datalogmtl_samples.check)
    assert len(text.splitlines()) <= 2
    assert len(data) <= 2


def test_lars_takes_diamonds_for_boxes(monkeypatch: Patch):
    right = lars_samples.run

    def wrong(program: Any, *rest: Any) -> Any:
        return right(lars.checked(program.source.text.replace("<>", "[]")), *rest)

    monkeypatch.setattr(lars_samples, "run", wrong)
    make = partial(lars_samples.random_sample, kind="fast", size="small")
    text, facts, *_ = small(make, lars_samples.check)
    assert len(text.splitlines()) <= 2
    assert len(facts.splitlines()) <= 2


def test_cql_forgets_distinct(monkeypatch: Patch):
    def wrong(program: Any, *rest: Any) -> Any:
        return cql.answers(cql.checked(program.source.text.replace("DISTINCT ", "")), *rest)

    monkeypatch.setattr(cql_samples, "answers", wrong)
    text, facts, *_ = small(partial(cql_samples.random_sample, core=False), cql_samples.check)
    assert len(text.splitlines()) <= 3  # at least a table and a query
    assert len(facts.splitlines()) <= 3


def test_what_is_shown():
    def check(numbers: list[int]) -> None:
        assert not any(number >= 50 for number in numbers)

    with pytest.raises(AssertionError, match=r"in small: \[50\]"):
        hold(lambda rng: [rng.randint(0, 99) for _ in range(rng.randint(0, 9))], check, range(9))
