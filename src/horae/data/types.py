"""The types of values in columns."""

from __future__ import annotations

from enum import StrEnum


class Type(StrEnum):
    INT = "int"
    DOUBLE = "double"
    BOOL = "bool"
    STRING = "string"

    @property
    def is_numeric(self) -> bool:
        return self in (Type.INT, Type.DOUBLE)
