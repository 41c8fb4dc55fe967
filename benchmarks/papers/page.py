"""The parts of a page of the documentation that show results: tables, plots, and their commands.

    python -m benchmarks.papers.page [--docs docs]

makes them again from the file of results, without running anything. What is said about them stands in
the page itself.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert
from benchmarks.papers import plots, tables
from benchmarks.papers.results import Experiment, load_results

PAGE, FOLDER, RESULTS = "benchmarks.md", "benchmarks", "papers.json"
"""In the folder of the documentation; plots and results are in `FOLDER`."""


@dataclass(frozen=True)
class Show:
    """How an experiment is shown; `part` is what the command calls it."""

    part: str
    title: str
    table: Callable[[Any], str]
    plot: Callable[[Any], alt.HConcatChart]


SHOWS = {
    "rates": Show("rates", "rates of events", tables.rates_table, plots.rates_plot),
    "lengths": Show("rates", "lengths of traces", tables.lengths_table, plots.lengths_plot),
    "products": Show("products", "numbers of products", tables.products_table, plots.products_plot),
    "datalogmtl": Show(
        "rules", "DatalogMTL beside MeTeoR", tables.datalogmtl_table, plots.datalogmtl_plot
    ),
    "lars": Show("rules", "LARS beside clingo", tables.lars_table, plots.lars_plot),
}


def write_page(docs: Path) -> None:
    """Each experiment has its marks in the page, and its plot in the folder."""
    page = docs / PAGE
    text = page.read_text(encoding="utf-8")
    for name, made in load_results(docs / FOLDER / RESULTS):
        svg = svg_of(SHOWS[name].plot(made.rows))
        _plot(docs, name).write_text(svg, encoding="utf-8")
        text = between_marks(text, name, text_of(name, made))
    page.write_text(text, encoding="utf-8")


def svg_of(chart: alt.HConcatChart) -> str:
    return vl_convert.vegalite_to_svg(chart.to_json())


def _plot(docs: Path, name: str) -> Path:
    return docs / FOLDER / f"papers-{name}.svg"


def text_of(name: str, made: Experiment) -> str:
    show = SHOWS[name]
    command = f"    $ python -m benchmarks.papers --only {show.part}     # {made.machine}"
    plot = f"![{show.title}]({_plot(Path(), name).as_posix()})"
    return f"{command}\n\n{show.table(made.rows)}\n{plot}"


def between_marks(page: str, name: str, text: str) -> str:
    """`<!-- papers: rates -->` and `<!-- end of papers: rates -->`."""
    marks = f"<!-- papers: {name} -->", f"<!-- end of papers: {name} -->"
    before, begin, rest = page.partition(marks[0])
    _, end, after = rest.partition(marks[1])
    if not (begin and end):
        raise ValueError(f"the page has no marks {' and '.join(marks)}")
    return f"{before}{begin}\n\n{text}\n\n{end}{after}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--docs", type=Path, default=Path("docs"))
    write_page(parser.parse_args().docs)


if __name__ == "__main__":
    main()
