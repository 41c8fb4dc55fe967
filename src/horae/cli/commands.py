"""The commands of `horae`: each is a function in a module of its own, loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from horae.cli.usage import plain_message
from horae.languages import languages

COMMANDS = ("check", "fmt", "analyze", "run", "translate", "demo", "bench")


class CommandGroup(TyperGroup):
    """The commands by name. Their refusals of options read as sentences."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings | {"commands": dict.fromkeys(COMMANDS)})

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = plain_message(error.message)
            raise


def load_command(name: str) -> Any:
    """The command as typer makes it of its function."""
    function = _with_all_options(getattr(import_module(f"horae.cli.{name}"), name))
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    alone.command(cls=GroupedCommand)(function)
    command: Any = typer.main.get_command(alone)
    for parameter in command.params:
        parameter.metavar = _metavars().get(parameter.name, parameter.metavar)
    return command


def _with_all_options(function: Callable[..., None]) -> Callable[..., None]:
    """A function with `**given` takes the options of all languages; others do not wait for them."""
    kinds = [parameter.kind for parameter in signature(function).parameters.values()]
    if Parameter.VAR_KEYWORD not in kinds:
        return function
    from horae.cli.language_options import with_language_options

    return with_language_options(function)


def _metavars() -> dict[str, str]:
    """The placeholders of options whose values the languages say."""
    known = languages()
    forms = dict.fromkeys(form for record in known.values() for form in record.translations)
    return {"language": "|".join(known), "to": "|".join(forms)}


class GroupedCommand(TyperCommand):
    """A command whose help lists options under the headings that they have, in order."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                sections.setdefault(_heading(parameter), []).append(record)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records)


def _heading(parameter: Any) -> str:
    given = getattr(parameter, "rich_help_panel", None)
    kind = "Arguments" if parameter.param_type_name == "argument" else "Options"
    return given if isinstance(given, str) else kind
