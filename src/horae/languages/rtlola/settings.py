"""What readers and kernels of one run take, made of its options."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pyarrow as pa

from horae.data.clock import DECIMALS, SECONDS, Clock
from horae.data.events import read_events
from horae.data.layout import Layout, Place
from horae.data.python_tables import paths_in, table_in
from horae.data.rows import clock_value, given_rows, read_rows
from horae.data.validate import in_order, validate
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.kernel.ticking import check_ticks
from horae.languages.rtlola.options import Emit
from horae.languages.rtlola.plan.timing import resolution
from horae.languages.rtlola.program import Program


class RunSettings:
    """Checked options. `options` is for kernels, `layout` for readers."""

    def __init__(
        self,
        program: Program,
        emit: str,
        origin: str | float,
        precision: str,
        order: str | None,
        yes: bool = False,
        time_unit: str | None = None,
    ) -> None:
        if precision not in DECIMALS:
            raise ValueError(f"precision must be one of {', '.join(DECIMALS)}, not `{precision}`")
        if time_unit is not None and time_unit not in DECIMALS:
            raise ValueError(f"time_unit must be one of {', '.join(DECIMALS)}, not `{time_unit}`")
        if emit not in set(Emit):
            raise ValueError(f"emit must be one of {', '.join(Emit)}, not `{emit}`")
        self.program = program
        self.order = order
        self.yes = yes
        self.unit = time_unit
        self.decimals = DECIMALS[precision]
        start = _seconds(origin)
        self.resolution = resolution(program, self.decimals, start)
        scale = self.resolution // 10**self.decimals
        self.options = Options(
            self.resolution, int(start * self.resolution), Emit(emit), scale=scale
        )

    def check_clocks(self, first: int, last: int) -> None:
        """Refuse clocks that would tick for days, unless that was confirmed; times of rows."""
        if not self.yes:
            check_ticks(self.program, self.options, first, last)

    def layout(self, time: str) -> Layout:
        inputs = tuple((i.name, i.type) for i in self.program.inputs)
        return Layout(inputs, time, self.order, self.decimals, self.unit)

    def time_of(self, given: str | None, columns: Sequence[str] | None) -> str:
        """The time column: as given, else the `timeinput`, else `time`."""
        clock = self.program.clock
        if given is not None:
            return given
        if clock is not None and (columns is None or clock.name in columns):
            return clock.name
        return "time"

    def time_of_rows(self, given: str | None, rows: list[dict[str, object]]) -> str:
        """Rows in Python have the key `time`, unless only the `timeinput` is there."""
        if given is not None or any("time" in row for row in rows):
            return given or "time"
        return self.time_of(None, None)

    def with_clock(self, rows: list[dict[str, object]], layout: Layout) -> list[dict[str, object]]:
        """A `timeinput` that has no key of its own is the time."""
        clock = self.program.clock
        if clock is None or clock.name == layout.time:
            return rows
        seconds = Clock(self.unit)
        return [{clock.name: clock_value(row.get(layout.time), seconds), **row} for row in rows]


def read_given_events(inputs: object, run: RunSettings, time: str | None) -> pa.Table:
    """The events that a Python program gives to `evaluate`."""
    paths = [inputs] if isinstance(inputs, str) else paths_in(inputs)
    if paths is not None:
        return read_events(paths, run.layout(run.time_of(time, None)))
    table = table_in(inputs)
    if table is not None:
        layout = run.layout(run.time_of(time, table.column_names))
        return in_order(validate(table, layout, Place()))
    rows = list(given_rows(inputs))
    layout = run.layout(run.time_of_rows(time, rows))
    return read_rows(run.with_clock(rows, layout), layout)


def _seconds(origin: str | float) -> Fraction:
    found = SECONDS.exact(str(origin))
    if found is None:
        raise ValueError(f"origin: `{origin}` is neither a number of seconds nor a date")
    return found
