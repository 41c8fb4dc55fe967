"""What can be wrong with a live row, in words."""

from __future__ import annotations

from horae.languages.rtlola.kernel.faults import time_text
from horae.source.errors import InputError


def incomplete_row(key: str, other: str, time: int, resolution: int) -> InputError:
    return InputError(
        "INP050",
        f"a row has a value of `{key}` and none of `{other}`, which its shard would need from others",
        time=time_text(time, resolution),
        help=f"give `{other}` in every row with `{key}`, or run the program in one shard",
    )
