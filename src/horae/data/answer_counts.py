"""How many answers an evaluation of a LARS program gives at most: the option `answers`."""

from __future__ import annotations

import re
from typing import Literal

AnswerCount = int | Literal["all"] | None


def read_answers(written: object, consequences: str | None = None) -> AnswerCount:
    """A number, `all`, or None where nothing is asked for. Consequences are one answer already."""
    if written is None:
        return None
    if consequences in ("brave", "cautious"):
        raise ValueError(
            f"answers: {consequences} consequences are those of all answers; leave it out"
        )
    if written == "all":
        return "all"
    text = "" if isinstance(written, bool) else str(written).strip()
    if not re.fullmatch(r"\d{1,18}", text, re.ASCII) or int(text) == 0:
        raise ValueError(f"answers: `{written}` is not a number of answers; write 1, 2, … or `all`")
    return int(text)
