"""The memory bounds of Theorems 8 and 10 with the numbers of a program filled in."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from horae.languages.datalogmtl.analysis.theorems import Sizes, theorem_8, theorem_10
from horae.languages.datalogmtl.analysis.windows import Horizons
from horae.languages.datalogmtl.check.fragments import Fragment, FragmentName

# A power with a larger exponent says nothing as a number, and takes long to compute.
_LARGEST_EXPONENT = 1000


@dataclass(frozen=True, slots=True)
class StreamNumbers:
    """What the theorems ask of a stream; None where it is not known."""

    objects: int | None = None
    gcd: Fraction | None = None
    step: Fraction | None = None


@dataclass(frozen=True, slots=True)
class MemoryBound:
    """The most elements that are ever in memory.

    `why_not` says why the theorem does not speak of the program; then there is no formula.
    `value` is the formula's, where the stream is known well enough and the number is printable.
    """

    theorem: str
    about: str
    formula: str = ""
    value: int | None = None
    why_not: str = ""


def find_bounds(
    fragment: Fragment, horizons: Horizons, sizes: Sizes, stream: StreamNumbers
) -> tuple[MemoryBound, ...]:
    return (
        _theorem_8(fragment, horizons, sizes, stream),
        _theorem_10(fragment, horizons, sizes, stream),
    )


def _theorem_8(
    fragment: Fragment, horizons: Horizons, sizes: Sizes, stream: StreamNumbers
) -> MemoryBound:
    name, about = "Theorem 8", "if all times are multiples of g"
    if not fragment.contains_program(FragmentName.MTL_FP):
        return MemoryBound(name, about, why_not="it is about programs in MTL-FP")
    numbers = ", ".join(["g", "step", *(str(n) for n in sizes.numbers if n)])
    formula = f"(4·(⌈({_plus(horizons.w)}2·step)/gcd({numbers})⌉ + 1)² + 1) · {_atoms(sizes)}"
    objects, unit, step = stream.objects, stream.gcd, stream.step
    if objects is None or unit is None or step is None:
        return MemoryBound(name, about, formula)
    value = theorem_8(horizons, sizes, objects=objects, gcd_of_times=unit, step=step)
    return MemoryBound(name, about, formula, value)


def _theorem_10(
    fragment: Fragment, horizons: Horizons, sizes: Sizes, stream: StreamNumbers
) -> MemoryBound:
    name, about = "Theorem 10", "however dense the times are"
    why_not = _not_mitl(fragment, horizons, sizes)
    if why_not:
        return MemoryBound(name, about, why_not=why_not)
    objects, step = stream.objects, stream.step
    if not sizes.numbers:
        known = None if objects is None else 7 * sizes.atoms(objects)
        return MemoryBound(name, about, f"7 · {_atoms(sizes)}", known)
    formula = _formula_10(horizons, sizes)
    if objects is None or step is None or _exponent(horizons, sizes, step) > _LARGEST_EXPONENT:
        return MemoryBound(name, about, formula)
    value = theorem_10(horizons, sizes, objects=objects, step=step)
    return MemoryBound(name, about, formula, value)


def _not_mitl(fragment: Fragment, horizons: Horizons, sizes: Sizes) -> str:
    if not fragment.contains_program(FragmentName.MITL_FP):
        return "it is about programs in MITL-FP"
    if sizes.numbers and not horizons.granularity:
        return "no interval has an end, so there is no shortest one"
    return ""


def _formula_10(horizons: Horizons, sizes: Sizes) -> str:
    atoms, w = _atoms(sizes), _plus(horizons.w)
    compacted = f"2·{atoms}·(⌈({w}step)/{_divisor(horizons.granularity)}⌉ + 1) + 2"
    growth = f"{sizes.rules}^⌈({w}2·step)/{_divisor(sizes.least_end)}⌉"
    return f"4·(({compacted})·{growth})² + {atoms}"


def _exponent(horizons: Horizons, sizes: Sizes, step: Fraction) -> int:
    least = sizes.least_end
    return 0 if least is None else ceil((horizons.w + 2 * step) / least)


def _plus(w: Fraction) -> str:
    return f"{w} + " if w else ""


def _divisor(number: Fraction | None) -> str:
    text = str(number)
    return f"({text})" if "/" in text else text


_EXPONENTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _atoms(sizes: Sizes) -> str:
    """P·|O|^A."""
    if not sizes.arity:
        return str(sizes.predicates)
    power = "" if sizes.arity == 1 else str(sizes.arity).translate(_EXPONENTS)
    return f"{sizes.predicates}·|O|{power}"
