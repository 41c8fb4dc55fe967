"""What can be wrong with the names and windows of a query: CQL020 to CQL039."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from horae.frontend.catalogue_syntax import error
from horae.languages.cql.syntax.catalogue_sql import NAME_FOR_TEXT
from horae.source.diagnostic import Diagnostic, Label
from horae.source.messages import ProgramMessage
from horae.source.suggest import did_you_mean
from horae.source.text import Span

# --- 02x: names


def unknown_source(name: str, span: Span, known: Iterable[str]) -> Diagnostic:
    known = list(known)
    example = f"`REGISTER STREAM {name}(column type, …);` or `REGISTER RELATION {name}(…);`"
    return error(
        "CQL020",
        f"there is no stream, relation or query `{name}`",
        span,
        note=f"known are {_listed(known)}" if known else "nothing is registered",
        help=did_you_mean(name, known) or f"declare it: {example}",
    )


def unknown_column(
    name: str, span: Span, columns: Sequence[str], *, is_output: bool = False
) -> Diagnostic:
    """`is_output`: an output of the same SELECT has the name."""
    note = f"`{name}` names an output; the columns of FROM are {_listed(columns)}"
    help = "write the expression of the output again, or nest the query in FROM"
    return error(
        "CQL021",
        f"there is no column `{name}`",
        span,
        note=note if is_output else f"the columns are {_listed(columns)}",
        help=help if is_output else did_you_mean(name, columns),
    )


def quoted_text(name: str, span: Span, columns: Sequence[str]) -> Diagnostic:
    """Text in double quotes, as other languages have it."""
    return NAME_FOR_TEXT(span, name=name, columns=_listed(columns))


def unknown_column_of(name: str, source: str, span: Span, columns: Sequence[str]) -> Diagnostic:
    return error(
        "CQL021",
        f"`{source}` has no column `{name}`",
        span,
        note=f"its columns are {_listed(columns)}",
        help=did_you_mean(name, columns),
    )


def ambiguous_column(name: str, span: Span, places: Sequence[tuple[str, Span]]) -> Diagnostic:
    """`places`: the elements of FROM that have the column."""
    labels = [Label(place, f"`{source}` has a column `{name}`") for source, place in places]
    choices = " or ".join(f"`{source}.{name}`" for source, _ in places)
    return error(
        "CQL022",
        f"`{name}` may mean several columns",
        span,
        labels=labels,
        note="the same name in two elements of FROM is not a join",
        help=f"write {choices}",
    )


def column_twice(name: str, source: str, span: Span, place: Span) -> Diagnostic:
    return error(
        "CQL022",
        f"`{source}` has several columns `{name}`",
        span,
        labels=(Label(place, f"`{source}` stands here"),),
        help=f"give its columns names of their own: `SELECT x AS {name}_2`",
    )


def alias_twice(name: str, span: Span, first: Span) -> Diagnostic:
    return error(
        "CQL023",
        f"two elements of FROM are called `{name}`",
        span,
        labels=(Label(first, "the first one"),),
        help=f"give one another name: `AS {name}_2`",
    )


def registered_twice(name: str, span: Span, first: Span) -> Diagnostic:
    return error(
        "CQL024",
        f"`{name}` is registered twice",
        span,
        labels=(Label(first, "first here"),),
        note="names are the same in any case",
    )


def query_twice(name: str, span: Span, first: Span) -> Diagnostic:
    return error(
        "CQL024",
        f"two queries are called `{name}`",
        span,
        labels=(Label(first, "the first one"),),
        note="names are the same in any case; a query without a name is called `q1`, `q2`, … "
        "by its place",
    )


def query_named_as_input(name: str, span: Span, first: Span) -> Diagnostic:
    return error(
        "CQL024",
        f"`{name}` is registered as an input, and cannot name a query",
        span,
        labels=(Label(first, "registered here"),),
    )


READS_ITSELF = ProgramMessage(
    "CQL025", "the query `{name}` reads itself", note="a query may read earlier queries only"
)


def reads_later(name: str, span: Span, later: Span) -> Diagnostic:
    return error(
        "CQL025",
        f"the query `{name}` comes later",
        span,
        labels=(Label(later, "defined here"),),
        note="a query may read earlier queries only",
        help=f"move `{name}` before this query",
    )


def attribute_twice(name: str, span: Span, first: Span) -> Diagnostic:
    return error(
        "CQL026",
        f"two columns are called `{name}`",
        span,
        labels=(Label(first, "the first one"),),
    )


def unknown_alias(name: str, span: Span, aliases: Sequence[str], *, hidden: str = "") -> Diagnostic:
    """`hidden`: the other name under which FROM has it."""
    help = f"FROM calls it `{hidden}`" if hidden else did_you_mean(name, aliases)
    return error(
        "CQL027",
        f"FROM has no element `{name}`",
        span,
        note=f"its elements are {_listed(aliases)}",
        help=help,
    )


def circular_definition(name: str, span: Span, places: Sequence[tuple[str, Span]]) -> Diagnostic:
    labels = [Label(place, f"`{other}` is defined here") for other, place in places]
    return error(
        "CQL028",
        f"`{name}` is defined by itself",
        span,
        labels=labels,
        note="a name that is no column is defined by `name = …` in WHERE",
    )


def unused_definition(name: str, span: Span, columns: Sequence[str]) -> Diagnostic:
    return error(
        "CQL029",
        f"`{name}` is no column, and nothing uses it",
        span,
        note=f"`{name} = …` in WHERE defines `{name}`; the columns are {_listed(columns)}",
        help=did_you_mean(name, columns) or f"`*` does not contain it; write `SELECT {name}`",
    )


# --- 03x: windows


MISSING_WINDOW = ProgramMessage(
    "CQL030",
    "the stream `{name}` has no window",
    caption="which of its rows?",
    help=(
        "write `{name} [RANGE n]`, `{name} [NOW]`, `{name} [ROWS n]` or, for all rows, "
        "`{name} [RANGE UNBOUNDED]`"
    ),
)


WINDOW_ON_RELATION = ProgramMessage(
    "CQL031",
    "`{name}` is a relation, and its rows have no times",
    caption="a window",
    help="leave the window out, or register it: `REGISTER STREAM {name}(…)`",
)


def slide_beyond_range(length: int, slide: int, span: Span) -> Diagnostic:
    return error(
        "CQL032",
        f"SLIDE {slide} is greater than RANGE {length}",
        span,
        note="rows between two windows would never be seen",
        help=f"write `[RANGE {max(length, slide)} SLIDE {slide}]` or a smaller SLIDE",
    )


def unknown_partition(name: str, source: str, span: Span, columns: Sequence[str]) -> Diagnostic:
    return error(
        "CQL033",
        f"`{source}` has no column `{name}` to partition by",
        span,
        note=f"its columns are {_listed(columns)}",
        help=did_you_mean(name, columns),
    )


AMBIGUOUS_PARTITION = ProgramMessage("CQL033", "`{source}` has several columns `{name}`")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in dict.fromkeys(names))
