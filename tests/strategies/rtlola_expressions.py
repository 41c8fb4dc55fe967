"""Random expressions of RTLola as text, typed so that nearly all of them check.

A `double` comes in two grades. The values of an *exact* one are small multiples of a power of two, so
sums are exact in any order and comparisons cannot depend on rounding. A *rough* one (means, roots)
is only ever read by other rough ones, and never aggregated or compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

INT, EXACT, ROUGH, BOOL, STRING = "int", "exact", "rough", "bool", "string"

DURATIONS = ("0.5 s", "1 s", "2 s", "3 s", "5s", "500 ms", "0.05 min")
_ARGUMENTS = {INT: ("a", "b", "0", "1"), STRING: ("s", '"u"')}
_DEFAULTS = {INT: ("0", "-1", "7"), EXACT: ("0.0", "0", "2.5"), BOOL: ("true", "false")}
_DEFAULTS |= {ROUGH: ("0.0", "1"), STRING: ('""', '"u"')}
_RELATIONS = ("=", "==", "!=", "<", "<=", ">", ">=")

_USER = {"spread": (EXACT, EXACT), "tally": (INT, INT), "drift": (INT, INT)}


@dataclass(frozen=True)
class Stream:
    """A declared stream. `index` is -1 for an input, else the place among the outputs.

    The pace and the lives of a `plain` one depend on inputs only: earlier outputs may read its past.
    Two `partner`s read each other, the first one the past of the second one.
    """

    name: str
    kind: str
    parameters: tuple[str, ...] = ()
    index: int = -1
    plain: bool = True
    partner: str = ""


@dataclass(frozen=True)
class Place:
    """Where an expression stands: which output, and its parameters by name."""

    index: int
    parameters: tuple[tuple[str, str], ...] = ()


class Expressions:
    """Expressions for one place, from the streams that may be read there."""

    def __init__(self, rng: Random, streams: Sequence[Stream], place: Place, own: set[str]):
        self.rng = rng
        self.place = place
        self.known = [s for s in streams if s.index < place.index]
        self.later = [s for s in streams if s.index >= place.index and s.plain]
        self.aggregations = own  # the user-defined aggregations that are declared

    def of(self, kind: str, depth: int) -> str:
        if depth > 0 and self.rng.random() < 0.2:
            return self._window(kind)
        return {
            INT: self.integer,
            EXACT: self.exact,
            ROUGH: self.rough,
            BOOL: self.boolean,
            STRING: self.text,
        }[kind](depth)

    # --- kinds

    def integer(self, depth: int) -> str:
        if depth == 0 or self.rng.random() < 0.35:
            return self._leaf(INT)
        e = self.integer(depth - 1)
        return self._pick(
            lambda: f"{e} {self._pick('+', '-')} {self.integer(depth - 1)}",
            lambda: f"({e}) * {self.rng.randint(-2, 3)}",
            lambda: self._division(e, depth),
            lambda: f"({e}) % {self.rng.choice((2, 3, 7))}",
            lambda: f"(({e}) % 5) ^ {self.rng.randint(0, 3)}",
            lambda: f"(if {self.boolean(depth - 1)} then {e} else {self.integer(depth - 1)})",
            lambda: f"{self._pick('min', 'max')}({e}, {self.integer(depth - 1)})",
            lambda: f"abs({e})",
            lambda: f"{self._pick('floor', 'ceil', 'round', 'int')}({self.exact(depth - 1)})",
            lambda: f"length({self.text(depth - 1)})",
            lambda: f"int({self.boolean(depth - 1)})",
            lambda: self._window(INT),
            lambda: self._window(INT),
            self._over_count,
        )

    def exact(self, depth: int) -> str:
        if depth == 0 or self.rng.random() < 0.35:
            return self._leaf(EXACT)
        e = self.exact(depth - 1)
        return self._pick(
            lambda: f"{e} {self._pick('+', '-')} {self.exact(depth - 1)}",
            lambda: f"({e}) * {self._pick('0.5', '-1', '2')}",
            lambda: f"({e}) / {self._pick('2', '4.0')}",
            lambda: f"{e} + {self.integer(depth - 1)}",
            lambda: f"(if {self.boolean(depth - 1)} then {e} else {self.exact(depth - 1)})",
            lambda: f"{self._pick('min', 'max')}({e}, {self.exact(depth - 1)})",
            lambda: f"abs({e})",
            lambda: f"double({self.integer(depth - 1)})",
            lambda: self._window(EXACT),
            lambda: self._window(EXACT),
        )

    def rough(self, depth: int) -> str:
        if depth == 0 or self.rng.random() < 0.35:
            return self._pick(lambda: self._leaf(ROUGH), lambda: self._window(ROUGH))
        e = self.exact(depth - 1)
        return self._pick(
            lambda: self._window(ROUGH),
            lambda: f"{self.rough(depth - 1)} {self._pick('+', '-')} {e}",
            lambda: f"({e}) / {self._pick('3', '7.0')}",
            lambda: f"sin({e})",
            lambda: f"cos({e})",
            lambda: f"sqrt(abs({e}))",
            lambda: f"log(abs({e}) + 1.0)",
            lambda: f"exp(({e}) % 4.0)",
            lambda: f"(abs({e}) % 3.0) ^ 1.5",
            lambda: f"tan(({e}) % 1.0)",
        )

    def boolean(self, depth: int) -> str:
        if depth == 0 or self.rng.random() < 0.2:
            return self._leaf(BOOL)
        kind = self.rng.choice((INT, INT, EXACT, STRING))
        compared = f"{self.of(kind, depth - 1)} {self.rng.choice(_RELATIONS)} {self._leaf(kind)}"
        return self._pick(
            lambda: f"({compared})",
            lambda: f"({compared})",
            lambda: (
                f"(({compared}) {self._pick('and', 'or', '&&', '∨')} {self.boolean(depth - 1)})"
            ),
            lambda: f"not ({self.boolean(depth - 1)})",
            lambda: f'{self._pick("contains", "matches")}({self.text(0)}, "[uv]")',
            lambda: self._window(BOOL),
            lambda: self.over() or f"({compared})",
        )

    def text(self, depth: int) -> str:
        if depth == 0 or self.rng.random() < 0.6:
            return self._leaf(STRING)
        return self._pick(
            lambda: f"string({self.integer(depth - 1)})",
            lambda: f"string({self.boolean(0)})",
            lambda: f"(if {self.boolean(depth - 1)} then {self.text(0)} else {self.text(0)})",
            lambda: self._window(STRING),
        )

    # --- leaves

    def _leaf(self, kind: str) -> str:
        options: list[Callable[[], str]] = [lambda: self._constant(kind)]
        readable = [s for s in self.known if s.kind == kind]
        if readable:
            options += [lambda: self._access(self.rng.choice(readable))] * 6
        ahead = [s for s in self.later if s.kind == kind]
        if ahead and self.rng.random() < 0.4:
            options += [lambda: self._past(self.rng.choice(ahead))] * 6
        parameters = [name for name, type in self.place.parameters if type == kind]
        if parameters:
            options += [lambda: self.rng.choice(parameters)] * 2
        return self._pick(*options)

    def _constant(self, kind: str) -> str:
        return self.rng.choice(
            {
                INT: ("0", "1", "2", "3"),
                EXACT: ("0.5", "1.0", "-2.25", "3.0"),
                ROUGH: ("1.0", "0.1"),
                BOOL: ("true", "false"),
                STRING: ('"u"', '"v"', '"w1"'),
            }[kind]
        )

    # --- accesses

    def _reference(self, stream: Stream) -> str:
        own = tuple(type for _, type in self.place.parameters)
        if not stream.parameters or (stream.parameters == own and self.rng.random() < 0.3):
            return stream.name
        return f"{stream.name}({', '.join(self._argument(t) for t in stream.parameters)})"

    def _argument(self, type: str) -> str:
        same = [name for name, other in self.place.parameters if other == type]
        if same and self.rng.random() < 0.85:
            return self.rng.choice(same)
        return self.rng.choice(_ARGUMENTS[type])

    def _default(self, kind: str) -> str:
        return self.rng.choice(_DEFAULTS[kind])

    def _access(self, stream: Stream) -> str:
        target, default = self._reference(stream), self._default(stream.kind)
        duration = self.rng.choice(DURATIONS)
        roll = self.rng.random()
        if roll < 0.33:
            return target
        if roll < 0.5:
            return f"{target}[0, {default}]"
        if roll < 0.77:
            return self._past(stream)
        if roll < 0.89:
            return f"{target}[{self.rng.randint(1, 2)}, {default}]"
        return f"{target}[{duration}, {default}]"

    def _past(self, stream: Stream) -> str:
        target, default = self._reference(stream), self._default(stream.kind)
        if self.rng.random() < 0.6:
            return f"{target}[{self.rng.randint(-3, -1)}, {default}]"
        return f"{target}[-{self.rng.choice(DURATIONS)}, {default}]"

    # --- windows

    def _window(self, kind: str) -> str:
        """First the aggregation, then a stream for it: the rare ones should not be rare."""
        options: dict[str, list[tuple[Stream, str]]] = {}
        for stream in self.known:
            for aggregation in self._aggregations(stream, kind):
                options.setdefault(aggregation[:7], []).append((stream, aggregation))
        if not options:
            return self._constant(kind)
        names = sorted(options) + sorted(self.aggregations & options.keys()) * 2
        stream, aggregation = self.rng.choice(options[self.rng.choice(names)])
        parts = [self._default(kind), aggregation]
        if self.rng.random() < 0.3:
            parts.reverse()
        duration = self.rng.choice(DURATIONS)
        return f"{self._reference(stream)}[{duration}, {', '.join(parts)}]"

    def _aggregations(self, stream: Stream, kind: str) -> list[str]:
        """The aggregations of the stream's values that give the kind."""
        found: list[str] = []
        if kind == stream.kind and kind != ROUGH:
            found += ["first", "last"]
        if kind == stream.kind and kind in (INT, EXACT):
            found += ["sum", "min", "max"]
        if kind == INT and stream.kind != ROUGH:
            found += ["count", self._count_of(stream)]
        if kind == INT and stream.name == "k":
            found.append("product")
        if kind == BOOL == stream.kind:
            found += ["any", "all", "exists", "forall"]
        if kind == EXACT and stream.kind in (INT, EXACT):
            found += ["integral", "median", "percentile(25)"]
        if kind == ROUGH and stream.kind in (INT, EXACT):
            found += ["avg", "average", "variance", "stddev", "percentile(90)"]
        if kind == ROUGH and stream.kind == EXACT and stream.index < 0:
            found.append("product")
        found += [name for name in sorted(self.aggregations) if _USER[name] == (stream.kind, kind)]
        return found

    def _count_of(self, stream: Stream) -> str:
        parameters = [name for name, type in self.place.parameters if type == stream.kind]
        if parameters and self.rng.random() < 0.8:
            return f"count({self.rng.choice(parameters)})"
        return f"count({self._constant(stream.kind)})"

    # --- over instances

    def over(self) -> str | None:
        """A condition over the instances of templates that are known here."""
        templates = [s for s in self.known if s.parameters and s.kind in (INT, EXACT)]
        if not templates:
            return None
        first = self.rng.choice(templates)
        same = [s for s in templates if s.parameters == first.parameters and s.kind == first.kind]
        right = self._pick(lambda: self._constant(first.kind), lambda: self.rng.choice(same).name)
        left = first.name
        if self.rng.random() < 0.2:
            left += self._pick("[-1, 0]", "[2 s, 0, count]")
        condition = f"{left} {self.rng.choice(('>', '<', '=', '!='))} {right}"
        return self._pick(
            f"any({condition})",
            f"all({condition})",
            f"count({condition}) > {self.rng.randint(0, 1)}",
            f"count({first.name}) > {self.rng.randint(0, 2)}",
        )

    def _over_count(self) -> str:
        templates = [s.name for s in self.known if s.parameters]
        return f"count({self.rng.choice(templates)})" if templates else self._window(INT)

    # --- choices

    def _division(self, e: str, depth: int) -> str:
        divisor = self._leaf(INT)
        if self.rng.random() < 0.02:
            return f"({e}) / ({divisor})"
        return f"(if {divisor} != 0 then ({e}) / ({divisor}) else 0)"

    def _pick(self, *options: str | Callable[[], str]) -> str:
        """One of the options; a function among them is called."""
        chosen = self.rng.choice(options)
        return chosen if isinstance(chosen, str) else chosen()
