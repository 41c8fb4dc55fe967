"""`horae run`: the answers of a program over files of events or facts."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import partial
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from horae.cli.answers import Answer, AnswerFormat, write_answers
from horae.cli.output import replace_file
from horae.cli.programs import load_program
from horae.cli.stream import StreamOptions, run_stream
from horae.cli.terminal import progress, tell, write
from horae.cli.usage import WrongUsage
from horae.inputs.answer_times import read_at, read_horizon
from horae.inputs.durations import read_duration
from horae.inputs.time_points import read_evaluation_times
from horae.inputs.time_text import seconds_of
from horae.spark.given_settings import give_settings, read_settings

if TYPE_CHECKING:
    from horae.spark.streaming.run import LiveFiles

_CHUNK = 1 << 20
_SHOWN = 10


class Emit(StrEnum):
    ALL = "all"
    CHANGES = "changes"
    TRIGGERS = "triggers"


class Precision(StrEnum):
    S = "s"
    MS = "ms"
    US = "us"
    NS = "ns"


class Mode(StrEnum):
    STATELESS = "stateless"
    HISTORY = "history"


class Consequences(StrEnum):
    ALL = "all"
    BRAVE = "brave"
    CAUTIOUS = "cautious"


class Engine(StrEnum):
    SPARK = "spark"
    LOCAL = "local"


class Spread(TypedDict):
    """Options that every language has."""

    engine: str
    time: str | None
    master: str | None
    shards: int | None


class LiveSpread(TypedDict):
    """Options that every stream has."""

    time: str | None
    master: str | None
    shards: int | None
    lateness: str
    files_per_batch: int | None


def run(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A specification, or - for stdin.")],
    input: Annotated[
        list[str],
        typer.Option(
            metavar="PATH",
            help="A .csv, .jsonl or .parquet file, directory or glob; for rules a .facts file, "
            "or PREDICATE=PATH for a table.",
        ),
    ],
    time: Annotated[
        str | None,
        typer.Option(metavar="COL", help="The time column [default: the timeinput, or `time`]."),
    ] = None,
    order: Annotated[
        str | None, typer.Option(metavar="COL", help="Orders rows of equal time.")
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="The columns of CSV files without a header."),
    ] = None,
    no_header: Annotated[
        bool, typer.Option("--no-header", help="CSV files have no header; needs --columns.")
    ] = False,
    emit: Annotated[Emit, typer.Option(help="Which answers.")] = Emit.ALL,
    origin: Annotated[
        str, typer.Option(metavar="T", help="Rates tick at multiples counted from here.")
    ] = "0",
    precision: Annotated[
        Precision, typer.Option(help="The finest difference between times of the input.")
    ] = Precision.US,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="TIMES", help="Rules and queries: at events, all, every N, or T1,T2,…"
        ),
    ] = None,
    horizon: Annotated[
        str | None, typer.Option(metavar="T", help="Rules: derive up to this time.")
    ] = None,
    mode: Annotated[
        Mode, typer.Option(help="LARS: whether earlier evaluations stay visible.")
    ] = Mode.STATELESS,
    consequences: Annotated[
        Consequences, typer.Option(help="LARS: all answers, or what some or all of them have.")
    ] = Consequences.ALL,
    output: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Write here instead of to stdout.")
    ] = None,
    format: Annotated[AnswerFormat, typer.Option(help="The form of the answers.")] = (
        AnswerFormat.JSONL
    ),
    engine: Annotated[
        Engine, typer.Option(help="local runs the same kernels in process, without a JVM.")
    ] = Engine.SPARK,
    master: Annotated[
        str | None, typer.Option(metavar="URL", help="The Spark master [default: local[*]].")
    ] = None,
    shards: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Into how many parts work is cut.")
    ] = None,
    spark_conf: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="A setting of Spark; may be given several times."),
    ] = None,
    stream: Annotated[
        bool, typer.Option("--stream", help="Read files as they come, with Structured Streaming.")
    ] = False,
    checkpoint: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Streams: go on from here after a stop or a crash."),
    ] = None,
    lateness: Annotated[
        str | None,
        typer.Option(metavar="D", help="Streams: how long rows may come after later ones [0 s]."),
    ] = None,
    trigger: Annotated[
        str | None,
        typer.Option(
            metavar="T", help='Streams: "available" (what is there now) or every "5 seconds".'
        ),
    ] = None,
    finish: Annotated[
        bool, typer.Option("--finish", help="Streams: the end of the input is the end of all.")
    ] = False,
    files_per_batch: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Streams: take at most N files at a time."),
    ] = None,
    dead_letters: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Streams: keep late rows here.")
    ] = None,
) -> None:
    """Run a program over events or facts; answers are sorted by time."""
    live = StreamOptions(checkpoint, trigger, finish, dead_letters, output)
    _check_live(live, stream, lateness, files_per_batch, engine, format)
    _give_settings(spark_conf or ())
    if not stream:
        _check_output(output, format)
    program = load_program(spec)
    if program.language != "lars":
        _refuse_lars_options(mode, consequences)
    if stream:
        opened: Callable[[Path], LiveFiles]
        common: LiveSpread = {
            "time": time,
            "master": master,
            "shards": shards,
            "lateness": lateness or "0",
            "files_per_batch": files_per_batch,
        }
        match program.language:
            case "datalogmtl":
                _check_rule_options(at, horizon)
                opened = partial(program.live_files, input, at=at, horizon=horizon, **common)
            case "lars":
                _check_point_options(at, horizon)
                opened = partial(
                    program.live_files,
                    input,
                    order=order,
                    at=at,
                    horizon=horizon,
                    mode=mode.value,
                    consequences=consequences.value,
                    **common,
                )
            case "cql":
                _check_query_options(at, horizon)
                opened = partial(program.live_files, input, order=order, at=at, **common)
            case "rtlola":
                _check_stream_options(origin, columns, no_header, at, horizon)
                _check_inputs(input)
                opened = partial(
                    program.live_files,
                    input,
                    order=order,
                    header=False if no_header else None,
                    columns=columns.split(",") if columns else None,
                    emit=emit.value,
                    origin=origin,
                    precision=precision.value,
                    **common,
                )
        run_stream(live, opened)
        return
    with progress(f"running {spec} on {engine}"):
        answers: Iterable[Answer]
        spread: Spread = {"engine": engine.value, "time": time, "master": master, "shards": shards}
        match program.language:
            case "datalogmtl":
                _check_rule_options(at, horizon)
                answers = program.run_files(input, at=at, horizon=horizon, **spread)
            case "lars":
                _check_point_options(at, horizon)
                answers = program.run_files(
                    input,
                    order=order,
                    at=at,
                    horizon=horizon,
                    mode=mode.value,
                    consequences=consequences.value,
                    **spread,
                )
            case "cql":
                _check_query_options(at, horizon)
                answers = program.run_files(input, order=order, at=at, **spread)
            case "rtlola":
                _check_stream_options(origin, columns, no_header, at, horizon)
                _check_inputs(input)
                answers = program.run_files(
                    input,
                    order=order,
                    header=False if no_header else None,
                    columns=columns.split(",") if columns else None,
                    emit=emit.value,
                    origin=origin,
                    precision=precision.value,
                    **spread,
                )
        _deliver(answers, output, format, program.fields)
    if program.language == "lars":
        _tell_inconsistent(answers)


def _give_settings(texts: Sequence[str]) -> None:
    try:
        give_settings(read_settings(texts))
    except ValueError as error:
        raise WrongUsage(f"--spark-conf: {error}.") from None


def _check_live(
    live: StreamOptions,
    stream: bool,
    lateness: str | None,
    files_per_batch: int | None,
    engine: Engine,
    format: AnswerFormat,
) -> None:
    given = (
        live.checkpoint,
        live.trigger,
        live.dead_letters,
        lateness,
        files_per_batch,
        live.finish or None,
    )
    if not stream:
        if any(option is not None for option in given):
            raise WrongUsage(
                "--checkpoint, --lateness, --trigger, --finish, --files-per-batch and "
                "--dead-letters need --stream."
            )
        return
    if engine is Engine.LOCAL:
        raise WrongUsage("--stream runs on Spark: leave --engine local out.")
    if format is not AnswerFormat.JSONL:
        raise WrongUsage("--stream writes JSON Lines: leave --format out.")
    try:
        read_duration("lateness", lateness or "0")
    except ValueError as error:
        raise WrongUsage(f"--{error}.") from None
    live.check()


def _refuse_lars_options(mode: Mode, consequences: Consequences) -> None:
    if mode is not Mode.STATELESS or consequences is not Consequences.ALL:
        raise WrongUsage("--mode and --consequences are for LARS programs (.lars).")


def _tell_inconsistent(answers: Iterable[Answer]) -> None:
    """Besides the lines among the answers: nobody should overlook them."""
    times = [str(answer["time"]) for answer in answers if "inconsistent" in answer]
    if times:
        more = f" and {len(times) - _SHOWN} more" if len(times) > _SHOWN else ""
        tell(f"inconsistent at {', '.join(times[:_SHOWN])}{more}: the program has no answer there")


def _check_output(output: Path | None, format: AnswerFormat) -> None:
    """What typer cannot see for itself; all of it is wrong usage."""
    if format is AnswerFormat.PARQUET and output is None:
        raise WrongUsage("Parquet is no text for a terminal: --format parquet needs --output.")
    if output is not None and output.is_dir():
        raise WrongUsage(f"--output {output} is a directory.")


def _check_stream_options(
    origin: str, columns: str | None, no_header: bool, at: str | None, horizon: str | None
) -> None:
    if seconds_of(origin) is None:
        raise WrongUsage(f"`{origin}` is neither a number of seconds nor a date.")
    if no_header and not columns:
        raise WrongUsage("--no-header needs --columns, the names of the columns in order.")
    if at is not None or horizon is not None:
        raise WrongUsage(
            "--at and --horizon are for rules; streams are answered at their own pace."
        )


def _check_rule_options(at: str | None, horizon: str | None) -> None:
    try:
        read_at(at)
        read_horizon(horizon)
    except ValueError as error:
        raise WrongUsage(f"--{error}.") from None


def _check_point_options(at: str | None, horizon: str | None) -> None:
    try:
        read_evaluation_times(at)
        read_horizon(horizon)
    except ValueError as error:
        raise WrongUsage(f"--{error}.") from None


def _check_query_options(at: str | None, horizon: str | None) -> None:
    if horizon is not None:
        raise WrongUsage("--horizon is for rules; queries are evaluated at the times of --at.")
    _check_point_options(at, horizon)


def _check_inputs(inputs: Sequence[str]) -> None:
    """`NAME=PATH` is for languages that read several tables. A file may have such a name, though."""
    for text in inputs:
        name, sign, path = text.partition("=")
        if sign and name.isidentifier() and not _exists(text) and _exists(path):
            raise WrongUsage(
                "a specification reads one table with a column per input stream: "
                f"write --input {path}, not --input {text}."
            )


def _exists(path: str) -> bool:
    return Path(path).exists() or bool(glob(path))  # noqa: PTH207


def _deliver(
    answers: Iterable[Answer], output: Path | None, format: AnswerFormat, fields: Sequence[str]
) -> None:
    """Nothing is seen of a run that fails: answers wait in a draft until the last one is there."""
    if output is not None:
        with replace_file(output) as draft:
            write_answers(answers, draft, format, fields)
        return
    with tempfile.TemporaryDirectory(prefix="horae-") as folder:
        draft = Path(folder, "answers")
        write_answers(answers, draft, format, fields)
        with draft.open(encoding="utf-8") as text:
            while chunk := text.read(_CHUNK):
                write(chunk)
