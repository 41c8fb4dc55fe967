"""The built-in aggregations: what they take, what they give, and how they can slide.

`homomorphic`: partial results can be combined, so panes are enough and the values can be
forgotten. Others (`median`, `percentile`) keep every value of the window.
"""

from __future__ import annotations

from dataclasses import dataclass

from horae.data.types import Type

_INT, _DOUBLE, _BOOL, _STRING = Type.INT, Type.DOUBLE, Type.BOOL, Type.STRING
_NUMBERS = {_INT: _INT, _DOUBLE: _DOUBLE}
_REALS = {_INT: _DOUBLE, _DOUBLE: _DOUBLE}


@dataclass(frozen=True, slots=True)
class AggregationKind:
    """`results` maps the type of the values to the type of the aggregate."""

    name: str
    results: dict[Type, Type]
    homomorphic: bool = True


_KINDS = (
    AggregationKind("count", {t: _INT for t in Type}),
    AggregationKind("sum", _NUMBERS),
    AggregationKind("avg", _REALS),
    AggregationKind("min", _NUMBERS),
    AggregationKind("max", _NUMBERS),
    AggregationKind("integral", _REALS),
    AggregationKind("variance", _REALS),
    AggregationKind("stddev", _REALS),
    AggregationKind("any", {_BOOL: _BOOL}),
    AggregationKind("all", {_BOOL: _BOOL}),
    AggregationKind("first", {t: t for t in Type}),
    AggregationKind("last", {t: t for t in Type}),
    AggregationKind("product", _NUMBERS),
    AggregationKind("median", _REALS, homomorphic=False),
    AggregationKind("percentile", _REALS, homomorphic=False),
)

AGGREGATIONS = {kind.name: kind for kind in _KINDS}
ALIASES = {"average": "avg", "exists": "any", "forall": "all"}
