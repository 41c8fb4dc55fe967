"""`horae run`: the answers of a program over files of events or facts."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from horae.cli import run_options as o
from horae.cli.answers import Answer, AnswerFormat, write_answers
from horae.cli.input_warnings import kept_warnings
from horae.cli.language_options import Given, check_durations, option_name, options_of
from horae.cli.output import replace_file
from horae.cli.programs import load_program
from horae.cli.specs import LanguageOption
from horae.cli.stream import run_stream
from horae.cli.stream_options import StreamOptions
from horae.cli.terminal import progress, tell, write
from horae.cli.usage import WrongUsage
from horae.data.topics import is_topic
from horae.spark.given_settings import give_settings, read_spark_settings

if TYPE_CHECKING:
    from horae.spark.streaming.run import LiveFiles

_CHUNK = 1 << 20
_SHOWN = 10


def run(
    spec: o.Spec,
    input: o.Inputs,
    time: o.TimeColumn = None,
    order: o.OrderColumn = None,
    columns: o.Columns = None,
    no_header: o.NoHeader = False,
    emit: o.EmitOption = None,
    origin: o.Origin = None,
    precision: o.Precision = None,
    at: o.At = None,
    horizon: o.Horizon = None,
    mode: o.ModeOption = None,
    consequences: o.ConsequencesOption = None,
    answers: o.AnswerCount = None,
    strict: o.Strict = False,
    time_unit: o.TimeUnit = None,
    output: o.Output = None,
    format: o.FormatOption = None,
    engine: o.EngineOption = o.Engine.SPARK,
    master: o.Master = None,
    shards: o.ShardCount = None,
    spark_conf: o.SparkConf = None,
    stream: o.Stream = False,
    checkpoint: o.CheckpointFolder = None,
    lateness: o.Lateness = None,
    idle: o.Idle = None,
    trigger: o.Trigger = None,
    finish: o.Finish = False,
    files_per_batch: o.FilesPerBatch = None,
    bad_rows: o.BadRowsOption = None,
    dead_letters: o.DeadLetters = None,
    metrics_port: o.MetricsPort = None,
    yes: o.Yes = False,
    language: LanguageOption = None,
) -> None:
    """Run a program over events or facts; answers are sorted by time."""
    given = Given(
        input,
        time,
        order,
        columns,
        no_header,
        emit,
        origin,
        precision,
        at,
        horizon,
        mode,
        consequences,
        answers,
        yes,
        strict,
        time_unit,
    )
    live = StreamOptions(
        checkpoint,
        lateness,
        idle,
        trigger,
        finish,
        files_per_batch,
        bad_rows,
        dead_letters,
        metrics_port,
    )
    place = _Place(engine, master, shards, output, format or _format_of(output, stream))
    if engine is o.Engine.LOCAL:
        _refuse_spark_options(master=master, shards=shards, spark_conf=spark_conf)
    _give_settings(spark_conf or ())
    if stream:
        _run_live(spec, language, given, live, place)
    else:
        live.refuse()
        _run_batch(spec, language, given, place)


@dataclass(frozen=True)
class _Place:
    """Where a program runs, and where its answers go."""

    engine: o.Engine
    master: str | None
    shards: int | None
    output: Path | None
    format: AnswerFormat


def _format_of(output: Path | None, stream: bool) -> AnswerFormat:
    """The ending of a file says it; a stream writes a directory."""
    ending = "" if output is None or stream else output.suffix.lower().removeprefix(".")
    return AnswerFormat(ending) if ending in set(AnswerFormat) else AnswerFormat.JSONL


def _refuse_spark_options(**given: object) -> None:
    for name, value in given.items():
        if value not in (None, []):
            raise WrongUsage(f"{option_name(name)} is for Spark: leave --engine local out.")


def _give_settings(texts: Sequence[str]) -> None:
    try:
        give_settings(read_spark_settings(texts))
    except ValueError as error:
        raise WrongUsage(f"--spark-conf: {error}.") from None


# --- streams


def _run_live(
    spec: str, language: str | None, given: Given, live: StreamOptions, place: _Place
) -> None:
    if place.engine is o.Engine.LOCAL:
        raise WrongUsage("--stream runs on Spark: leave --engine local out.")
    if place.format is not AnswerFormat.JSONL:
        raise WrongUsage("--stream writes JSON Lines: leave --format out.")
    live.check(place.output)
    if live.files_per_batch is not None and all(map(_is_topic, given.inputs)):
        raise WrongUsage(
            "--files-per-batch is for files: leave it out where all inputs are topics."
        )
    program = load_program(spec, language)
    check_durations(program.language, {"lateness": live.lateness, "idle": live.idle})
    options = options_of(program.language, given, live=True)

    def start(checkpoint: Path) -> LiveFiles:
        stream = live.over(given.inputs, checkpoint, place.master, place.shards)
        return program.live_files(stream, **options)

    run_stream(live, place.output, start, program.report.state_bound)


def _is_topic(text: str) -> bool:
    """`kafka://…`, or `NAME=kafka://…`."""
    return is_topic(text) or is_topic(text.partition("=")[2])


# --- what is there


def _run_batch(spec: str, language: str | None, given: Given, place: _Place) -> None:
    _check_output(place.output, place.format)
    program = load_program(spec, language)
    options = options_of(program.language, given, live=False)
    running = progress(f"running {spec} on {place.engine}")
    with _delivered(place) as draft, kept_warnings(), running:
        answers: Iterable[Answer] = program.run_files(
            given.inputs,
            engine=place.engine.value,
            master=place.master,
            shards=place.shards,
            **options,
        )
        write_answers(answers, draft, place.format, program.fields)
    if program.language == "lars":
        _tell_inconsistent(answers)


def _check_output(output: Path | None, format: AnswerFormat) -> None:
    """What typer cannot see for itself; all of it is wrong usage."""
    if format is AnswerFormat.PARQUET and output is None:
        raise WrongUsage("Parquet is no text for a terminal: --format parquet needs --output.")
    if output is not None and output.is_dir():
        raise WrongUsage(f"--output {output} is a directory.")


@contextmanager
def _delivered(place: _Place) -> Iterator[Path]:
    """Nothing is seen of a run that fails: answers wait in a draft until the last one is there."""
    if place.output is not None:
        with replace_file(place.output) as draft:
            yield draft
        return
    with tempfile.TemporaryDirectory(prefix="horae-") as folder:
        draft = Path(folder, "answers")
        yield draft
        with draft.open(encoding="utf-8") as text:
            while chunk := text.read(_CHUNK):
                write(chunk)


def _tell_inconsistent(answers: Iterable[Answer]) -> None:
    """Besides the lines among the answers: nobody should overlook them."""
    times = [str(answer["time"]) for answer in answers if "inconsistent" in answer]
    if times:
        more = f" and {len(times) - _SHOWN} more" if len(times) > _SHOWN else ""
        tell(f"inconsistent at {', '.join(times[:_SHOWN])}{more}: the program has no answer there")
