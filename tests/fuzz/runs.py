"""Worked examples whose programs are mutated: what still compiles runs over the example's input.

A program without diagnostics must not fail later with anything but an error of Horae's own.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from random import Random
from typing import Any

from tests.case_folders import Case, cases
from tests.fuzz.mutate import mutated, tokens_of
from tests.fuzz.target import Target

import horae

LANGUAGES = ("rtlola", "datalogmtl", "lars", "cql")
_LONGEST_PROGRAM = 2_000
Mutant = tuple[str, str]
"""The name of an example, and a program for its input."""


def run_targets() -> Iterable[Target]:
    for language in LANGUAGES:
        examples = {case.name: case for case in cases(language)}
        words = sorted({word for case in examples.values() for word in tokens_of(_program(case))})
        make = partial(_mutant, examples=examples, words=words)
        yield Target(f"{language} runs", make, partial(_run, language=language, examples=examples))


def _mutant(random: Random, examples: dict[str, Case], words: list[str]) -> Mutant:
    name = random.choice(list(examples))
    return name, mutated(random, [_program(examples[name])], words)[:_LONGEST_PROGRAM]


def _program(case: Case) -> str:
    """The program of an example without the comments at its top."""
    lines = case.source.text.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(("//", "%", "--")))


def _run(mutant: Mutant, language: str, examples: dict[str, Case]) -> None:
    name, text = mutant
    case = examples[name]
    program: Any = horae.compile(text, language)
    program.evaluate(case.rows or case.facts, **_options(case, language))


def _options(case: Case, language: str) -> dict[str, Any]:
    """Those of the example; of thousands of answer sets, the first will do."""
    if language == "lars" and "consequences" not in case.options:
        return case.options | {"answers": 20}
    return case.options
