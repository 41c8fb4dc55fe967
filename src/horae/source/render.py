"""A diagnostic as people read it (with the source line and carets) and as programs read it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby

from horae.source.annotations import Annotation, Paint, PrintedRow, mark_line, mark_lines
from horae.source.diagnostic import Diagnostic, Severity
from horae.source.text import Source, Span

_PLAIN = Paint({})
_COLORS = Paint(
    {
        "error": "\x1b[1;31m",
        "warning": "\x1b[1;33m",
        "label": "\x1b[1;34m",
        "gutter": "\x1b[1;34m",
        "title": "\x1b[1m",
        "help": "\x1b[1;36m",
    }
)


def render(diagnostic: Diagnostic, source: Source, color: bool = False) -> str:
    """The text of one diagnostic, without a line end after its last line."""
    paint = _COLORS if color else _PLAIN
    rows = _rows(diagnostic, source, paint)
    width = max(len(str(row.number)) for row in rows if row.number is not None)
    bar = _gutter("", width, paint)
    lines = [_title(diagnostic, paint), _place(diagnostic, source, width, paint), bar]
    lines += [_gutter_row(row, width, paint) for row in rows]
    lines += _remarks(diagnostic, width, paint)
    return "\n".join(line.rstrip() for line in lines)


def to_dict(diagnostic: Diagnostic, source: Source) -> dict[str, object]:
    """The same as data; lines and columns count from 1, the end is exclusive."""
    return {
        "file": source.name,
        **_span_dict(diagnostic.span, source),
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "caption": diagnostic.caption,
        "labels": [
            {**_span_dict(label.span, source), "text": label.text} for label in diagnostic.labels
        ],
        "note": diagnostic.note,
        "help": diagnostic.help,
    }


def to_json(diagnostics: Iterable[Diagnostic], source: Source) -> str:
    """A JSON array with one object per diagnostic."""
    rows = [to_dict(diagnostic, source) for diagnostic in diagnostics]
    return json.dumps(rows, ensure_ascii=False, indent=2)


# --- the frame


def _title(diagnostic: Diagnostic, paint: Paint) -> str:
    head = paint(diagnostic.severity.value, f"{diagnostic.severity.value}[{diagnostic.code}]")
    return head + paint("title", f": {diagnostic.message}")


def _place(diagnostic: Diagnostic, source: Source, width: int, paint: Paint) -> str:
    place = source.position(diagnostic.span.start)
    arrow = paint("gutter", " " * width + "-->")
    return f"{arrow} {source.name}:{place.line}:{place.column}"


def _gutter(number: str, width: int, paint: Paint) -> str:
    return paint("gutter", f"{number:>{width}} |")


def _gutter_row(row: PrintedRow, width: int, paint: Paint) -> str:
    if row.is_gap:
        return paint("gutter", "...")
    number = "" if row.number is None else str(row.number)
    return f"{_gutter(number, width, paint)} {row.text}"


def _remarks(diagnostic: Diagnostic, width: int, paint: Paint) -> list[str]:
    kinds = (("note", diagnostic.note), ("help", diagnostic.help))
    remarks = [
        f"{paint('gutter', ' ' * width + ' =')} {paint('help', kind)}: {_indented(text, width)}"
        for kind, text in kinds
        if text
    ]
    return [_gutter("", width, paint), *remarks] if remarks else []


def _indented(text: str, width: int) -> str:
    return text.replace("\n", "\n" + " " * (width + len(" = note: ")))


# --- the marked source lines


def _rows(diagnostic: Diagnostic, source: Source, paint: Paint) -> list[PrintedRow]:
    """The marked lines in source order; left out lines show as a gap."""
    rows: list[PrintedRow] = []
    previous: int | None = None
    for first, last, block in _blocks(diagnostic, source, paint):
        if previous is not None and first == previous + 2:
            rows.append(PrintedRow.source_line(source, first - 1))
        elif previous is not None and first > previous + 1:
            rows.append(PrintedRow.gap())
        rows += block
        previous = last
    return rows


def _blocks(
    diagnostic: Diagnostic, source: Source, paint: Paint
) -> list[tuple[int, int, list[PrintedRow]]]:
    annotations = sorted(_annotations(diagnostic, source), key=lambda a: (a.first, a.last))
    single = [a for a in annotations if not a.is_multiline]
    blocks = [
        (line, line, mark_line(source, line, list(group), paint))
        for line, group in groupby(single, key=lambda a: a.first)
    ]
    blocks += [
        (a.first, a.last, mark_lines(source, a, paint)) for a in annotations if a.is_multiline
    ]
    return sorted(blocks, key=lambda block: block[:2])


def _annotations(diagnostic: Diagnostic, source: Source) -> list[Annotation]:
    style = "error" if diagnostic.severity is Severity.ERROR else "warning"
    primary = Annotation.of(source, diagnostic.span, diagnostic.caption, "^", style)
    others = [Annotation.of(source, x.span, x.text, "-", "label") for x in diagnostic.labels]
    return [primary, *others]


def _span_dict(span: Span, source: Source) -> dict[str, object]:
    start, end = source.position(span.start), source.position(span.end)
    return {
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
    }
