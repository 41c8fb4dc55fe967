"""Wrong usage: what was asked cannot be done as it was asked. Exit code 2."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup


class WrongUsage(typer.BadParameter):
    """Shown below the usage line of the command, just in its own words."""

    def format_message(self) -> str:
        return self.message


class PlainGroup(TyperGroup):
    """Commands whose refusals of options read as sentences, without the words of typer's own checks."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = plain(error.message)
            raise


_TECHNICAL = (("Value error, ", ""), ("Input should be", "it should be"))


def plain(message: str) -> str:
    """`Value error, 'x' is not …` → `'x' is not ….`"""
    if not message:
        return message
    for prefix, instead in _TECHNICAL:
        if message.startswith(prefix):
            message = instead + message.removeprefix(prefix)
    message = message.partition(", unable to parse")[0]
    return message if message.endswith((".", "?")) else f"{message}."
