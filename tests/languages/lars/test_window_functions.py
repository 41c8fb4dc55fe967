"""Window functions of a user that are not what they should be: an error of the run that names them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import horae
from horae.languages.lars.check import window_functions

RULE = "a :- win[mine 3] <> p."


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    yield
    window_functions._REGISTRY.pop("mine", None)


def run(function: Callable[..., Any], text: str = RULE, **reach: Any) -> list[dict[str, Any]]:
    horae.register_window("mine", function, parameters=("n",), **reach)
    return list(horae.compile(text, language="lars").evaluate("p@3"))


@pytest.mark.parametrize(
    "given",
    [
        None,
        (0, 3),
        5,
        horae.Substream("0", 3),  # type: ignore[arg-type]
        horae.Substream(0, 3.5),  # type: ignore[arg-type]
        horae.Substream(None, 3),  # type: ignore[arg-type]
        horae.Substream(0, 3, atoms=7),  # type: ignore[arg-type]
        horae.Substream(0, 3, atoms=[(1, 2)]),  # type: ignore[list-item]
    ],
)
def test_no_substream(given: object):
    with pytest.raises(horae.InputError, match=r"RUN051.*`mine` gives .*no substream"):
        run(lambda stream, time, n: given)


def test_a_function_that_fails():
    with pytest.raises(horae.InputError, match="`mine` fails: ZeroDivisionError"):
        run(lambda stream, time, n: 1 // 0)


def test_a_function_with_other_parameters():
    with pytest.raises(horae.InputError, match=r"`mine` fails: TypeError: .*argument"):
        run(lambda stream: stream)


@pytest.mark.parametrize("past", ["5", -1, 2.5])
def test_a_reach_that_is_no_number_of_time_points(past: object):
    with pytest.raises(horae.InputError, match="RUN051: `past` of the window function `mine`"):
        run(lambda stream, time, n: horae.Substream(0, time), past=lambda n: past)


def test_the_gap_of_a_session_is_a_number():
    program = horae.compile("a :- g(N), win[session N] <> p. g(wide).", language="lars")
    with pytest.raises(horae.InputError, match="`session` fails: TypeError: the gap is a number"):
        program.evaluate("p@3")


def test_integers_of_numpy_are_integers():
    answers = run(lambda stream, time, n: horae.Substream(np.int64(0), np.int64(3)))  # type: ignore[arg-type]
    assert [answer["predicate"] for answer in answers] == ["a"]


def test_registration():
    with pytest.raises(TypeError, match="needs functions"):
        horae.register_window("mine", 5, parameters=("n",))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a list of names"):
        horae.register_window("mine", lambda *_: horae.Substream(0, 1), parameters="n")


def test_the_helpers_of_lars_have_a_home():
    assert horae.lars.register_window is horae.register_window
    assert (horae.lars.Stream, horae.lars.Substream) == (horae.Stream, horae.Substream)
