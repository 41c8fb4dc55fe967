"""The command `horae`: its subcommands, and the one place where exceptions become exit codes.

0 fine · 1 the program has errors · 2 wrong usage · 3 bad input or a failed run
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer

from horae import __version__
from horae.cli.commands import CommandGroup
from horae.cli.input_warnings import shown_warnings
from horae.cli.process import claim_process, end_process
from horae.cli.terminal import (
    flush,
    open_streams,
    render_problem,
    say,
    show_diagnostics,
    show_input_error,
    tell,
)
from horae.source.errors import InputError, ProgramError

app = typer.Typer(
    cls=CommandGroup,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"horae {__version__}")
        raise typer.Exit


@app.callback()
def _horae(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Check, analyse and run temporal programs over events."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code. No traceback ever reaches a user."""
    open_streams()
    if arguments is None:
        claim_process()
    try:
        code = _command(arguments)
        flush()
    except KeyboardInterrupt:
        return 130
    except ProgramError as error:
        show_diagnostics(error.diagnostics, error.source)
        return 1
    except InputError as error:
        show_input_error(error)
        _show_traceback()
        return 3
    except Exception as error:  # noqa: BLE001
        _show_bug(error)
        return 3
    end_process(code)
    return code


def _command(arguments: Sequence[str] | None) -> int:
    """Typer ends every command with `SystemExit`; what was written is not out by then."""
    try:
        with shown_warnings():
            app(args=arguments, prog_name="horae")
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else 0
    return 0


def _show_bug(error: Exception) -> None:
    lines = str(error).strip().splitlines()
    what = type(error).__name__ + (f": {lines[0][:200]}" if lines else "")
    help = "this is a mistake in Horae, please report it; HORAE_DEBUG=1 shows where it happened"
    tell(render_problem("BUG001", f"the run failed unexpectedly ({what})", help=help))
    _show_traceback()


def _show_traceback() -> None:
    if os.environ.get("HORAE_DEBUG"):
        tell(traceback.format_exc())
