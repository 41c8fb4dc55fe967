"""The options of `horae run` about how a stream is run, whatever the language."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from pathlib import Path

from horae.cli.usage import WrongUsage
from horae.data.durations import read_duration
from horae.data.file_places import is_uri

AVAILABLE = "available"
_SPELT = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s+(second|minute|hour|day)s?")


@dataclass(frozen=True)
class StreamOptions:
    """None, or False, where an option was not given."""

    checkpoint: str | None = None
    trigger: str | None = None
    finish: bool = False
    files_per_batch: int | None = None
    dead_letters: str | None = None
    metrics_port: int | None = None

    def refuse(self) -> None:
        """Outside of a stream."""
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None and value is not False:
                name = field.name.replace("_", "-")
                raise WrongUsage(f"--{name} is for streams: it needs --stream.")

    def check(self, output: str | None) -> None:
        """What typer cannot see for itself; all of it is wrong usage. `output`: a directory."""
        if self.finish and self.every is not None:
            raise WrongUsage(f"--finish ends at the end of the input: --trigger {AVAILABLE}.")
        for path in (output, self.dead_letters):
            if path is not None and not is_uri(path) and Path(path).is_file():
                raise WrongUsage(f"{path} is a file; with --stream answers go to a directory.")
        if output is not None and output == self.dead_letters:
            raise WrongUsage("--output and --dead-letters are two directories.")

    @property
    def every(self) -> str | None:
        """How often the input is looked at, as Spark writes it; None: what is there now."""
        if self.trigger in (None, AVAILABLE):
            return None
        spelt = _SPELT.sub(lambda found: found[1] + found[2][0], str(self.trigger).strip().lower())
        try:
            seconds = read_duration("trigger", spelt)
        except ValueError:
            raise WrongUsage(
                f"--trigger is `{AVAILABLE}` or a duration such as `5 seconds`."
            ) from None
        return f"{round(seconds * 1000)} milliseconds"
