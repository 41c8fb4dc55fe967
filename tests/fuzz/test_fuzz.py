"""A few inputs for every parser and reader; `make fuzz` runs many."""

from __future__ import annotations

import pytest
from tests.fuzz.search import search
from tests.fuzz.targets import targets


@pytest.mark.parametrize("name", targets())
def test_any_input_ends_in_an_answer_or_a_diagnostic(name: str) -> None:
    assert list(search(targets()[name], seed=1, indices=range(100))) == []
