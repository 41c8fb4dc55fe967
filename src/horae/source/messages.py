"""Messages of a catalogue: code, text and help, with gaps that are filled where the message is given.

A catalogue is a module with a constant per message; its calls give the gaps by name:

    NO_TOPIC = Message("INP076", "the broker has no topic `{name}`", help="make it first")
    raise NO_TOPIC(name="trams")
"""

from __future__ import annotations

from dataclasses import dataclass
from string import Formatter

from horae.source.diagnostic import Diagnostic, Label, Severity
from horae.source.errors import InputError
from horae.source.text import Span


def _gaps(*templates: str) -> frozenset[str]:
    parts = (part for template in templates for part in Formatter().parse(template))
    return frozenset(name for _, name, _, _ in parts if name)


@dataclass(frozen=True, slots=True)
class Message:
    """About input or a run. Gaps are written as in `str.format`: `{name}`, `{count:,}`."""

    code: str
    text: str
    help: str = ""

    @property
    def gaps(self) -> frozenset[str]:
        return _gaps(self.text, self.help)

    def __call__(
        self, *, place: str = "", row: int | None = None, time: str | None = None, **gaps: object
    ) -> InputError:
        return InputError(
            self.code,
            self.text.format(**gaps),
            place=place,
            row=row,
            time=time,
            help=self.help.format(**gaps),
        )


@dataclass(frozen=True, slots=True)
class ProgramMessage:
    """About a place in a program; `caption` stands beside the caret."""

    code: str
    text: str
    caption: str = ""
    note: str = ""
    help: str = ""
    severity: Severity = Severity.ERROR

    @property
    def gaps(self) -> frozenset[str]:
        return _gaps(self.text, self.caption, self.note, self.help)

    def __call__(self, span: Span, *, labels: tuple[Label, ...] = (), **gaps: object) -> Diagnostic:
        filled = (part.format(**gaps) for part in (self.caption, self.note, self.help))
        caption, note, help = filled
        text = self.text.format(**gaps)
        return Diagnostic(self.code, self.severity, text, span, caption, labels, note, help)
