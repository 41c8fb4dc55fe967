"""The four value types of RTLola."""

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
