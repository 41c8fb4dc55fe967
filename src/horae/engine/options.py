"""The options of a run: each is said once, by the language that has it.

A language has one frozen dataclass of options, derived from `RunOptions`. Its fields are made by
`option`, which says what an option is for and how a value of it is read. Python and the command line
read values with the same functions, so they refuse them with the same words.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Self

from horae.data.clock import DECIMALS, Clock
from horae.data.durations import read_duration, whole_points
from horae.data.numbers import show
from horae.data.time_points import AtEvents, EvaluationTimes, read_evaluation_times, write_at
from horae.source.suggest import did_you_mean

Reader = Callable[[str, Any], object]
"""From the name of an option and what was written for it; a `ValueError` says what is wrong."""
PointReader = Callable[[str, Any, str], object]
"""The same for times and durations that become time points of a precision."""

UNITS = "|".join(DECIMALS)


class OptionError(ValueError):
    """An option that cannot be as it was given. `name` is its field."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name}: {problem}")
        self.name = name
        self.problem = problem


class Scope(StrEnum):
    """The runs in which an option has an effect."""

    ALL = "all"
    STREAMS = "streams"
    SPARK = "Spark"


@dataclass(frozen=True, slots=True)
class Option:
    """What is known of an option besides its name, its type and its default.

    `purpose` completes "this option is for …" and is its help. `shown` is the default as users write
    it. An option with `values` is one of them. A `flag` takes no value on the command line: its
    presence is this one.
    """

    purpose: str
    read: Reader
    metavar: str | None = None
    shown: str | None = None
    values: tuple[str, ...] = ()
    flag: bool | None = None
    scope: Scope = Scope.ALL


def option(
    default: object,
    purpose: str,
    read: Reader,
    *,
    metavar: str | None = None,
    shown: str | None = None,
    scope: Scope = Scope.ALL,
) -> Any:
    """A field with a value of its own."""
    return _field(default, Option(purpose, read, metavar, shown, scope=scope))


def choice(default: StrEnum, purpose: str, *, scope: Scope = Scope.ALL) -> Any:
    """A field that is one of the values of an enum."""
    kind = type(default)

    def read(name: str, written: object) -> StrEnum:
        return kind(read_value(name, written, tuple(kind)))

    return _field(
        default, Option(purpose, read, shown=default.value, values=tuple(kind), scope=scope)
    )


def flag(default: bool | None, purpose: str, *, sets: bool = True, scope: Scope = Scope.ALL) -> Any:
    """A field that is true or false; the flag of the command line sets it to `sets`."""
    return _field(default, Option(purpose, read_truth, flag=sets, scope=scope))


def _field(default: object, about: Option) -> Any:
    return field(default=default, metadata={Option: about})


def options_of(cls: type[RunOptions]) -> dict[str, Option]:
    """All that a language has, by name, in the order of the class."""
    return {item.name: _about(item) for item in fields(cls)}


def _about(item: Field[Any]) -> Option:
    about = item.metadata[Option]
    assert isinstance(about, Option), "fields are made by `option`, `choice` and `flag`"
    return about


# --- how values are read


def read_name(name: str, written: object) -> str:
    """The name of a column."""
    if not isinstance(written, str) or not written:
        raise OptionError(name, f"`{show(written)}` is not the name of a column")
    return written


def read_names(name: str, written: str | Sequence[str]) -> tuple[str, ...]:
    """`a,b` or a list."""
    names = written.split(",") if isinstance(written, str) else written
    return tuple(read_name(name, item) for item in names)


def read_truth(name: str, written: object) -> bool:
    if not isinstance(written, bool):
        raise OptionError(name, f"`{show(written)}` is neither True nor False")
    return written


def read_delimiter(name: str, written: object) -> str:
    """One character; `tab` for a tab."""
    found = {"tab": "\t", "\\t": "\t"}.get(written, written) if isinstance(written, str) else ""
    if len(found) != 1 or not found.isascii() or found.isalnum() or found in "\"'\n\r .-+_":
        raise OptionError(name, f"`{show(written)}` does not stand between cells; `;` or `tab` do")
    return found


def read_count(name: str, written: object) -> int:
    """A number of things, at least one."""
    if not isinstance(written, int) or isinstance(written, bool) or written < 1:
        raise OptionError(name, f"`{show(written)}` is not a number of at least 1")
    return written


def read_value(name: str, written: object, known: Sequence[str]) -> str:
    """One of those that are known."""
    if not isinstance(written, str) or written not in known:
        raise OptionError(name, f"`{show(written)}` is not one of {', '.join(known)}")
    return written


def read_unit(name: str, written: object) -> str:
    """A unit of time, or a precision."""
    return read_value(name, written, tuple(DECIMALS))


# --- what all languages have


class BadRows(StrEnum):
    """What becomes of rows of a stream that cannot be read."""

    FAIL = "fail"
    KEEP = "keep"


def lateness(read: Reader) -> Any:
    """`lateness: Fraction`."""
    return option(
        Fraction(0),
        "how long rows may come after later ones",
        read,
        metavar="D",
        shown="0 s",
        scope=Scope.STREAMS,
    )


def idle(read: Reader) -> Any:
    """`idle: Fraction | None`; None: the others always wait."""
    return option(
        None,
        "how far an input may fall behind before the others stop waiting for it",
        read,
        metavar="D",
        scope=Scope.STREAMS,
    )


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What every language can be told about a run."""

    time: str | None = option(
        None, "the time column", read_name, metavar="COL", shown="the timeinput, or `time`"
    )
    time_unit: str | None = option(
        None, "what numbers in the time column count", read_unit, metavar=UNITS, shown="s"
    )
    delimiter: str = option(
        ",", "what stands between the cells of CSV files", read_delimiter, metavar="CHAR", shown=","
    )
    strict: bool = flag(False, "warnings about the input are errors")
    only: tuple[str, ...] | None = option(
        None, "the names of the outputs that are answered", read_names, metavar="NAME,..."
    )
    shards: int | None = option(
        None,
        "into how many parts work is cut",
        read_count,
        metavar="N",
        shown="two per core",
        scope=Scope.SPARK,
    )
    lateness: Fraction = lateness(read_duration)
    idle: Fraction | None = idle(read_duration)
    bad_rows: BadRows = choice(
        BadRows.FAIL, "whether rows that cannot be read end the run", scope=Scope.STREAMS
    )

    @classmethod
    def read(cls, given: Mapping[str, object]) -> Self:
        """From what users write; None is what was not given."""
        known = options_of(cls)
        for name in given:
            if name not in known:
                guess = did_you_mean(name, known) or f"They are {', '.join(known)}."
                raise TypeError(f"`{name}` is not an option of this language. {guess}")
        readers = {name: about.read for name, about in known.items()} | cls.readers(given)
        values = {
            name: _read(readers[name], name, written)
            for name, written in given.items()
            if written is not None
        }
        return cls(**values)  # type: ignore[arg-type]

    @classmethod
    def readers(cls, given: Mapping[str, object]) -> dict[str, Reader]:
        """How options are read that depend on others."""
        return {}

    @property
    def clock(self) -> Clock:
        """How the times of the input are read."""
        return Clock(self.time_unit)

    def fitted(self, given: Mapping[str, object]) -> dict[str, object]:
        """What was given, without what a program has been fitted to already."""
        return {name: value for name, value in given.items() if name != "time_unit"}

    @property
    def time_column(self) -> str:
        """The column of the time: `time` unless another is named."""
        return self.time or "time"

    def check_only(self, known: Collection[str]) -> None:
        """Refuse what is no output of the program."""
        for name in self.only or ():
            if name not in known:
                guess = did_you_mean(name, known) or f"they are {', '.join(known)}"
                raise OptionError("only", f"`{name}` is not an output of the program; {guess}")

    def check_inputs(self, inputs: Sequence[str]) -> None:
        """Refuse paths that cannot be read with these options. Languages that can say so do."""

    def changed(self, scope: Scope) -> list[str]:
        """The options of such runs that are not as they would be without a word."""
        return [
            item.name
            for item in fields(self)
            if _about(item).scope is scope and getattr(self, item.name) != item.default
        ]


def _read(read: Reader, name: str, written: object) -> object:
    try:
        return read(name, written)
    except OptionError:
        raise
    except ValueError as error:
        raise OptionError(name, str(error).removeprefix(f"{name}: ")) from None


def asked(names: Sequence[str], only: Sequence[str] | None) -> tuple[str, ...]:
    """Those that are answered, in their order."""
    return tuple(name for name in names if only is None or name in only)


# --- what several languages have


def order() -> Any:
    """`order: str | None`."""
    return option(None, "the column that orders rows of equal time", read_name, metavar="COL")


def at(read: Callable[[Any], object], default: object, *, shown: str) -> Any:
    """`at`; what a time is depends on the language."""
    return option(
        default,
        "the times to answer at",
        lambda _, written: read(written),
        metavar="events|all|every N|T1,T2,…",
        shown=shown,
    )


def horizon(read: Callable[[Any], object]) -> Any:
    """`horizon`; None: there is no end."""
    return option(
        None, "the time up to which rules derive", lambda _, written: read(written), metavar="T"
    )


def read_points(name: str, written: str | float | Fraction, precision: str = "s") -> Fraction:
    """A duration in time points."""
    return Fraction(whole_points(name, written, precision))


@dataclass(frozen=True, kw_only=True)
class PointOptions(RunOptions):
    """Of a language that is evaluated at time points, which are whole numbers.

    `precision` is the size of a time point. Times and durations are counted in them.
    """

    order: str | None = order()
    time_unit: str | None = option(
        None, "what numbers in the time column count", read_unit, metavar=UNITS, shown="precision"
    )
    precision: str = option("s", "the size of a time point", read_unit, metavar=UNITS, shown="s")
    at: EvaluationTimes = at(read_evaluation_times, AtEvents(), shown="events")
    lateness: Fraction = lateness(read_points)
    idle: Fraction | None = idle(read_points)

    in_points: ClassVar[dict[str, PointReader]] = {
        "at": lambda _, written, precision: read_evaluation_times(written, precision),
        "lateness": read_points,
        "idle": read_points,
    }

    @classmethod
    def readers(cls, given: Mapping[str, object]) -> dict[str, Reader]:
        precision = read_unit("precision", given.get("precision") or "s")
        return {
            name: partial(_at_precision, read, precision) for name, read in cls.in_points.items()
        }

    @property
    def clock(self) -> Clock:
        return Clock(self.time_unit, self.precision, natural=True)

    def fitted(self, given: Mapping[str, object]) -> dict[str, object]:
        """Times and durations are numbers of time points."""
        rest = {n: v for n, v in given.items() if n not in ("time_unit", "precision")}
        counted = {name: getattr(self, name) for name in self.in_points if rest.get(name)}
        return rest | counted | ({"at": write_at(self.at)} if "at" in counted else {})


def _at_precision(read: PointReader, precision: str, name: str, written: object) -> object:
    return read(name, written, precision)
