"""The report for a terminal: aligned tables within 100 columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from horae.engine.report.sections import Entry, Finding, Section, Table, TableColumn

_WIDTH = 100
_MARGIN = "  "


def sections_to_text(name: str, sections: Iterable[Section]) -> str:
    blocks = [name + "\n" + "═" * len(name)]
    blocks += ["\n".join(_section(section)) for section in sections]
    return "\n\n".join(blocks) + "\n"


def _section(section: Section) -> Iterator[str]:
    yield section.title
    for finding in section.findings:
        yield from _finding(finding)
    if section.table is not None:
        yield from _table(section.table)
    for line in section.lines:
        yield from _wrapped(line, _MARGIN, _MARGIN)
    for entry in section.entries:
        yield from _entry(entry)


def _entry(entry: Entry) -> Iterator[str]:
    """The labels of points stand below each other, and so does what they say."""
    yield from _wrapped(entry.title, _MARGIN, 3 * _MARGIN)
    width = max((len(label) for label, _ in entry.points), default=0)
    for label, text in entry.points:
        first = f"{2 * _MARGIN}{label:<{width}}  "
        yield from _wrapped(text, first, " " * len(first))
    for step in entry.steps:
        indent = " " * (len(step) - len(step.lstrip()))
        yield from _wrapped(step.lstrip(), 2 * _MARGIN + indent, 3 * _MARGIN + indent)


def _finding(finding: Finding) -> Iterator[str]:
    first = f"{_MARGIN}{finding.place:>5}  "
    rest = " " * len(first)
    yield from _wrapped(f"`{finding.construct}`: {finding.text}.", first, rest)
    if finding.remedy:
        yield from _wrapped(f"{finding.remedy}.", rest + "→ ", rest + "  ")


def _wrapped(text: str, first: str, rest: str) -> list[str]:
    return wrap(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _table(table: Table) -> Iterator[str]:
    """The last column is free text: it wraps inside its own width."""
    widths = [
        max(len(cell) for cell in (column.title, *(row[i] for row in table.rows)))
        for i, column in enumerate(table.columns)
    ]
    titles = tuple(column.title for column in table.columns)
    used = len(_MARGIN) + sum(width + 2 for width in widths[:-1])
    widths[-1] = min(widths[-1], max(_WIDTH - used, 10))
    yield from _row(table.columns, widths, titles)
    yield _MARGIN + "  ".join("─" * width for width in widths)
    for row in table.rows:
        yield from _row(table.columns, widths, row)


def _row(
    columns: tuple[TableColumn, ...], widths: list[int], cells: tuple[str, ...]
) -> Iterator[str]:
    last = wrap(cells[-1], widths[-1], break_on_hyphens=False) or [""]
    for number, piece in enumerate(last):
        shown = (*cells[:-1], piece) if number == 0 else (*("" for _ in cells[:-1]), piece)
        padded = (
            cell.rjust(width) if column.numeric else cell.ljust(width)
            for cell, width, column in zip(shown, widths, columns, strict=True)
        )
        yield (_MARGIN + "  ".join(padded)).rstrip()
