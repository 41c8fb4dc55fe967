"""Random programs that can be spread: derived atoms have the variable K at the same place in all rules.

Their partition windows are of all kinds, also those whose atoms must go everywhere. A tidy program has K
first in all its inputs, so most of these are spread.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

_CONSTANTS = "abcdef"
_PATTERNS = {
    "p": ("p(A) by A", "p(A) by A", "p(_)", "p(a)"),
    "e": (
        *("e(A,_) by A", "e(A,B) by A,B", "e(A,A) by A", "e(a,_)"),
        *("e(_,A) by A", "e(_,b)", "e(_,_)"),
    ),
}
_TIDY = {"p": _PATTERNS["p"][:2], "e": _PATTERNS["e"][:4]}
_TIDY_READS = ("p(K)", "e(K,K)", "e(K,Y)", "k(K)", "k(Y)")
_READS = (*_TIDY_READS, "p(Y)", "e(Y,K)", "e(Y,a)")


def spreadable_program(rng: Random) -> tuple[str, str, list[int]]:
    """The program, the facts, and the evaluation times."""
    rules = _Rules(rng, rng.random() < 0.6)
    text = "\n".join(rules.rule(number) for number in range(rng.randint(1, 4)))
    always = rng.choice((0, 0, 0.05))
    lines = [_fact(rng, always) for _ in range(rng.randint(10, 30))]
    return text + "\n", "\n".join(lines) + "\n", sorted(rng.sample(range(16), 4))


@dataclass(frozen=True)
class _Rules:
    rng: Random
    tidy: bool

    def rule(self, number: int) -> str:
        """The first rules derive s, the later ones may read it and derive t."""
        first = "e(K,Y)" if self.tidy else self.rng.choice(("e(K,Y)", "e(Y,K)"))
        body = [self._in_a_window(first, "U") if self.rng.random() < 0.8 else first]
        body += [self._literal(number) for _ in range(self.rng.randint(0, 2))]
        name = "s(K)" if number < 2 else self.rng.choice(("s(K)", "t(Y,K)", "t(K,K)"))
        if "@U " in body[0] and self.rng.random() < 0.5:
            return f"@V {name} :- {', '.join([*body, 'V = U + 1'])}."
        return f"{name} :- {', '.join(body)}."

    def _literal(self, number: int) -> str:
        derived = ("s(K)",) * 3 if number > 1 else ()
        atom = self.rng.choice((*(_TIDY_READS if self.tidy else _READS), *derived))
        negation = "" if atom == "s(K)" else self.rng.choice(("", "", "not "))
        return negation + (self._in_a_window(atom, "") if self.rng.random() < 0.7 else atom)

    def _in_a_window(self, atom: str, time: str) -> str:
        at = [f"@{time} "] * 3 if time else []
        modality = self.rng.choice(("", "<> ", "<> ", *at, *([] if self.tidy else ["[] "])))
        return f"win[{self._window(atom)}] {modality}{atom}"

    def _window(self, atom: str) -> str:
        patterns = _TIDY if self.tidy else _PATTERNS
        if atom[0] not in patterns or self.rng.random() < 0.4:
            return self.rng.choice(("3", "6", "+2", "4,2", "5,0,3"))
        about = atom[0] if self.rng.random() < 0.9 else self.rng.choice("pe")
        count = self.rng.choice(("1", "2", "3", "1,1", "0,2"))
        return f"{self.rng.choice(patterns[about])} #{count}"


def _fact(rng: Random, always: float) -> str:
    name, width = rng.choice((("p", 1), ("e", 2), ("e", 2), ("k", 1), ("e", 2)))
    arguments = ",".join(rng.choice(_CONSTANTS) for _ in range(width))
    if name == "k" or rng.random() < always:
        return f"{name}({arguments})"
    start = rng.randint(0, 12)
    end = start + rng.randint(0, 4)
    return f"{name}({arguments})@{f'[{start},{end}]' if end > start + 1 else start}"
