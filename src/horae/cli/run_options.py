"""The options of `horae run`, as typer takes them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from horae.data.endings import COMPRESSED, FACTS
from horae.data.targets import ONE_FILE


class Engine(StrEnum):
    SPARK = "spark"
    LOCAL = "local"


SPARK, STREAMS = "Spark", "Streams"  # headings of the help

SpecArgument = Annotated[
    str, typer.Argument(metavar="SPEC", help="A specification, or - for stdin.")
]

Inputs = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATH",
        help=f"A file ({', '.join(FACTS)}; text also as {' or '.join(COMPRESSED)}), a directory "
        "or glob, here or as hdfs://…, s3a://…; table:db.name of Spark's catalog; or "
        "kafka://host:port/topic; NAME=PATH for the table of a predicate, stream or relation. "
        "[required]",
    ),
]
InputFormat = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="A source of Spark that reads the inputs, such as delta, avro or jdbc; what needs no "
        "path is an --input without one, or none.",
        rich_help_panel=SPARK,
    ),
]
InputOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--input-option",
        metavar="KEY=VALUE",
        help="An option of that source; may be given several times.",
        rich_help_panel=SPARK,
    ),
]
OutputOption = Annotated[
    str | None,
    typer.Option(
        metavar="PATH",
        help="Write here instead of to stdout: one file (.jsonl, .csv, .parquet); a directory, which "
        "gets a typed table per output; table:db.name; or kafka://host:port/topic.",
    ),
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        metavar="|".join((*ONE_FILE, "orc", "…")),
        help="The form of the answers; of tables in a directory any that Spark writes "
        "[by the ending of --output; else parquet in a directory, jsonl on stdout].",
    ),
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace the tables that are in the directory.")
]
EngineOption = Annotated[
    Engine,
    typer.Option(
        help="local runs the same kernels in process, without a JVM.", rich_help_panel=SPARK
    ),
]
Master = Annotated[
    str | None,
    typer.Option(
        metavar="URL", help="The Spark master [default: local[*]].", rich_help_panel=SPARK
    ),
]
SparkConf = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE",
        help="A setting of Spark; may be given several times.",
        rich_help_panel=SPARK,
    ),
]

# --- streams

StreamOption = Annotated[
    bool,
    typer.Option(
        "--stream",
        help="Read files as they come, with Structured Streaming.",
        rich_help_panel=STREAMS,
    ),
]
CheckpointFolder = Annotated[
    str | None,
    typer.Option(
        metavar="DIR", help="Go on from here after a stop or a crash.", rich_help_panel=STREAMS
    ),
]
TriggerOption = Annotated[
    str | None,
    typer.Option(
        metavar="T",
        help='"available" (what is there now) or every "5 seconds" [available].',
        rich_help_panel=STREAMS,
    ),
]
Finish = Annotated[
    bool,
    typer.Option(
        "--finish", help="The end of the input is the end of all.", rich_help_panel=STREAMS
    ),
]
FilesPerBatch = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="N", help="Take at most N files at a time.", rich_help_panel=STREAMS
    ),
]
DeadLetters = Annotated[
    str | None,
    typer.Option(metavar="DIR", help="Keep late and bad rows here.", rich_help_panel=STREAMS),
]
MetricsPort = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=65535,
        metavar="N",
        help="Serve metrics for Prometheus on loopback.",
        rich_help_panel=STREAMS,
    ),
]
