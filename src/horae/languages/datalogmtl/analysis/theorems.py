"""The bounds of Theorems 8 and 10 of the paper, evaluated for a given stream."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, gcd, lcm

from horae.languages.datalogmtl.analysis.windows import Horizons
from horae.languages.datalogmtl.check.normal import JoinRule, Link, NormalProgram, NormalRule, Step
from horae.rules.terms import Atom


@dataclass(frozen=True, slots=True)
class Sizes:
    """P, A, R, K and N of the theorems, for the program in normal form."""

    predicates: int
    arity: int
    rules: int
    least_end: Fraction | None  # K: the least end of an interval that is not 0
    numbers: tuple[Fraction, ...]  # N

    def atoms(self, objects: int) -> int:
        """G = P · |O|^A."""
        return self.predicates * int(objects**self.arity)


def find_sizes(normal: NormalProgram) -> Sizes:
    atoms = [atom for rule in normal.rules for atom in _atoms(rule)]
    arities = {atom.predicate: len(atom.arguments) for atom in atoms}
    intervals = [r.interval for r in normal.rules if not isinstance(r, JoinRule)]
    ends = {end for i in intervals for end in (i.low, i.high) if end is not None}
    return Sizes(
        len(arities),
        max(arities.values(), default=0),
        len(normal.rules),
        min((end for end in ends if end), default=None),
        tuple(sorted(ends)),
    )


def _atoms(rule: NormalRule) -> list[Atom]:
    match rule:
        case Step(head=head, body=body):
            return [head, body]
        case Link(head=head, left=left, right=right):
            return [head, left, right]
        case JoinRule(head=head, positive=positive, negative=negative):
            return [head, *positive, *negative]


def theorem_8(
    horizons: Horizons, sizes: Sizes, *, objects: int, gcd_of_times: Fraction, step: Fraction
) -> int:
    """The most elements of W ∪ H, for times that are multiples of `gcd_of_times`."""
    unit = common_divisor([gcd_of_times, step, *sizes.numbers])
    ends = ceil((horizons.w + 2 * step) / unit) + 1
    return (4 * ends**2 + 1) * sizes.atoms(objects)


def theorem_10(horizons: Horizons, sizes: Sizes, *, objects: int, step: Fraction) -> int | None:
    """The same whatever the times are; None where a punctual interval leaves MITL."""
    atoms = sizes.atoms(objects)
    if not sizes.numbers:
        return 7 * atoms
    if not horizons.granularity or sizes.least_end is None:
        return None
    compacted = 2 * atoms * (ceil((horizons.w + step) / horizons.granularity) + 1)
    growth = sizes.rules ** ceil((horizons.w + 2 * step) / sizes.least_end)
    return int(4 * ((compacted + 2) * growth) ** 2 + atoms)


def compacted_bound(
    horizons: Horizons, sizes: Sizes, *, objects: int, step: Fraction
) -> int | None:
    """The elements left after each chunk, from the proof of Theorem 10, with H."""
    if not horizons.granularity:
        return None
    atoms = sizes.atoms(objects)
    return 2 * atoms * (ceil((horizons.w + step) / horizons.granularity) + 1) + atoms


def common_divisor(numbers: list[Fraction]) -> Fraction:
    """The greatest rational that divides all of them (those that are not 0)."""
    positive = [n for n in numbers if n]
    unit = lcm(*(n.denominator for n in positive))
    return Fraction(gcd(*(int(n * unit) for n in positive)), unit)
