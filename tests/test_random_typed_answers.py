"""Typed answers of random programs say what the dicts do, and these what the JSON Lines do."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.strategies.shrinking import hold
from tests.strategies.typed_inputs import TypedSample, random_sample
from tests.typed_answers import Counted, numbered, output_of, says

import horae
from horae.data.clock import DECIMALS
from horae.engine.answers import Answers
from horae.program import Program
from horae.source.errors import InputError

pytestmark = pytest.mark.filterwarnings("ignore::horae.InputWarning")
LANGUAGES = ("rtlola", "datalogmtl", "lars", "cql")


def check(sample: TypedSample) -> None:
    program = horae.compile(sample.text, sample.language)
    try:
        answers = program.evaluate(sample.inputs, **sample.options)
    except InputError as error:
        if not error.code.startswith("RUN"):
            raise
        return
    dicts = list(answers)
    assert dicts == [
        json.loads(line) for text in answers.json_lines() for line in text.splitlines()
    ]
    names = {output_of(answer) for answer in dicts} | {table.name for table in _outputs(program)}
    counted = sum(_compared(sample, program, answers, name) for name in sorted(names))
    assert counted == len(dicts)
    _check_one_alone(sample, program, answers)


def _check_one_alone(sample: TypedSample, program: Program, answers: Answers) -> None:
    """The other outputs are hidden; time points without an answer have none of any output."""
    name = max(table.name for table in _outputs(program))
    shown = (name, "inconsistent")
    found = program.evaluate(sample.inputs, **sample.options, only=[name])
    assert found == [answer for answer in answers if output_of(answer) in shown]


def _outputs(program: Program) -> list[Any]:
    return [table for table in program.outputs if not table.name.startswith("trigger ")]


def _compared(sample: TypedSample, program: Program, answers: Answers, name: str) -> int:
    """How many answers an output has."""
    if sample.options.get("emit") == "triggers" and name != "trigger":
        return 0
    table = answers.to_arrow(name)
    if not isinstance(sample.inputs, list):
        assert table.schema == program.schema(name, sample.inputs, **sample.options)
    own = [answer for answer in answers if output_of(answer) == name]
    rows = numbered(table)
    assert len(rows) == len(own)
    counted = _counted(sample)
    for row, answer in zip(rows, own, strict=True):
        assert says(table.schema, row, answer, counted), (name, row, answer)
    return len(own)


def _counted(sample: TypedSample) -> Counted:
    has_points = sample.language in ("lars", "cql")
    points = sample.options.get("precision", "s") if has_points else "s"
    unit = sample.options.get("time_unit", points)
    return Counted(10 ** DECIMALS[unit], 10 ** DECIMALS[points])


@pytest.mark.parametrize("language", LANGUAGES)
def test_random_programs(language: str):
    hold(lambda rng: random_sample(rng, language), check, range(25))


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_many_random_programs(language: str):
    hold(lambda rng: random_sample(rng, language), check, range(25, 325))
