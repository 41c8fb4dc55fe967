"""What a loop is generated for, besides its program."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from horae.languages.rtlola.options import Emit
from horae.languages.rtlola.plan.stages import Joined


class QuantifiedMode(StrEnum):
    """Where the instances under `any`, `all`, `count` live."""

    OWN = "own"
    EXPORT = "export"  # here; another stage joins what this one exports
    IMPORT = "import"  # in the shards of another stage


@dataclass(frozen=True, slots=True)
class Options:
    """`resolution` is ticks per second; `origin`, in ticks, is where the clocks count from.

    Rows come with coarser times, as the input has them: one tick of theirs is `scale` ticks.

    `layer` and `is_last` place the loop in a cascade (see `ahead.py`). `joined` are the operators over
    instances that are exported or imported. `only` names the outputs that are answered; None: all.
    """

    resolution: int
    origin: int = 0
    emit: Emit = Emit.ALL
    quantified: QuantifiedMode = QuantifiedMode.OWN
    joined: tuple[Joined, ...] = ()
    layer: int = 0
    is_last: bool = True
    scale: int = 1
    only: tuple[str, ...] | None = None

    @property
    def row_resolution(self) -> int:
        """Ticks per second of the times of rows."""
        return self.resolution // self.scale
