"""Rules for clingo, with long disjunctions as rules that do not grow with the square of their length.

Clingo takes `a or b or c` apart, where no atom of it rests on another one through a cycle: into `a` if
neither b nor c, and so on. For n atoms these are n rules with n parts each. Auxiliary atoms for "one of
those before" and "one of those after" say the same with three parts each:

    win[+3600] <> done :- started.    ⟶    done at t, if started, and at no time before or after t
"""

from __future__ import annotations

from collections.abc import Sequence

from clingo.backend import Backend

from horae.frontend.graph import components

LONG = 16
"""Atoms of a disjunction that clingo still takes apart itself."""


class Disjunctions:
    """Passes rules on to clingo; long disjunctions wait until all rules are known."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._rests_on: dict[int, set[int]] = {}
        self._long: list[tuple[list[int], list[int]]] = []

    def add(self, heads: list[int], body: list[int]) -> None:
        for head in heads:
            self._rests_on.setdefault(head, set()).update(atom for atom in body if atom > 0)
        if len(heads) > LONG:
            self._long.append((heads, body))
        else:
            self._backend.add_rule(heads, body)

    def close(self) -> None:
        """Write the long disjunctions, now that all rules are there."""
        cycle = self._cycles() if self._long else {}
        for heads, body in self._long:
            if len({cycle[head] for head in heads}) == len(heads):
                self._take_apart(heads, body)
            else:
                self._backend.add_rule(heads, body)

    def _cycles(self) -> dict[int, int]:
        """The number of the component of each atom: atoms of a cycle have the same."""
        below = (atom for body in self._rests_on.values() for atom in body)
        graph = {atom: self._rests_on.get(atom, set()) for atom in (*self._rests_on, *below)}
        return {atom: n for n, members in enumerate(components(graph)) for atom in members}

    def _take_apart(self, heads: list[int], body: list[int]) -> None:
        due = self._backend.add_atom()
        self._backend.add_rule([due], body)
        before, after = self._earlier(heads), self._earlier(heads[::-1])[::-1]
        for head, *others in zip(heads, before, after, strict=True):
            self._backend.add_rule([head], [due, *(-one for one in others if one is not None)])

    def _earlier(self, atoms: Sequence[int]) -> list[int | None]:
        """For each of the atoms, one that is true iff one of those before it is."""
        found: list[int | None] = [None]
        for atom in atoms[:-1]:
            one, previous = self._backend.add_atom(), found[-1]
            self._backend.add_rule([one], [atom])
            if previous is not None:
                self._backend.add_rule([one], [previous])
            found.append(one)
        return found
