"""The options of `horae run`, as typer takes them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from horae.cli.answers import AnswerFormat
from horae.engine.options import BadRows
from horae.languages.lars.options import Consequences, Mode
from horae.languages.rtlola.options import Emit


class Engine(StrEnum):
    SPARK = "spark"
    LOCAL = "local"


Spec = Annotated[str, typer.Argument(metavar="SPEC", help="A specification, or - for stdin.")]

Inputs = Annotated[
    list[str],
    typer.Option(
        metavar="PATH",
        help="A .csv, .jsonl, .parquet or .orc file, directory or glob, or kafka://host:port/topic; "
        "for rules a .facts file, or PREDICATE=PATH for a table.",
    ),
]
TimeColumn = Annotated[
    str | None,
    typer.Option(metavar="COL", help="The time column [default: the timeinput, or `time`]."),
]
OrderColumn = Annotated[str | None, typer.Option(metavar="COL", help="Orders rows of equal time.")]
Columns = Annotated[
    str | None,
    typer.Option(metavar="A,B,...", help="The columns of CSV files without a header."),
]
NoHeader = Annotated[
    bool, typer.Option("--no-header", help="CSV files have no header; needs --columns.")
]
EmitOption = Annotated[Emit | None, typer.Option(help="RTLola: which answers [all].")]
Origin = Annotated[
    str | None,
    typer.Option(metavar="T", help="RTLola: rates tick at multiples counted from here [0]."),
]
Yes = Annotated[
    bool, typer.Option("--yes", help="RTLola: run also where clocks would tick very often.")
]
TimeUnit = Annotated[
    str | None,
    typer.Option(metavar="s|ms|us|ns", help="RTLola: what times that are numbers count [s]."),
]
Precision = Annotated[
    str | None,
    typer.Option(
        metavar="s|ms|us|ns",
        help="The finest difference between times of the input; for streams of DatalogMTL facts "
        "also a number, such as 1/3 [us].",
    ),
]
At = Annotated[
    str | None,
    typer.Option(metavar="TIMES", help="Rules and queries: at events, all, every N, or T1,T2,…"),
]
Strict = Annotated[bool, typer.Option("--strict", help="Warnings about the input are errors.")]
Horizon = Annotated[str | None, typer.Option(metavar="T", help="Rules: derive up to this time.")]
ModeOption = Annotated[
    Mode | None, typer.Option(help="LARS: whether earlier evaluations stay visible [stateless].")
]
ConsequencesOption = Annotated[
    Consequences | None,
    typer.Option(help="LARS: all answers, or what some or all of them have [all]."),
]
AnswerCount = Annotated[
    str | None,
    typer.Option(
        metavar="N|all",
        help="LARS: give the first N answers of each evaluation time "
        "[all; more than 10,000 only if asked for].",
    ),
]
Output = Annotated[
    Path | None, typer.Option(metavar="PATH", help="Write here instead of to stdout.")
]
FormatOption = Annotated[
    AnswerFormat | None,
    typer.Option(help="The form of the answers [by the ending of --output, else jsonl]."),
]
EngineOption = Annotated[
    Engine, typer.Option(help="local runs the same kernels in process, without a JVM.")
]
Master = Annotated[
    str | None, typer.Option(metavar="URL", help="The Spark master [default: local[*]].")
]
ShardCount = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Into how many parts work is cut.")
]
SparkConf = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=VALUE", help="A setting of Spark; may be given several times."),
]

# --- streams

Stream = Annotated[
    bool, typer.Option("--stream", help="Read files as they come, with Structured Streaming.")
]
CheckpointFolder = Annotated[
    str | None,
    typer.Option(metavar="DIR", help="Streams: go on from here after a stop or a crash."),
]
Lateness = Annotated[
    str | None,
    typer.Option(metavar="D", help="Streams: how long rows may come after later ones [0 s]."),
]
Idle = Annotated[
    str | None,
    typer.Option(
        metavar="D",
        help="Streams: how far an input may fall behind before the others stop waiting for it.",
    ),
]
Trigger = Annotated[
    str | None,
    typer.Option(
        metavar="T", help='Streams: "available" (what is there now) or every "5 seconds".'
    ),
]
Finish = Annotated[
    bool, typer.Option("--finish", help="Streams: the end of the input is the end of all.")
]
FilesPerBatch = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Streams: take at most N files at a time.")
]
BadRowsOption = Annotated[
    BadRows | None,
    typer.Option(help="Streams: whether rows that cannot be read end the run [fail]."),
]
DeadLetters = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Streams: keep late and bad rows here.")
]
MetricsPort = Annotated[
    int | None,
    typer.Option(
        min=0, max=65535, metavar="N", help="Streams: serve metrics for Prometheus on loopback."
    ),
]
