"""What `--input`, `--input-format` and `--input-option` say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from horae.cli.usage import WrongUsage
from horae.data.given_source import SourceFormat, has_table


@dataclass(frozen=True)
class GivenInput:
    """`format` is that of Spark's source, if one was named."""

    paths: list[str]
    format: str | None
    options: Mapping[str, str]

    @property
    def files(self) -> list[str]:
        """The inputs whose endings say their format."""
        return self.paths if self.format is None else []

    @property
    def source(self) -> SourceFormat | None:
        return None if self.format is None else SourceFormat(self.format, self.options)

    def check(self, *, is_local: bool) -> None:
        """What typer cannot see for itself; all of it is wrong usage."""
        if not self.paths:
            raise WrongUsage("Missing option '--input'.")
        if has_table(self.paths) and is_local:
            raise WrongUsage("only Spark reads tables of its catalog: leave --engine local out.")


def read_input(
    paths: Sequence[str] | None, format: str | None, options: Sequence[str]
) -> GivenInput:
    """A source may need no path: then one input without a path is meant."""
    if options and format is None:
        raise WrongUsage("--input-option is for a source of Spark: it needs --input-format.")
    found = list(paths or ([] if format is None else [""]))
    return GivenInput(found, format, dict(map(_read_option, options)))


def _read_option(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign or not key:
        raise WrongUsage(f"--input-option: write KEY=VALUE, not `{text}`.")
    return key, value
