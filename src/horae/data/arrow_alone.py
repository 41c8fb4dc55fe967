"""Arrow without pandas, in a process that runs nobody else's code."""

from __future__ import annotations

import sys


def leave_pandas_out() -> None:
    """Let Arrow find no pandas: it loads it for its first array, half a second for nothing here.

    Arrow looks for it once; from then on it takes a `Series` for any other sequence. So this is for a
    process of our own, in which nobody has one.
    """
    if "pandas" in sys.modules:
        return
    import pyarrow as pa

    sys.meta_path.insert(0, _NoPandas)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(_NoPandas)


class _NoPandas:
    """A finder of modules that says that there is none."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name)
