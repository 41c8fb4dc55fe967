"""Machine code that is loaded, or compiled, in a thread of its own while the input is read.

To load numba and the code of a loop takes about as long as Arrow takes to read some millions of rows,
and Arrow needs no Python for that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Thread

from horae.data.file_places import current_places
from horae.data.files import files_at
from horae.languages.rtlola.kernel.kernel import RTLolaKernel
from horae.languages.rtlola.live.program import LiveRTLola

_LARGE = 1 << 22  # bytes; files of that size have more rows than a plain loop would run over


@contextmanager
def loading_ahead(program: LiveRTLola, paths: Sequence[str]) -> Iterator[None]:
    """Where the files are large. Whoever leaves the block in peace finds the code there."""
    if _size(paths) < _LARGE:
        yield
        return
    thread = Thread(target=_load, args=(program,))
    thread.start()
    yield
    thread.join()


def _size(paths: Sequence[str]) -> int:
    places = current_places()
    files = (file for path in paths for file in files_at(places, path))
    return sum(places.size(str(file)) for file in files)


def _load(program: LiveRTLola) -> None:
    """Run each loop over nothing. What goes wrong does so again where it can be told."""
    with suppress(Exception):
        for part in program.parts:
            RTLolaKernel(part.program, part.options, compiled=True).finish(-1)
