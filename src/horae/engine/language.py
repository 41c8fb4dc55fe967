"""A language, as the rest of the house knows it: one frozen record.

`languages/<name>/language.py` makes it, `languages/__init__.py` lists it, and nothing else knows that
the language exists. Whatever is heavy is imported inside the functions of the record, so that `check`
loads nothing but the language's own syntax and checks.

What a language supplies:

1. `check` makes a checked program of a text, or diagnostics; `format` writes a text in the one way.
2. `report` says what is known before a run: bounds, delays, and the plan (`engine.plan`).
3. `inputs` and `outputs` are the tables that it reads and gives, as schemas.
4. `options` is its dataclass of options, derived from `engine.options.RunOptions`.
5. `run` binds a checked program to options: an `engine.run.Run`, which reads input, makes the *kernel
   program* (`engine.contract.Routed`) that works in process, in batch and live, and shows answers.
6. `fields` are the columns of its answers, `translations` the forms that a program can be printed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from horae.source.diagnostic import Diagnostic
from horae.source.text import Source

if TYPE_CHECKING:
    from horae.data.schema import TableSchema
    from horae.engine.options import RunOptions
    from horae.engine.report.report import Report
    from horae.engine.run import Run

Checked = Any
"""A checked program, as its language has it."""


def _as_it_is(checked: Checked, options: RunOptions) -> Checked:
    return checked


@dataclass(frozen=True)
class Language:
    """`name` is what users write, `title` what the language is called in sentences.

    `fit` makes of a checked program the one that runs with such options: its durations are counted in
    their time points, and its clock is theirs.
    `report` takes the numbers that `report_numbers` names, for bounds that depend on the input.
    A translation raises `ProgramError` where it does not know a construct.
    """

    name: str
    title: str
    ending: str
    check: Callable[[Source], tuple[Checked | None, Sequence[Diagnostic]]]
    format: Callable[[Source], str]
    report: Callable[..., Report]
    inputs: Callable[[Checked], Sequence[TableSchema]]
    outputs: Callable[[Checked], Sequence[TableSchema]]
    options: Callable[[], type[RunOptions]]
    fields: tuple[str, ...]
    run: Callable[[Checked, Any], Run]
    fit: Callable[[Checked, Any], Checked] = _as_it_is
    report_numbers: tuple[str, ...] = ()
    translations: Mapping[str, Callable[[Checked], str]] = field(default_factory=dict)
