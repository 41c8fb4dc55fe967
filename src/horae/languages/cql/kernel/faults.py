"""What cannot be computed stops the run, with the place in the program and the evaluation time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NoReturn

import numpy as np
import pyarrow as pa

from horae.data.columns import Ints
from horae.languages.cql import catalogue
from horae.languages.cql.kernel.spans import spans_of
from horae.languages.cql.plan.expressions import Site
from horae.source.errors import InputError


class FaultKind(Enum):
    OVERFLOW = catalogue.OVERFLOW
    DIVISION = catalogue.DIVISION
    NOT_FINITE = catalogue.NOT_FINITE


@dataclass(frozen=True)
class Fault:
    kind: FaultKind
    site: Site

    def error(self, time: str | None) -> InputError:
        return self.kind.value(text=self.site.text, place=self.site.place, time=time)


@dataclass(frozen=True)
class Failure:
    """An error, and how many operators of the query were evaluated before."""

    step: int
    error: InputError

    @property
    def place(self) -> tuple[int, int, str, str]:
        """Of several failures of a query, the one with the least is that of all rows together."""
        return self.step, int(self.error.time or 0), self.error.code, self.error.place


class FaultAtTimeError(Exception):
    """A fault at the place of an evaluation time."""

    def __init__(self, fault: Fault, place: int) -> None:
        super().__init__(fault, place)
        self.fault = fault
        self.place = place


def raise_first(faults: list[Fault], numbers: Ints, table: pa.Table) -> NoReturn:
    """Of the rows with a fault (its number from 1 on), the one that is there first."""
    rows = np.flatnonzero(numbers)
    places = spans_of(table).first[rows]
    first = rows[np.argmin(places)]
    raise FaultAtTimeError(faults[int(numbers[first]) - 1], int(places.min()))
