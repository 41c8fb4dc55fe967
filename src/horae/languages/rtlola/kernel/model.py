"""What a loop is made of: families, rates, windows, lags, rings, operators over instances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from horae.frontend.graph import reachable
from horae.languages.rtlola.kernel.families import Family, find_families
from horae.languages.rtlola.plan.stages import Joined
from horae.languages.rtlola.program import (
    Aggregation,
    Always,
    BuiltinAggregation,
    Expression,
    Follows,
    Hold,
    Offset,
    Output,
    Pace,
    Periodic,
    Program,
    Quantified,
    TimeOffset,
    When,
    Window,
    walk,
)

# Offsets up to this are kept in rings, whose size does not depend on the data.
_DEEPEST_RING = 64


@dataclass(frozen=True, slots=True)
class WindowUse:
    """A window kept on its target; readers with the same duration, rate and aggregation share it."""

    name: str
    target: str
    seconds: Fraction
    aggregation: Aggregation
    pane: Fraction | None  # the reader's period, where panes are enough

    @property
    def is_histogram(self) -> bool:
        aggregation = self.aggregation
        return isinstance(aggregation, BuiltinAggregation) and aggregation.argument is not None


@dataclass(frozen=True, slots=True)
class LagUse:
    """What a past real-time offset needs: the values of the last `seconds`, and one before."""

    name: str
    target: str
    seconds: Fraction
    pane: Fraction | None


@dataclass(frozen=True, slots=True)
class BacklogUse:
    """An offset that counts `depth` values back, more than a ring holds."""

    name: str
    target: str
    depth: int


@dataclass(frozen=True, slots=True)
class QuantifiedUse:
    """An operator over instances. `simple`: it can be kept up to date slot by slot.

    `family` is empty where the instances live in other shards. `period` is that of the templates,
    where they are extended at ticks.
    """

    name: str
    node: Quantified
    family: str
    simple: bool
    period: Fraction | None


@dataclass(frozen=True)
class Model:
    program: Program
    families: dict[str, Family]
    family_of: dict[str, Family]
    rates: tuple[Fraction, ...]
    windows: dict[str, tuple[WindowUse, ...]]  # by target
    lags: dict[str, tuple[LagUse, ...]]
    rings: dict[str, int]  # by target: how many earlier values
    backlogs: dict[str, tuple[BacklogUse, ...]]
    quantified: tuple[QuantifiedUse, ...]
    lookahead: frozenset[str]  # streams that somebody reads in the future

    def window(self, node: Window, reader: Output | None) -> WindowUse:
        uses = self.windows[node.target.stream]
        wanted = (node.seconds, _window_key(node.aggregation), _pane(node, reader))
        return next(u for u in uses if (u.seconds, _window_key(u.aggregation), u.pane) == wanted)

    def lag(self, node: TimeOffset, reader: Output | None) -> LagUse:
        wanted = (-node.seconds, _reader_period(reader))
        return next(u for u in self.lags[node.target.stream] if (u.seconds, u.pane) == wanted)

    def backlog(self, node: Offset) -> BacklogUse:
        return next(u for u in self.backlogs[node.target.stream] if u.depth == -node.offset)

    def target_of(self, pool: str) -> str:
        """The stream whose values a window, lag or backlog keeps in this pool."""
        uses: list[WindowUse | LagUse | BacklogUse]
        uses = [u for of in self.windows.values() for u in of]
        uses += [u for of in self.lags.values() for u in of]
        uses += [u for of in self.backlogs.values() for u in of]
        return next(u.target for u in uses if pool in (u.name, f"{u.name}h"))

    def over(self, node: Quantified) -> QuantifiedUse:
        return next(u for u in self.quantified if u.node == node)


def build_model(program: Program, joined: tuple[Joined, ...] = ()) -> Model:
    """`joined` are the operators that this program exports to, or imports from, other shards."""
    families, family_of = find_families(program)
    windows: dict[str, list[WindowUse]] = {}
    lags: dict[str, list[LagUse]] = {}
    rings: dict[str, int] = {}
    backlogs: dict[str, list[BacklogUse]] = {}
    quantified = [_over_use(j.node, i, family_of, j.period) for i, j in enumerate(joined)]
    ahead: set[str] = set()
    for reader, expression in readings(program):
        for node in walk(expression):
            match node:
                case Window():
                    _note_window(windows, node, reader)
                case TimeOffset(target=target, seconds=seconds) if seconds < 0:
                    _note_lag(lags, target.stream, -seconds, _reader_period(reader))
                case TimeOffset(target=target, seconds=seconds) if seconds > 0:
                    ahead.add(target.stream)
                case Offset(target=target, offset=offset) if offset < -_DEEPEST_RING:
                    _note_backlog(backlogs, target.stream, -offset)
                case Offset(target=target, offset=offset) if offset < 0:
                    rings[target.stream] = max(rings.get(target.stream, 0), -offset)
                case Offset(target=target):
                    ahead.add(target.stream)
                case Quantified() if all(u.node != node for u in quantified):
                    quantified.append(_own_over(program, node, len(quantified), family_of))
                case _:
                    pass
    return Model(
        program,
        families,
        family_of,
        _rates(program, quantified),
        {k: tuple(v) for k, v in windows.items()},
        {k: tuple(v) for k, v in lags.items()},
        rings,
        {k: tuple(v) for k, v in backlogs.items()},
        tuple(quantified),
        frozenset(ahead),
    )


def readings(program: Program) -> list[tuple[Output | None, Expression]]:
    """Every expression of the program with the output whose pace it is evaluated at.

    Conditions are evaluated at their own pace, triggers too: their reader is None.
    """
    found: list[tuple[Output | None, Expression]] = []
    for output in program.outputs:
        found.append((output, output.expression))
        if isinstance(output.pace, When):
            found.append((None, output.pace.condition))
        if isinstance(output.template.terminate, When):
            found.append((None, output.template.terminate.condition))
    found.extend((None, trigger.condition) for trigger in program.triggers)
    return found


def _reader_period(reader: Output | None) -> Fraction | None:
    if reader is not None and isinstance(reader.pace, Periodic):
        return reader.pace.period
    return None


def _pane(node: Window, reader: Output | None) -> Fraction | None:
    """Panes serve fixed-rate readers of aggregations that can be combined."""
    aggregation = node.aggregation
    if isinstance(aggregation, BuiltinAggregation) and (
        aggregation.argument is not None or aggregation.name in ("median", "percentile")
    ):
        return None
    return _reader_period(reader)


def _window_key(aggregation: Aggregation) -> object:
    """`count(v)` shares one histogram whatever the v."""
    if isinstance(aggregation, BuiltinAggregation) and aggregation.argument is not None:
        return ("histogram",)
    return aggregation


def _note_window(windows: dict[str, list[WindowUse]], node: Window, reader: Output | None) -> None:
    uses = windows.setdefault(node.target.stream, [])
    pane = _pane(node, reader)
    key = _window_key(node.aggregation)
    if any(
        (u.seconds, _window_key(u.aggregation), u.pane) == (node.seconds, key, pane) for u in uses
    ):
        return
    name = f"w{sum(map(len, windows.values()))}"
    uses.append(WindowUse(name, node.target.stream, node.seconds, node.aggregation, pane))


def _note_lag(
    lags: dict[str, list[LagUse]], target: str, seconds: Fraction, pane: Fraction | None
) -> None:
    uses = lags.setdefault(target, [])
    if any((u.seconds, u.pane) == (seconds, pane) for u in uses):
        return
    uses.append(LagUse(f"l{sum(map(len, lags.values()))}", target, seconds, pane))


def _note_backlog(backlogs: dict[str, list[BacklogUse]], target: str, depth: int) -> None:
    uses = backlogs.setdefault(target, [])
    if all(use.depth != depth for use in uses):
        uses.append(BacklogUse(f"b{sum(map(len, backlogs.values()))}", target, depth))


def _own_over(
    program: Program, node: Quantified, number: int, family_of: dict[str, Family]
) -> QuantifiedUse:
    paces = [program.output(t).pace for t in node.templates]
    period = next((p.period for p in paces if isinstance(p, Periodic)), None)
    return _over_use(node, number, family_of, period)


def _over_use(
    node: Quantified, number: int, family_of: dict[str, Family], period: Fraction | None
) -> QuantifiedUse:
    families = {family_of[t].name for t in node.templates if t in family_of}
    own_latest = node.condition is None or reads_own_latest(node.condition)
    return QuantifiedUse(
        f"v{number}",
        node,
        min(families, default=""),
        len(families) <= 1 and own_latest,
        period,
    )


def reads_own_latest(condition: Expression) -> bool:
    """Only latest values of the instance itself: nothing that changes without an extension."""
    for node in walk(condition):
        if isinstance(node, Hold):
            if not node.target.every_instance:
                return False
        elif isinstance(node, Offset | TimeOffset | Window | Quantified):
            return False
    return True


def _rates(program: Program, quantified: list[QuantifiedUse]) -> tuple[Fraction, ...]:
    """The periods of all clocks; those of instances in other shards tick here too."""
    periods = {o.pace.period for o in program.outputs if isinstance(o.pace, Periodic)}
    periods |= {use.period for use in quantified if use.period is not None}
    periods |= {
        o.template.terminate.period
        for o in program.outputs
        if isinstance(o.template.terminate, Periodic)
    }
    return tuple(sorted(periods | set(program.ticks)))


def tick_driven(program: Program, joined: tuple[Joined, ...] = ()) -> frozenset[str]:
    """The outputs that can be extended at a tick."""
    clocked = {t for j in joined if j.period is not None for t in j.node.templates}
    own = {o.name for o in program.outputs}
    at_ticks = [o.name for o in program.outputs if isinstance(o.pace, Periodic | Always)]
    followers: dict[str, list[str]] = {}
    for output in program.outputs:
        for stream in _decides(output.pace):
            followers.setdefault(stream, []).append(output.name)
    graph = {name: followers.get(name, []) for name in {*own, *clocked}}
    return frozenset(reachable(graph, [*at_ticks, *clocked])) & own


def _decides(pace: Pace) -> Iterator[str]:
    """The streams whose extension can extend an output of this pace."""
    match pace:
        case When(condition=condition):
            yield from _streams_in(condition)
        case Follows(accesses=followed):
            for access in followed:
                yield from _streams_in(access)
        case Periodic() | Always():
            pass


def _streams_in(expression: Expression) -> Iterator[str]:
    for node in walk(expression):
        match node:
            case Hold() | Offset() | TimeOffset() | Window():
                yield node.target.stream
            case Quantified(templates=templates):
                yield from templates
            case _:
                pass
