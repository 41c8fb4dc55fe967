"""The report for a notebook: the same sections as the text, with a picture where there is one.

Colours come from the page (`currentColor`, `inherit`), so that it reads in light and in dark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from horae.engine.report.sections import Entry, Finding, Section, Table, TableColumn

_STYLE = """
.horae-report { font-family: system-ui, sans-serif; line-height: 1.45; max-width: 70em; }
.horae-report h4 { margin: 1.2em 0 .4em; font-size: 1.05em; }
.horae-report table { border-collapse: collapse; font-size: .92em; background: none; }
.horae-report th, .horae-report td { padding: .15em .9em .15em 0; text-align: left;
  border: 0; border-bottom: 1px solid color-mix(in srgb, currentColor 18%, transparent); }
.horae-report th { font-weight: 600; opacity: .7; }
.horae-report .number { text-align: right; font-variant-numeric: tabular-nums; }
.horae-report .remedy { opacity: .8; }
.horae-report dl { display: grid; grid-template-columns: max-content auto; gap: .1em .9em;
  margin: .2em 0 .8em 1em; }
.horae-report dt { opacity: .7; }
.horae-report dd { margin: 0; }
.horae-report pre { margin: 0 0 .8em 1em; background: none; color: inherit; white-space: pre-wrap; }
.horae-report svg { max-width: 100%; height: auto; }
"""


def sections_to_html(name: str, sections: Iterable[Section], picture: str = "") -> str:
    """`picture` is what stands below the sections, as SVG."""
    content = "".join(_section(section) for section in sections)
    return (
        f'<div class="horae-report"><style>{_STYLE}</style><strong>{escape(name)}</strong>'
        f"{content}{picture}</div>"
    )


def _section(section: Section) -> str:
    parts = [f"<h4>{escape(section.title)}</h4>"]
    parts += [_finding(finding) for finding in section.findings]
    if section.table is not None:
        parts.append(_table(section.table))
    parts += [f"<p>{_prose(line)}</p>" for line in section.lines]
    parts += [_entry(entry) for entry in section.entries]
    return "".join(parts)


def _entry(entry: Entry) -> str:
    points = "".join(
        f"<dt>{escape(label)}</dt><dd>{_prose(text)}</dd>" for label, text in entry.points
    )
    steps = f"<pre>{escape(chr(10).join(entry.steps))}</pre>" if entry.steps else ""
    return f"<div>{_prose(entry.title)}</div><dl>{points}</dl>{steps}"


def _finding(finding: Finding) -> str:
    remedy = (
        f'<br><span class="remedy">→ {_prose(finding.remedy)}.</span>' if finding.remedy else ""
    )
    construct = f"<code>{escape(finding.construct)}</code>"
    return f"<p>{escape(finding.place)} {construct}: {_prose(finding.text)}.{remedy}</p>"


def _prose(text: str) -> str:
    """Text with `code` in it."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))


def _table(table: Table) -> str:
    head = "".join(_cell("th", column, escape(column.title)) for column in table.columns)
    rows = "".join(
        f"<tr>{''.join(_cell('td', c, _prose(v)) for c, v in zip(table.columns, r, strict=True))}</tr>"
        for r in table.rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cell(tag: str, column: TableColumn, content: str) -> str:
    return (
        f'<{tag} class="number">{content}</{tag}>'
        if column.numeric
        else f"<{tag}>{content}</{tag}>"
    )
