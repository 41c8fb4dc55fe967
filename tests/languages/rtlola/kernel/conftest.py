"""Compiled loops are kept with the test cache, not in the user's cache."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def compiled_loops(monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config) -> None:
    cache = pytestconfig.cache
    assert cache is not None
    monkeypatch.setenv("HORAE_CACHE", str(Path(cache.mkdir("loops"))))
