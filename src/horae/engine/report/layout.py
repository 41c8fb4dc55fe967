"""Places for the boxes, labels and links of a small graph, from left to right by layers.

Graphviz would do this, but it is no Python package and few machines have it. The method is the
classical one: longest-path layers, crossings reduced by barycentres, places by least squares. A
label is an item of a layer of its own between the boxes, so that labels cannot overlap.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise

_SWEEPS = 12
_COLUMN_GAP = 26.0
_ROW_GAP = 18.0
_PORT_GAP, _PORT_SPAN = 9.0, 28.0


@dataclass(frozen=True, slots=True)
class BoxSize:
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Arc:
    """A link between two different boxes with the size of its label, from left to right."""

    left: str
    right: str
    label: BoxSize


@dataclass(frozen=True, slots=True)
class Spot:
    """The middle of an item."""

    x: float
    y: float
    size: BoxSize


@dataclass(frozen=True, slots=True)
class Path:
    """Where an arc passes, from its left box to its right one, and the place of its label."""

    places: tuple[Spot, ...]
    label: Spot


@dataclass(frozen=True, slots=True)
class Drawing:
    boxes: dict[str, Spot]
    routes: tuple[Path, ...]  # one per arc
    size: BoxSize


@dataclass(slots=True)
class _Item:
    column: int
    size: BoxSize
    y: float = 0.0
    before: list[_Item] = field(default_factory=list, repr=False)
    after: list[_Item] = field(default_factory=list, repr=False)


def lay_out_boxes(sizes: dict[str, BoxSize], arcs: tuple[Arc, ...]) -> Drawing:
    """`sizes` has all boxes, in the order in which equal ones should stand."""
    if not sizes:
        return Drawing({}, (), BoxSize(0, 0))
    layers = _layers(tuple(sizes), [(a.left, a.right) for a in arcs])
    boxes = {name: _Item(2 * layers[name], size) for name, size in sizes.items()}
    chains = [_chain(boxes, arc) for arc in arcs]
    columns = _columns([*boxes.values(), *(i for chain in chains for i in chain[1:-1])])
    _reduce_crossings(columns)
    _spread(columns)
    return _finish(boxes, chains, _grid(columns))


def order_acyclic(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """The pairs that close a cycle on a depth-first walk: drawn the other way round."""
    following: dict[str, list[str]] = {name: [] for name in names}
    for left, right in pairs:
        following[left].append(right)
    done: set[str] = set()
    closing: set[tuple[str, str]] = set()

    def visit(name: str, path: frozenset[str]) -> None:
        for other in following[name]:
            if other in path:
                closing.add((name, other))
            elif other not in done:
                visit(other, path | {other})
        done.add(name)

    for name in following:
        if name not in done:
            visit(name, frozenset((name,)))
    return closing


def _layers(names: tuple[str, ...], pairs: list[tuple[str, str]]) -> dict[str, int]:
    """The longest path from the left; as many rounds as boxes reach it without cycles."""
    layers = {name: 0 for name in names}
    for _ in names:
        for left, right in pairs:
            layers[right] = max(layers[right], layers[left] + 1)
    return layers


def _chain(boxes: dict[str, _Item], arc: Arc) -> list[_Item]:
    """The boxes of an arc with an item in every column between; the last of these is its label."""
    first, last = boxes[arc.left], boxes[arc.right]
    bends = [_Item(c, BoxSize(0, 0)) for c in range(first.column + 1, last.column - 1)]
    chain = [first, *bends, _Item(last.column - 1, arc.label), last]
    for one, next_one in pairwise(chain):
        one.after.append(next_one)
        next_one.before.append(one)
    return chain


def _columns(items: list[_Item]) -> list[list[_Item]]:
    columns: list[list[_Item]] = [[] for _ in range(max(i.column for i in items) + 1)]
    for item in items:
        columns[item.column].append(item)
    return columns


def _reduce_crossings(columns: list[list[_Item]]) -> None:
    """Each item moves to the mean rank of its neighbours, sweeping to and fro."""
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        for column in columns if forward else reversed(columns):
            ranks = {id(i): float(r) for c in columns for r, i in enumerate(c)}
            means = {
                id(i): _mean(
                    [ranks[id(n)] for n in (i.before if forward else i.after)], ranks[id(i)]
                )
                for i in column
            }
            column.sort(key=lambda item: means[id(item)])


def _mean(numbers: list[float], otherwise: float) -> float:
    return sum(numbers) / len(numbers) if numbers else otherwise


def _spread(columns: list[list[_Item]]) -> None:
    """Each item as close as possible to the mean of its neighbours, without overlaps."""
    for column in columns:
        _place_column(column, [0.0 for _ in column])
    for sweep in range(_SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            wishes = [_mean([n.y for n in (*i.before, *i.after)], i.y) for i in column]
            _place_column(column, wishes)


def _place_column(column: list[_Item], wishes: list[float]) -> None:
    """Least squares under "each below the one before": items that would overlap form a block."""
    offsets = [0.0]
    for upper, lower in pairwise(column):
        distance = (upper.size.height + lower.size.height) / 2 + _ROW_GAP
        offsets.append(offsets[-1] + distance)
    blocks: list[tuple[float, int]] = []  # the sum of shifted wishes, and their number
    for wish, offset in zip(wishes, offsets, strict=False):
        block = (wish - offset, 1)
        while blocks and blocks[-1][0] / blocks[-1][1] > block[0] / block[1]:
            block = (block[0] + blocks[-1][0], block[1] + blocks.pop()[1])
        blocks.append(block)
    starts = [total / count for total, count in blocks for _ in range(count)]
    for item, start, offset in zip(column, starts, offsets, strict=False):
        item.y = start + offset


@dataclass(frozen=True, slots=True)
class _Grid:
    """The middle and the width of each column, and where the picture begins at the top."""

    middles: list[float]
    widths: list[float]
    top: float

    def place(self, item: _Item) -> Spot:
        return Spot(self.middles[item.column], item.y - self.top, item.size)

    def passage(self, item: _Item) -> Spot:
        """As wide as the column: an arc passes what else stands there straight on."""
        size = BoxSize(self.widths[item.column], item.size.height)
        return replace(self.place(item), size=size)


def _grid(columns: list[list[_Item]]) -> _Grid:
    widths = [max((i.size.width for i in column), default=0.0) for column in columns]
    middles, edge = [], 0.0
    for width in widths:
        middles.append(edge + width / 2)
        edge += width + _COLUMN_GAP
    top = min(i.y - i.size.height / 2 for column in columns for i in column)
    return _Grid(middles, widths, top)


def _finish(boxes: dict[str, _Item], chains: list[list[_Item]], grid: _Grid) -> Drawing:
    named = {name: grid.place(item) for name, item in boxes.items()}
    routes = tuple(_route(chain, grid) for chain in chains)
    places = [*named.values(), *(p for route in routes for p in route.places)]
    height = max(p.y + p.size.height / 2 for p in places)
    return Drawing(named, routes, BoxSize(grid.middles[-1] + grid.widths[-1] / 2, height))


def _route(chain: list[_Item], grid: _Grid) -> Path:
    """Arcs that meet at a side of a box keep a little apart there, in the order of their bends."""
    first, last = grid.place(chain[0]), grid.place(chain[-1])
    first = replace(first, y=first.y + _port(chain[0].after, chain[1]))
    last = replace(last, y=last.y + _port(chain[-1].before, chain[-2]))
    between = (grid.passage(item) for item in chain[1:-1])
    return Path((first, *between, last), grid.place(chain[-2]))


def _port(neighbours: list[_Item], neighbour: _Item) -> float:
    by_height = sorted(neighbours, key=lambda item: item.y)
    rank = next(i for i, item in enumerate(by_height) if item is neighbour)
    middle = (len(by_height) - 1) / 2
    return (rank - middle) * min(_PORT_GAP, _PORT_SPAN / max(len(by_height) - 1, 1))
