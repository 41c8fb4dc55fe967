"""Wrong usage: what was asked cannot be done as it was asked. Exit code 2."""

from __future__ import annotations

import typer


class WrongUsage(typer.BadParameter):
    """Shown below the usage line of the command, just in its own words."""

    def format_message(self) -> str:
        return self.message


_TECHNICAL = (("Value error, ", ""), ("Input should be", "it should be"))


def plain_message(message: str) -> str:
    """`Value error, 'x' is not …` → `'x' is not ….`"""
    if not message:
        return message
    for prefix, instead in _TECHNICAL:
        if message.startswith(prefix):
            message = instead + message.removeprefix(prefix)
    message = message.partition(", unable to parse")[0]
    return message if message.endswith((".", "?")) else f"{message}."
