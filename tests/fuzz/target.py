"""The shape of what is fuzzed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any


@dataclass(frozen=True, slots=True)
class Target:
    """Something that takes any input; input number `index` of a seed is always the same."""

    name: str
    make: Callable[[Random], Any]
    run: Callable[[Any], None]

    def input(self, seed: int, index: int) -> Any:
        return self.make(Random(f"{seed} {self.name} {index}"))
