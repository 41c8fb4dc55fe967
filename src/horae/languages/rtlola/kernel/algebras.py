"""Aggregations as algebras: what a partial result holds, how two are combined, what it yields.

An algebra whose fields are integers can take a part out again exactly (`subtract`); sums of
doubles cannot (1e16 + 1 - 1e16 is 0), so they are combined afresh and never subtracted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from horae.data.types import Type
from horae.languages.rtlola.kernel import runtime
from horae.languages.rtlola.kernel.guards import bind_all, fault, guarded
from horae.languages.rtlola.kernel.layout import DTYPES
from horae.languages.rtlola.kernel.scope import LoopScope
from horae.languages.rtlola.program import (
    Aggregation,
    BuiltinAggregation,
    Expression,
    UserAggregation,
)

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator

Atoms = list[str]
Combine = Callable[[Atoms, Atoms, LoopScope], Atoms]


@dataclass(frozen=True, slots=True)
class Algebra:
    """Each function writes statements and returns atoms, one per field."""

    dtypes: tuple[str, ...]
    lift: Callable[[str, LoopScope], Atoms]
    combine: Combine
    finish: Callable[[Atoms, LoopScope], str]
    subtract: Combine | None = None  # (whole, left) → right
    neutral: tuple[str, ...] = ()  # needed where `subtract` is given


def algebra(g: Generator, aggregation: Aggregation, kind: Type, node: Expression) -> Algebra:
    """The algebra of a homomorphic aggregation over values of a type."""
    if isinstance(aggregation, UserAggregation):
        return _user(g, aggregation)
    return _BUILTIN[aggregation.name](g, kind, node)


def _count(g: Generator, kind: Type, node: Expression) -> Algebra:
    return Algebra(
        ("int64",),
        lambda v, s: ["1"],
        lambda a, b, s: bind_all(g, [f"{a[0]} + {b[0]}"]),
        lambda a, s: a[0],
        lambda w, left, s: bind_all(g, [f"{w[0]} - {left[0]}"]),
        ("0",),
    )


def _plain_sum(g: Generator) -> Combine:
    return lambda a, b, s: bind_all(g, [f"{x} + {y}" for x, y in zip(a, b, strict=True)])


def _difference(g: Generator) -> Combine:
    return lambda w, left, s: bind_all(g, [f"{x} - {y}" for x, y in zip(w, left, strict=True)])


def _wide_sum(g: Generator, kind: Type, node: Expression) -> Algebra:
    """An exact sum of ints: low word, and how often it wrapped. Only a result must fit."""

    def add(a: Atoms, b: Atoms, scope: LoopScope) -> Atoms:
        return _with_carry(g, "wrap_add", "add_overflows", "+", a, b)

    def subtract(whole: Atoms, left: Atoms, scope: LoopScope) -> Atoms:
        return _with_carry(g, "wrap_subtract", "subtract_overflows", "-", whole, left)

    def finish(a: Atoms, scope: LoopScope) -> str:
        fault(g, f"{a[1]} != 0", runtime.INTEGER_OVERFLOW, node, scope)
        return a[0]

    return Algebra(("int64", "int64"), lambda v, s: [v, "0"], add, finish, subtract, ("0", "0"))


def _with_carry(g: Generator, wrap: str, test: str, sign: str, a: Atoms, b: Atoms) -> Atoms:
    """Adding a positive number that wraps carries one; so does subtracting a negative one."""
    low, high = bind_all(g, [f"{wrap}({a[0]}, {b[0]})", f"{a[1]} {sign} {b[1]}"])
    with g.code.block(f"if {test}({a[0]}, {b[0]})"):
        upward = f"{b[0]} > 0" if sign == "+" else f"{b[0]} < 0"
        g.code.line(f"{high} += 1 if {upward} else -1")
    return [low, high]


def _sum(g: Generator, kind: Type, node: Expression) -> Algebra:
    if kind is Type.INT:
        return _wide_sum(g, kind, node)
    return Algebra(("float64",), lambda v, s: [v], _plain_sum(g), lambda a, s: a[0])


def _avg(g: Generator, kind: Type, node: Expression) -> Algebra:
    if kind is Type.DOUBLE:
        return Algebra(
            ("float64", "int64"),
            lambda v, s: [v, "1"],
            _plain_sum(g),
            lambda a, s: f"({a[0]} / {a[1]})",
        )
    wide = _wide_sum(g, kind, node)
    assert wide.subtract is not None
    subtract = wide.subtract
    return Algebra(
        ("int64", "int64", "int64"),
        lambda v, s: [v, "0", "1"],
        lambda a, b, s: [*wide.combine(a, b, s), *bind_all(g, [f"{a[2]} + {b[2]}"])],
        lambda a, s: f"(({a[1]} * {2.0**64!r} + {a[0]}) / {a[2]})",
        lambda w, left, s: [*subtract(w, left, s), *bind_all(g, [f"{w[2]} - {left[2]}"])],
        ("0", "0", "0"),
    )


def _extreme(function: str) -> Callable[[Generator, Type, Expression], Algebra]:
    def build(g: Generator, kind: Type, node: Expression) -> Algebra:
        return Algebra(
            (DTYPES[kind],),
            lambda v, s: [v],
            lambda a, b, s: bind_all(g, [f"{function}({a[0]}, {b[0]})"]),
            lambda a, s: a[0],
        )

    return build


def _choice(side: int) -> Callable[[Generator, Type, Expression], Algebra]:
    def build(g: Generator, kind: Type, node: Expression) -> Algebra:
        return Algebra(
            (DTYPES[kind],),
            lambda v, s: [v],
            lambda a, b, s: [a[0]] if side == 0 else [b[0]],
            lambda a, s: a[0],
        )

    return build


def _truth(counted: bool) -> Callable[[Generator, Type, Expression], Algebra]:
    """`any` counts the true values, `all` the false ones: both can be taken out again."""

    def build(g: Generator, kind: Type, node: Expression) -> Algebra:
        return Algebra(
            ("int64",),
            lambda v, s: [f"(1 if {v} else 0)" if counted else f"(0 if {v} else 1)"],
            _plain_sum(g),
            lambda a, s: f"({a[0]} > 0)" if counted else f"({a[0]} == 0)",
            _difference(g),
            ("0",),
        )

    return build


def _product(g: Generator, kind: Type, node: Expression) -> Algebra:
    if kind is Type.DOUBLE:
        return Algebra(
            ("float64",),
            lambda v, s: [v],
            lambda a, b, s: bind_all(g, [f"{a[0]} * {b[0]}"]),
            lambda a, s: a[0],
        )
    return _integer_product(g, node)


def _integer_product(g: Generator, node: Expression) -> Algebra:
    """Minus the size, which reaches down to the smallest int, and the sign; 1 means too large."""

    def combine(a: Atoms, b: Atoms, scope: LoopScope) -> Atoms:
        return bind_all(g, [f"multiply_sizes({a[0]}, {b[0]})", f"{a[1]} ^ {b[1]}"])

    def finish(a: Atoms, scope: LoopScope) -> str:
        too_large = f"({a[0]} > 0 or ({a[0]} == {runtime.MIN_INT} and {a[1]} == 0))"
        fault(g, too_large, runtime.INTEGER_OVERFLOW, node, scope)
        return guarded(g, f"({a[0]} if {a[1]} == 1 else -{a[0]})", scope)

    lift = lambda v, s: [f"({v} if {v} < 0 else -{v})", f"(1 if {v} < 0 else 0)"]  # noqa: E731
    return Algebra(("int64", "int64"), lift, combine, finish)


def _variance(root: bool) -> Callable[[Generator, Type, Expression], Algebra]:
    """Number, mean and sum of squared deviations (Chan, Golub, LeVeque): stable to combine."""

    def build(g: Generator, kind: Type, node: Expression) -> Algebra:
        def combine(a: Atoms, b: Atoms, scope: LoopScope) -> Atoms:
            n, d = bind_all(g, [f"{a[0]} + {b[0]}", f"{b[1]} - {a[1]}"])
            mean = f"{a[1]} + {d} * {b[0]} / {n}"
            squares = f"{a[2]} + {b[2]} + {d} * {d} * {a[0]} * {b[0]} / {n}"
            return [n, *bind_all(g, [mean, squares])]

        def finish(a: Atoms, scope: LoopScope) -> str:
            return f"math.sqrt({a[2]} / {a[0]})" if root else f"({a[2]} / {a[0]})"

        lift = lambda v, s: ["1", f"float({v})", "0.0"]  # noqa: E731
        return Algebra(("int64", "float64", "float64"), lift, combine, finish)

    return build


def _integral(g: Generator, kind: Type, node: Expression) -> Algebra:
    """Area so far, first and last point: combining adds the trapezoid between them."""

    def combine(a: Atoms, b: Atoms, scope: LoopScope) -> Atoms:
        gap = f"({b[1]} - {a[3]}) / {float(g.resolution)!r} * ({a[4]} + {b[2]}) / 2.0"
        area = bind_all(g, [f"{a[0]} + {b[0]} + {gap}"])[0]
        return [area, a[1], a[2], b[3], b[4]]

    dtypes = ("float64", "int64", "float64", "int64", "float64")
    lift = lambda v, s: ["0.0", "now", f"float({v})", "now", f"float({v})"]  # noqa: E731
    return Algebra(dtypes, lift, combine, lambda a, s: a[0])


_BUILTIN: dict[str, Callable[[Generator, Type, Expression], Algebra]] = {
    "count": _count,
    "sum": _sum,
    "avg": _avg,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "integral": _integral,
    "variance": _variance(root=False),
    "stddev": _variance(root=True),
    "any": _truth(counted=True),
    "all": _truth(counted=False),
    "first": _choice(0),
    "last": _choice(1),
    "product": _product,
}


def keeps_values(aggregation: Aggregation) -> bool:
    """Not homomorphic: every value of the window is needed."""
    return isinstance(aggregation, BuiltinAggregation) and aggregation.name in (
        "median",
        "percentile",
    )


# --- user-defined


def _user(g: Generator, aggregation: UserAggregation) -> Algebra:
    names = [v.name for v in aggregation.state]
    initial = [_literal(g, v.type, v.initial) for v in aggregation.state]

    def evaluate(expressions: tuple[Expression, ...], scope: LoopScope, **owners: Atoms) -> Atoms:
        variables = {
            (owner, name): atom
            for owner, atoms in owners.items()
            for name, atom in zip(
                names if owner != "argument" else [aggregation.argument], atoms, strict=True
            )
        }
        inner = replace(scope, variables=variables)
        return bind_all(g, [g.value(e, inner) for e in expressions])

    exact = aggregation.inverse and all(v.type is not Type.DOUBLE for v in aggregation.state)
    return Algebra(
        tuple(DTYPES[v.type] for v in aggregation.state),
        lambda v, s: evaluate(aggregation.step, s, state=initial, argument=[v]),
        lambda a, b, s: evaluate(aggregation.combine, s, left=a, right=b),
        lambda a, s: evaluate((aggregation.result,), s, state=a)[0],
        (lambda w, left, s: evaluate(aggregation.inverse, s, whole=w, left=left))
        if exact
        else None,
        tuple(initial),
    )


def _literal(g: Generator, kind: Type, initial: object) -> str:
    if kind is Type.STRING:
        return str(g.strings.code(str(initial)))
    return repr(float(initial)) if kind is Type.DOUBLE else repr(initial)  # type: ignore[arg-type]
