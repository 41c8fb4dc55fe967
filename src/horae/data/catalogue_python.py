"""Messages about what a Python program gives to `evaluate` and `answers`."""

from __future__ import annotations

from horae.data.catalogue import MALFORMED_ROW
from horae.source.errors import InputError

_TABLES = "a pandas, polars or Arrow table"
EVENTS = f"a list of dicts, one per event, {_TABLES}, or the path of a file"
FACTS = (
    'the text of a `.facts` file, a list of facts such as `("p", ["a"], 3)`, '
    "a dict of tables by name, or the path of a file"
)


def wrong_inputs(found: object, expected: str) -> InputError:
    """Nothing that `evaluate` can read."""
    return InputError(
        "INP100", f"`evaluate` takes {expected}, not {describe_object(found)}", help=_help(found)
    )


def _help(found: object) -> str:
    if describe_object(found) == _SPARK:
        return "`answers` takes the DataFrames of Spark"
    if isinstance(found, dict):
        return "a specification reads one table: give that table, or a list with a dict per event"
    return ""


def not_an_event(index: int, found: object) -> InputError:
    return MALFORMED_ROW(
        problem=f"an event must be a dict, not {describe_object(found)}",
        remedy='such as {"time": 3, "a": 1}: the time, and a key per input that has a value',
        row=index + 1,
    )


def nameless_table(found: object, names: list[str]) -> InputError:
    example = names[0] if names else "p"
    return InputError(
        "INP101",
        f"{describe_object(found)} does not tell whose rows it holds",
        help=f"give it with a name, as in {{{example!r}: table}}",
    )


def wrong_table(name: str, found: object) -> InputError:
    return InputError(
        "INP101",
        f"`evaluate` takes {_TABLES}, a list of dicts, or a path for `{name}`, "
        f"not {describe_object(found)}",
        help=_help(found),
    )


def unreadable_table(reason: str) -> InputError:
    return InputError(
        "INP102",
        f"the table cannot be read: {reason}",
        help="all values of a column must be of one type",
    )


def not_a_frame(found: object, name: str | None = None) -> InputError:
    of = "" if name is None else f" for `{name}`"
    return InputError(
        "INP103",
        f"`answers` takes a DataFrame of Spark{of}, not {describe_object(found)}",
        help="`evaluate` takes tables of pandas, polars and Arrow; "
        "`spark.createDataFrame` makes a DataFrame of one",
    )


def nameless_frame(found: object, names: list[str]) -> InputError:
    example = names[0] if names else "p"
    what = "an empty dict" if isinstance(found, dict) else describe_object(found)
    return InputError(
        "INP104",
        f"`answers` takes a dict of DataFrames by name, not {what}",
        help=f"give each its name, as in {{{example!r}: frame}}",
    )


_SPARK = "a DataFrame of Spark"


def describe_object(found: object) -> str:
    """What a value is, in words: by its type, and where that comes from if it is not Python's own."""
    kind = type(found)
    library, name = kind.__module__.partition(".")[0], kind.__name__
    if found is None:
        return "None"
    if library == "builtins":
        return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
    return _SPARK if library == "pyspark" and name == "DataFrame" else f"a {name} of {library}"
