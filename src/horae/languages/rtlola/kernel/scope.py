"""Where an expression is evaluated: for which instance, on whose behalf, by which rules."""

from __future__ import annotations

from dataclasses import dataclass

from horae.data.types import Type
from horae.languages.rtlola.kernel.families import Family
from horae.languages.rtlola.program import Output

# What stands for a value that is not there; nothing depends on it.
ZERO = {Type.INT: "0", Type.DOUBLE: "0.0", Type.BOOL: "False", Type.STRING: "0"}


@dataclass(frozen=True, slots=True)
class LoopScope:
    """`reader` is whose pace it is: it decides which panes serve its windows.

    `open` lists the streams, with their slots, that are getting their values right now: one, and
    behind it those that are only asked whether they will get one (see `cycles.py`). Then `rehearsal`
    names the variable that tells that the value depends on one that is not known yet.
    """

    family: Family
    slot: str
    reader: Output | None
    open: tuple[tuple[str, str], ...] = ()
    ok: str = "ok"
    only_fresh: bool = False  # bare accesses count only where the stream is extended now
    variables: dict[tuple[str, str], str] | None = None  # inside user-defined aggregations
    rehearsal: str | None = None

    @property
    def extending(self) -> str | None:
        return self.open[-1][0] if self.open else None

    @property
    def live(self) -> str:
        """A test that holds while the value is there and known."""
        return self.ok if self.rehearsal is None else f"{self.ok} and not {self.rehearsal}"
