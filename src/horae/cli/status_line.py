"""One line about a running stream, as wide as the terminal.

batch 7 · 1,234 events/s · lag 5 s · state 12 values, 3.4 KiB (bound 8.0 KiB) · 2 late · 0 bad
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

    from horae.spark.streaming.snapshot import Snapshot

_SPINNER = 3  # columns that it takes, with the space after it and the last one
_SEPARATOR = " · "
_LETTERS = (("G", 10**9), ("M", 10**6), ("k", 10**3))
_SIZES = ("B", "KiB", "MiB", "GiB", "TiB")


@dataclass(frozen=True)
class StatusLine:
    """Shows what it is told; without a terminal, nothing."""

    live: Live | None = None
    text: Text | None = None

    def show(self, snapshot: Snapshot, resolution: int) -> None:
        if self.live is not None and self.text is not None and snapshot.batch is not None:
            width = self.live.console.width - _SPINNER
            self.text.plain = status_text(snapshot, resolution, width)

    def aside(self) -> AbstractContextManager[None]:
        """While something else is written to the terminal."""
        return nullcontext() if self.live is None else _paused(self.live)


@contextmanager
def status_line(*, visible: bool) -> Iterator[StatusLine]:
    """A line on stderr; stdout has the answers, and is never touched."""
    if not visible:
        yield StatusLine()
        return
    from rich.console import Console
    from rich.live import Live
    from rich.spinner import Spinner
    from rich.text import Text

    text = Text("waiting for input", no_wrap=True, overflow="ellipsis")
    with Live(
        Spinner("dots", text),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    ) as live:
        yield StatusLine(live, text)


@contextmanager
def _paused(live: Live) -> Iterator[None]:
    live.stop()
    try:
        yield
    finally:
        live.start()


# --- the text


def status_text(snapshot: Snapshot, resolution: int, width: int) -> str:
    """The state of a stream in full words, or in short ones, or what fits of those."""
    text = _SEPARATOR.join(_long(snapshot, resolution))
    if len(text) <= width:
        return text
    text = _SEPARATOR.join(_short(snapshot, resolution))
    return text if len(text) <= width else text[: max(width - 1, 0)] + "…"


def _long(snapshot: Snapshot, resolution: int) -> list[str]:
    values = f"{snapshot.state_values:,} values{_bound(snapshot.values_bound, '{:,}'.format)}"
    memory = f"{size(snapshot.state_bytes)}{_bound(snapshot.bytes_bound, size)}"
    return [
        f"batch {snapshot.batch}",
        f"{snapshot.events_per_second:,.0f} events/s",
        *_lag(snapshot, resolution),
        f"state {values}, {memory}",
        f"{snapshot.late:,} late",
        f"{snapshot.bad:,} bad",
    ]


def _short(snapshot: Snapshot, resolution: int) -> list[str]:
    """The state is the last to be seen, beside its bound."""
    values, memory = snapshot.values_bound, snapshot.bytes_bound
    return [
        f"#{snapshot.batch}",
        f"{brief(snapshot.events_per_second)}/s",
        *_lag(snapshot, resolution),
        f"{brief(snapshot.late)} late",
        f"{brief(snapshot.bad)} bad",
        f"{brief(snapshot.state_values)}{'' if values is None else '/' + brief(values)} values",
        f"{size(snapshot.state_bytes)}{'' if memory is None else '/' + size(memory)}",
    ]


def _bound(bound: int | None, written: Callable[[int], str]) -> str:
    return "" if bound is None else f" (bound {written(bound)})"


def _lag(snapshot: Snapshot, resolution: int) -> list[str]:
    """Behind the clock where times are dates, else behind the greatest time of the input."""
    if snapshot.clock_lag is not None:
        return [f"lag {short_duration(snapshot.clock_lag)}"]
    return [] if snapshot.lag is None else [f"lag {short_duration(snapshot.lag / resolution)}"]


def short_duration(seconds: float) -> str:
    if seconds >= 7200:
        return f"{seconds / 3600:,.1f} h"
    return f"{seconds:,.0f} s" if seconds >= 10 else f"{seconds:.2g} s"


def size(count: float) -> str:
    power = 0
    while count >= 1024 and power < len(_SIZES) - 1:
        count, power = count / 1024, power + 1
    return f"{count:,.1f} {_SIZES[power]}" if power else f"{count:,.0f} B"


def brief(count: float) -> str:
    """Three digits of large numbers: 12,345 as 12.3k."""
    if count < 10**4:
        return f"{count:,.0f}"
    letter, unit = next((letter, unit) for letter, unit in _LETTERS if count >= unit)
    return f"{count / unit:.3g}{letter}"
