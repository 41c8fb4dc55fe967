"""Wrong usage: what was asked cannot be done as it was asked. Exit code 2."""

from __future__ import annotations

import typer


class WrongUsage(typer.BadParameter):
    """Shown below the usage line of the command, just in its own words."""

    def format_message(self) -> str:
        return self.message
