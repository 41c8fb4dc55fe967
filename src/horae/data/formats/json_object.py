"""One line of JSON Lines as a dict; what is wrong with it is an error with its row."""

from __future__ import annotations

import json
from collections.abc import Callable

from horae.data import catalogue
from horae.data.layout import Place
from horae.source.text import is_unicode


class _TwiceError(Exception):
    """A key that an object has twice: one value would take the place of the other."""


def parse_object(
    line: str,
    index: int,
    place: Place,
    help: str,
    parse_float: Callable[[str], object] | None = None,
) -> dict[str, object]:
    """`index` counts the rows of the input from 0; `help` shows how a line looks."""
    try:
        row = json.loads(line, parse_float=parse_float, object_pairs_hook=_once_each)
    except _TwiceError as twice:
        problem = f"the line has the key `{twice}` twice"
        raise catalogue.malformed_row(place, index, problem, help) from None
    except json.JSONDecodeError:
        raise catalogue.malformed_row(place, index, "the line is not JSON", help) from None
    except (ValueError, ArithmeticError, RecursionError):
        problem = "the line has a number of thousands of digits, or a list that is nested too deep"
        raise catalogue.malformed_row(place, index, problem, help) from None
    if not isinstance(row, dict):
        raise catalogue.malformed_row(place, index, "the line is not a JSON object", help)
    if not all(map(is_unicode, row)):
        raise catalogue.malformed_row(place, index, "a key of the line is no text", help)
    return row


def _once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for name in names if names.count(name) > 1))
    return found
