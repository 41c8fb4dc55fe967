"""The options of runs on the command line, made of what the languages say of theirs.

A command with `**given` takes all options of all languages. What was written is checked against the
language of the program: an option that would have no effect is refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from horae.cli.run_options import SPARK, STREAMS
from horae.cli.usage import WrongUsage
from horae.engine.language import Language
from horae.engine.options import Option, OptionError, Scope, options_of, read_count, read_names
from horae.languages import languages

if TYPE_CHECKING:
    from horae.program import Program

_HEADINGS = {Scope.ALL: "Program and input", Scope.SPARK: SPARK, Scope.STREAMS: STREAMS}
"""In the order of the help, after what has none."""


@dataclass(frozen=True)
class Offered:
    """An option, and the languages that have it with what each says of it."""

    field: str
    takers: tuple[tuple[Language, Option], ...]

    @property
    def about(self) -> Option:
        return self.takers[0][1]

    @property
    def written(self) -> str:
        """`--time-unit`; `--no-header` for a flag that says no."""
        return ("--no-" if self.about.flag is False else "--") + self.field.replace("_", "-")

    @property
    def scope(self) -> Scope:
        scopes = {about.scope for _, about in self.takers}
        return scopes.pop() if len(scopes) == 1 else Scope.ALL

    @property
    def help(self) -> str:
        """`DatalogMTL and LARS: the time up to which rules derive.`"""
        defaults = [f" [{about.shown}]" if about.shown else "" for _, about in self.takers]
        meanings = self._meanings(defaults)
        if len(meanings) == 1 and len(self.takers) == len(languages()):
            text = next(iter(meanings))
            return f"{text[0].upper()}{text[1:]}."
        return "; ".join(f"{titles}: {text}" for text, titles in meanings.items()) + "."

    @property
    def refusal(self) -> str:
        """What is said where the language of the program does not have the option."""
        meanings = self._meanings([""] * len(self.takers))
        whom = "; ".join(f"{titles}: {text}" for text, titles in meanings.items())
        return f"{self.written} is for {whom}."

    def _meanings(self, additions: Sequence[str]) -> dict[str, str]:
        """From what it is for, and what is added to that, to the languages that say so."""
        titles: dict[str, list[str]] = {}
        for (record, about), addition in zip(self.takers, additions, strict=True):
            runs = "" if about.scope is self.scope else f"{about.scope} of "
            titles.setdefault(about.purpose + addition, []).append(runs + record.title)
        return {text: _listed(found) for text, found in titles.items()}

    @property
    def parameter(self) -> inspect.Parameter:
        """As typer reads it. All but counts and flags is text, for the language to read.

        Names may come in one text or in several.
        """
        is_flag, is_count = self.about.flag is not None, self.about.read is read_count
        kind: Any = bool if is_flag else int | None if is_count else str | None
        kind = list[str] | None if self.about.read is read_names else kind
        said = typer.Option(
            self.written,
            metavar=self.about.metavar or "|".join(self.about.values) or None,
            help=self.help,
            min=1 if is_count else None,
            rich_help_panel=_HEADINGS[self.scope],
        )
        return inspect.Parameter(
            self.field,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=Annotated[kind, said],
            default=False if is_flag else None,
        )


def _listed(titles: Sequence[str]) -> str:
    """`DatalogMTL, LARS and CQL`."""
    *others, last = titles
    return f"{', '.join(others)} and {last}" if others else last


def offered() -> dict[str, Offered]:
    """All options of all languages, in their order."""
    takers: dict[str, list[tuple[Language, Option]]] = {}
    for record in languages().values():
        for name, about in options_of(record.options()).items():
            takers.setdefault(name, []).append((record, about))
    return {name: Offered(name, tuple(found)) for name, found in takers.items()}


def with_language_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer should see it: with the options of the languages for `**given`."""
    signature = inspect.signature(command, eval_str=True)
    own, known = (
        [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD],
        offered(),
    )

    def taking_all(**given: object) -> None:
        command(**{n: _one_text(value) if n in known else value for n, value in given.items()})

    parameters = [p.replace(kind=p.KEYWORD_ONLY) for p in own]
    parameters += [option.parameter for option in known.values()]
    parameters.sort(key=_place_in_help)
    taking_all.__name__, taking_all.__doc__ = command.__name__, command.__doc__
    taking_all.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    taking_all.__annotations__ = {p.name: p.annotation for p in parameters}
    return taking_all


def _one_text(written: object) -> object:
    """`--only a --only b,c` as `a,b,c`; what was not written is None."""
    return (",".join(written) or None) if isinstance(written, list | tuple) else written


def _place_in_help(parameter: inspect.Parameter) -> int:
    heading = parameter.annotation.__metadata__[0].rich_help_panel
    return 1 + [*_HEADINGS.values()].index(heading) if isinstance(heading, str) else 0


# --- what was written


def check_scopes(given: Mapping[str, object], *, is_live: bool, is_local: bool) -> None:
    """Refuse what no language takes in such a run, before any program is read."""
    known = offered()
    for name, value in given.items():
        if value not in (None, False):
            _check_scope(known[name], known[name].scope, is_live=is_live, is_local=is_local)


def check_options(
    program: Program,
    given: Mapping[str, object],
    inputs: Sequence[str],
    *,
    is_live: bool,
    is_local: bool,
) -> dict[str, object]:
    """What was written, as Python would give it to such a run of this program."""
    known = offered()
    written = {
        name: known[name].about.flag if value is True else value
        for name, value in given.items()
        if value not in (None, False)
    }
    for name in written:
        _check_taken(program.record, known[name], is_live=is_live, is_local=is_local)
    try:
        program.prepare(written, *Scope).options.check_inputs(inputs)
    except OptionError as error:
        name = known[error.name].written if error.name in known else f"--{error.name}"
        ending = "" if error.problem.endswith("?") else "."
        raise WrongUsage(f"{name}: {error.problem}{ending}") from None
    return written


def _check_taken(record: Language, option: Offered, *, is_live: bool, is_local: bool) -> None:
    about = options_of(record.options()).get(option.field)
    if about is None:
        raise WrongUsage(option.refusal)
    _check_scope(option, about.scope, is_live=is_live, is_local=is_local)


def _check_scope(option: Offered, scope: Scope, *, is_live: bool, is_local: bool) -> None:
    if scope is Scope.STREAMS and not is_live:
        raise WrongUsage(f"{option.written} is for streams: it needs --stream.")
    if scope is Scope.SPARK and is_local:
        raise WrongUsage(f"{option.written} is for Spark: leave --engine local out.")
