"""A finished run as answers: the dictionaries of the JSON Lines, in their order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from horae.reference.rtlola.history import Entry, Life, Parameters
from horae.reference.rtlola.positions import write_time
from horae.reference.rtlola.run import Run

Answer = dict[str, Any]
Keyed = tuple[tuple[Any, ...], Answer]


def list_answers(run: Run, emit: str) -> list[Answer]:
    """By time; streams before triggers; then stream, parameters or trigger; then position."""
    values = [] if emit == "triggers" else list(_values(run, emit))
    keyed = sorted([*values, *_notifications(run)], key=lambda pair: pair[0])
    return [answer for _, answer in keyed]


def _values(run: Run, emit: str) -> Iterator[Keyed]:
    for stream, lives in run.lives.items():
        for parameters, life in lives:
            for entry in _changes(life) if emit == "changes" else life.entries:
                yield _value(stream, parameters, entry)


def _value(stream: str, parameters: Parameters, entry: Entry) -> Keyed:
    time = write_time(entry.time)
    answer = {"time": time, "stream": stream, "params": list(parameters), "value": entry.value}
    return (entry.time, 0, stream, parameters, entry.position), answer


def _changes(life: Life) -> list[Entry]:
    """The first value of a life is a change."""
    before = [None, *(entry.value for entry in life.entries)]
    return [entry for entry, old in zip(life.entries, before, strict=False) if entry.value != old]


def _notifications(run: Run) -> Iterator[Keyed]:
    for trigger in run.program.triggers:
        for position in run.positions:
            if run.notifies(trigger, position):
                answer = {
                    "time": write_time(position.time),
                    "trigger": trigger.number,
                    "message": trigger.message,
                    "condition": trigger.text,
                }
                yield (position.time, 1, trigger.number, position.index), answer
