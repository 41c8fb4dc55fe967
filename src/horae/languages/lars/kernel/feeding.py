"""All facts are there, but a kernel gets them as it goes: then it can forget, and stays small and fast.

Evaluation at t looks at facts up to t + delay. Where there is no such bound, it gets all facts first.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from horae.data.cuts import Cuts
from horae.languages.lars.kernel.facts import Encoded
from horae.languages.lars.kernel.kernel import AT_ONCE, LarsKernel
from horae.languages.lars.kernel.time_windows import FUTURE
from horae.languages.lars.kernel.tuple_windows import Log


def evaluate_over(kernel: LarsKernel, facts: Encoded, times: Cuts) -> Iterator[pa.Table]:
    """The answers at these times, ascending, in parts."""
    kernel.push(Encoded(static=facts.static))
    waiting = {n: log.take(np.argsort(log.times, kind="stable")) for n, log in facts.logs.items()}
    for start in range(0, len(times), AT_ONCE):
        part = times[start : start + AT_ONCE]
        delay = FUTURE if kernel.delay is None else kernel.delay
        until = min(int(part[-1]) + delay, FUTURE)
        due, waiting = _split(waiting, until)
        kernel.push(Encoded(logs=due))
        yield from kernel.evaluate(part)


def _split(logs: dict[str, Log], until: int) -> tuple[dict[str, Log], dict[str, Log]]:
    """What is at most at `until`, and what comes later."""
    due: dict[str, Log] = {}
    later: dict[str, Log] = {}
    for name, log in logs.items():
        end = int(np.searchsorted(log.times, until, side="right"))
        for found, rows in ((due, slice(0, end)), (later, slice(end, None))):
            part = Log(log.arguments[rows], log.times[rows], log.order[rows])
            if len(part):
                found[name] = part
    return due, later
