"""What a kernel keeps between chunks, and how it becomes bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields

import numpy as np

from horae.data.cuts import FUTURE, PAST, Rows
from horae.engine.chunks import load_texts, save_texts
from horae.languages.datalogmtl.kernel.ends import DecidedEnds
from horae.languages.datalogmtl.kernel.fixpoint import Relations
from horae.rules.intervals.blocks import load_relation, save_relation
from horae.rules.intervals.relation import Relation

# In snapshots: where all is decided up to. What only goes on does not change them.
_NOW = FUTURE - 1


@dataclass(frozen=True, slots=True)
class Elements:
    """As the paper counts them: facts α@ρ in W, facts α#ρ in W, atoms in H."""

    window: int
    often: int
    history: int

    @property
    def total(self) -> int:
        return self.window + self.often + self.history


@dataclass
class State:
    """`decided` is the cut after the last decided time point.

    `window` and `often` hold the @ and # facts of W; `history` holds H, an atom as an interval at the
    beginning of time. `waiting` is input that begins or goes on later, `open_answers` may still grow.
    """

    decided: int = PAST
    window: Relations = field(default_factory=dict)
    often: Relations = field(default_factory=dict)
    history: Relations = field(default_factory=dict)
    waiting: Relations = field(default_factory=dict)
    open_answers: Relations = field(default_factory=dict)

    def stored(self) -> int:
        """Rows of all relations."""
        return sum(len(rows) for _, relations in self.relations() for rows in relations.values())

    def elements(self) -> Elements:
        parts = (self.window, self.often, self.history)
        return Elements(*(sum(map(len, relations.values())) for relations in parts))

    def relations(self) -> Iterator[tuple[str, Relations]]:
        for part in fields(self):
            if part.name != "decided":
                yield part.name, getattr(self, part.name)

    def used_bytes(self) -> int:
        return sum(
            r.arguments.nbytes + r.lo.nbytes + r.hi.nbytes
            for _, relations in self.relations()
            for r in relations.values()
        )

    # --- constants

    def codes(self) -> Iterator[Rows]:
        """The constants in use, with repetitions."""
        for _, relations in self.relations():
            yield from (rows.arguments.ravel() for rows in relations.values())

    def renumber(self, new: Rows) -> None:
        """`new` maps codes to codes in the same order, so that what is sorted stays so."""
        for _, relations in self.relations():
            for name, rows in relations.items():
                relations[name] = Relation(new[rows.arguments], rows.lo, rows.hi)

    # --- snapshots

    def chunks(self, ends: DecidedEnds) -> Iterator[tuple[str, bytes]]:
        """`window/names`: predicates and their arguments; `window/of p/…`: the relation of p."""
        yield "decided", str(self.decided).encode()
        for part, relations in self.relations():
            yield f"{part}/count", str(len(relations)).encode()
            yield from save_texts(
                f"{part}/names", [f"{r.width} {name}" for name, r in relations.items()]
            )
            for name, rows in relations.items():
                still = _replaced(rows, ends.of(name, self.decided), _NOW)
                yield from save_relation(f"{part}/of {name}", still)

    @classmethod
    def restore(cls, chunks: Mapping[str, bytes], ends: DecidedEnds) -> State:
        state = cls(decided=int(chunks["decided"]))
        for part, relations in state.relations():
            count = int(chunks[f"{part}/count"])
            for text in load_texts(f"{part}/names", chunks)[:count]:
                width, name = text.split(" ", 1)
                still = load_relation(f"{part}/of {name}", int(width), chunks)
                relations[name] = _replaced(still, _NOW, ends.of(name, state.decided))
        return state


def _replaced(rows: Relation, old: int, new: int) -> Relation:
    """With one cut for another."""
    lo, hi = (np.where(cuts == old, new, cuts) for cuts in (rows.lo, rows.hi))
    return Relation(rows.arguments, lo, hi)
