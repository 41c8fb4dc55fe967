"""What is wrong with a program, where, and what would work: data only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from horae.source.text import Span


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Label:
    """A place that takes part in the problem, with what it contributes."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `code` is stable; `span` is the primary place, labels are further ones."""

    code: str
    severity: Severity
    message: str
    span: Span
    caption: str = ""  # written beside the caret
    labels: tuple[Label, ...] = ()
    note: str = ""
    help: str = ""

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR
