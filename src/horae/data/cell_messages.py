"""Messages about one value of a table, whether its rows are events, facts or rows of CQL.

NO_FACT_TIME = CellMessage("INP024", TIME_IS_MISSING, "facts that always hold …")
raise NO_FACT_TIME(place, index, column)
"""

from __future__ import annotations

from dataclasses import dataclass

from horae.data.layout import Place
from horae.data.numbers import show
from horae.source.errors import InputError
from horae.source.messages import Message

LONGEST = 40
"""Characters of a value that a message shows."""

TIME_IS_MISSING = "the time in `{column}` is missing"
IS_NO_TIME = "the column `{column}` holds {found}, which is not a time"


@dataclass(frozen=True, slots=True)
class CellMessage:
    """Code, text and help with gaps: `{column}`, and `{found}` for the value as it is shown."""

    code: str
    text: str
    help: str = ""

    def __call__(
        self, place: Place, index: int, column: str, found: object = None, **gaps: str
    ) -> InputError:
        message = Message(self.code, self.text, self.help)
        gaps |= {"column": column, "found": quoted(found)}
        return message(place=place.name, row=place.row(index), **gaps)


def quoted(found: object) -> str:
    return f"`{shortened(show(found))}`"


def shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
