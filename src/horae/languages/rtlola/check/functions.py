"""The built-in functions: names, argument types, result types.

A function with an `int` and a `double` row takes the first row that all arguments fit; `int`
arguments widen to `double` where only a `double` row is left.
"""

from __future__ import annotations

from dataclasses import dataclass

from horae.data.types import Type

_INT, _DOUBLE, _BOOL, _STRING = Type.INT, Type.DOUBLE, Type.BOOL, Type.STRING


@dataclass(frozen=True, slots=True)
class Signature:
    arguments: tuple[Type, ...]
    result: Type


def _signatures() -> dict[str, tuple[Signature, ...]]:
    numeric = (Signature((_INT,), _INT), Signature((_DOUBLE,), _DOUBLE))
    pair = (Signature((_INT, _INT), _INT), Signature((_DOUBLE, _DOUBLE), _DOUBLE))
    real = (Signature((_DOUBLE,), _DOUBLE),)
    to_int = (Signature((_INT,), _INT), Signature((_DOUBLE,), _INT))
    table: dict[str, tuple[Signature, ...]] = {
        name: real for name in ("sqrt", "exp", "log", "sin", "cos", "tan")
    }
    table |= {"abs": numeric, "min": pair, "max": pair}
    table |= {name: to_int for name in ("floor", "ceil", "round")}
    table["length"] = (Signature((_STRING,), _INT),)
    table["contains"] = (Signature((_STRING, _STRING), _BOOL),)
    table["matches"] = (Signature((_STRING, _STRING), _BOOL),)
    table["int"] = tuple(Signature((t,), _INT) for t in Type)
    table["double"] = tuple(Signature((t,), _DOUBLE) for t in Type)
    table["string"] = tuple(Signature((t,), _STRING) for t in Type)
    return table


FUNCTIONS = _signatures()
