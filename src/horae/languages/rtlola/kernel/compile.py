"""From generated source to a callable: compiled by numba once per machine, or plain Python.

The source is written to a cache directory under a name made from its content, so that numba finds
its own compiled form again, in this process or in any other.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from horae.languages.rtlola.kernel import order_trees, runtime
from horae.languages.rtlola.kernel.source import LoopSource
from horae.source.cache import cache_directory, store

Loop = Callable[..., int]

# So many rows and answers take the plain loop about as long as numba takes to compile a small one.
_WORTH_COMPILING = 20_000


class Work:
    """What one loop did in this process, in all kernels that run it: a task may have many small ones."""

    def __init__(self) -> None:
        self.done = 0  # rows read and answers given

    def repays_compiling(self, waiting: int) -> bool:
        """Whether that, and so many rows more, repay the seconds that compiling costs."""
        return self.done + waiting >= _WORTH_COMPILING


@lru_cache(maxsize=256)
def work_of(text: str) -> Work:
    """That of the loop with this source."""
    return Work()


# Numba takes about a minute for so many lines, and for twice as many much more than twice as long.
_LONGEST = 4_000


def are_too_long(loops: Sequence[LoopSource]) -> bool:
    """Whether loops are better run as plain Python, however many rows there are."""
    return sum(loop.text.count("\n") for loop in loops) > _LONGEST


@lru_cache(maxsize=256)
def compile_loop(text: str) -> Loop:
    """The loop as machine code."""
    import numba

    module = _load(_store(text))
    return numba.njit(cache=True, nogil=True, error_model="numpy")(module.loop)


@lru_cache(maxsize=256)
def interpret_loop(text: str) -> Loop:
    """The same loop as plain Python: slow, and easy to step through."""
    names: dict[str, Any] = {}
    exec(compile(text, "<generated loop>", "exec"), names)
    for name, function in {**vars(runtime), **vars(order_trees)}.items():
        if hasattr(function, "py_func"):
            names[name] = function.py_func
    return names["loop"]  # type: ignore[no-any-return]


def _store(text: str) -> Path:
    """Write the source unless it is there."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:24]
    directory = _usable(cache_directory())
    path = directory / f"loop_{digest}.py"
    if not path.exists():
        store(path, text.encode())
    return path


def _usable(directory: Path) -> Path:
    """The directory, or one for temporary files where a home cannot be written to."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        probe, name = tempfile.mkstemp(dir=directory)
        os.close(probe)
        Path(name).unlink()
        return directory
    except OSError:
        fallback = Path(tempfile.gettempdir()) / f"horae-{os.getuid()}"
        fallback.mkdir(mode=0o700, exist_ok=True)
        return fallback


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # numba's cache finds the module of a function by its name
    spec.loader.exec_module(module)
    return module
