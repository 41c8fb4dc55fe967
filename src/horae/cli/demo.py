"""`horae demo`: a monitor on Spark over sample data, from the specification to the alarms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from horae.cli.answers import ShownAnswer
from horae.cli.process import leave_pandas_out
from horae.cli.run_options import Engine
from horae.cli.specs import load_program
from horae.examples import example

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Alarm:
    """A stretch of notifications for one product: from the first to the last of them."""

    product: int
    first: float
    last: float
    peak: int
    count: int


def demo(
    engine: Annotated[
        Engine, typer.Option(help="local runs the same kernels in process, without a JVM.")
    ] = Engine.SPARK,
) -> None:
    """Watch the sales of an online shop: a monitor over sample data."""
    from rich.console import Console  # here: `horae --help` names this command too

    console = Console(highlight=False)
    spec, sales = example("shop.lola"), example("shop.csv")
    _introduce(console, spec.read_text(encoding="utf-8"))
    program = load_program(str(spec))
    leave_pandas_out()
    with console.status(f"Running it on {engine} over {sales.name} …"):
        found = program.run_files([str(sales)], engine=engine.value, time="ts")
        answers: list[Any] = list(found)
    _conclude(console, answers)
    console.print("\nThe same by hand, with every answer as a line of JSON:\n")
    console.print(f"  horae run {spec} --input {sales} --time ts", soft_wrap=True)


def _introduce(console: Console, text: str) -> None:
    from rich.padding import Padding
    from rich.syntax import Syntax

    console.print("A specification: streams over events, and a trigger.\n")
    console.print(
        Padding(Syntax(text.strip(), "rust", background_color="default", word_wrap=True), (0, 2))
    )
    console.print(
        "\nEach sale of the morning is a row of shop.csv: a time and a product. Every product"
        " gets a stream of its own, which counts the sales of the last hour whenever the"
        " product is sold. The trigger notifies at every sale while any product is above 100.\n"
    )


def _conclude(console: Console, answers: list[ShownAnswer]) -> None:
    values = [answer for answer in answers if "stream" in answer]
    notifications = len(answers) - len(values)
    products = {tuple(_params(answer)) for answer in values}
    console.print(
        f"{len(values):,} values of {len(products)} products, {notifications:,} notifications:\n"
    )
    from rich.padding import Padding

    console.print(Padding(_table(find_alarms(values)), (0, 2)))


def find_alarms(values: Iterable[ShownAnswer]) -> list[Alarm]:
    """The products above the limit, in the order in which they passed it."""
    above: dict[int, list[tuple[float, int]]] = {}
    for answer in values:
        value = answer["value"]
        if isinstance(value, int) and value > _LIMIT:
            above.setdefault(_params(answer)[0], []).append((_time(answer), value))
    return [
        Alarm(product, hits[0][0], hits[-1][0], max(value for _, value in hits), len(hits))
        for product, hits in above.items()
    ]


def _table(alarms: list[Alarm]) -> Table:
    from rich.table import Table

    table = Table(title=f"More than {_LIMIT} sales within one hour", title_justify="left")
    for heading in ("product", "from", "to", "sales above 100", "most in one hour"):
        table.add_column(heading, justify="right")
    for alarm in alarms:
        table.add_row(
            str(alarm.product),
            _clock(alarm.first),
            _clock(alarm.last),
            str(alarm.count),
            str(alarm.peak),
        )
    return table


def _params(answer: ShownAnswer) -> list[int]:
    params = answer["params"]
    assert isinstance(params, list)
    return params


def _time(answer: ShownAnswer) -> float:
    time = answer["time"]
    assert isinstance(time, int | float)
    return float(time)


def _clock(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%H:%M:%S}"
