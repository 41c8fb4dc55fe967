"""Messages of a catalogue: code, text and help, with gaps that are filled where the error is made.

A catalogue is a module with a constant per message; its calls give the gaps by name:

    NO_TOPIC = Message("INP076", "the broker has no topic `{name}`", help="make it first")
    raise NO_TOPIC(name="trams")
"""

from __future__ import annotations

from dataclasses import dataclass
from string import Formatter

from horae.source.errors import InputError


@dataclass(frozen=True, slots=True)
class Message:
    """Gaps are written as in `str.format`: `{name}`, `{count:,}`."""

    code: str
    text: str
    help: str = ""

    @property
    def gaps(self) -> frozenset[str]:
        parts = [*Formatter().parse(self.text), *Formatter().parse(self.help)]
        return frozenset(name for _, name, _, _ in parts if name)

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
