"""What a kernel keeps between chunks, and how it becomes bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields

from horae.kernels.chunks import load_array, load_texts, save_array, save_texts
from horae.kernels.datalogmtl.fixpoint import Relations
from horae.kernels.intervals.cuts import PAST
from horae.kernels.intervals.relation import Relation


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

    # --- snapshots

    def chunks(self) -> Iterator[tuple[str, bytes]]:
        """`window/2/lo/0`: the first left ends of the third predicate of the window.

        The number of rows is written too: chunks of an earlier, longer relation may still be there.
        """
        yield "decided", str(self.decided).encode()
        for part, relations in self.relations():
            yield from save_texts(f"{part}/names", list(relations))
            for i, rows in enumerate(relations.values()):
                yield f"{part}/{i}/rows", str(len(rows)).encode()
                yield from save_array(f"{part}/{i}/arguments", rows.arguments)
                yield from save_array(f"{part}/{i}/lo", rows.lo)
                yield from save_array(f"{part}/{i}/hi", rows.hi)

    @classmethod
    def restore(cls, chunks: Mapping[str, bytes]) -> State:
        state = cls(decided=int(chunks["decided"]))
        for part, relations in state.relations():
            for i, name in enumerate(load_texts(f"{part}/names", chunks)):
                rows = int(chunks[f"{part}/{i}/rows"])
                columns = (load_array(f"{part}/{i}/{c}", chunks) for c in ("arguments", "lo", "hi"))
                relations[name] = Relation(*(column[:rows] for column in columns))
        return state
