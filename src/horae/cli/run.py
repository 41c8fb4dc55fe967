"""`horae run`: the answers of a program over files of events or facts."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from horae.cli import run_options as o
from horae.cli.answers import AnswerFormat, ShownAnswer, write_answers
from horae.cli.input_warnings import kept_warnings
from horae.cli.language_options import check_options, check_scopes
from horae.cli.output import replace_file
from horae.cli.process import leave_pandas_out
from horae.cli.specs import LanguageOption, load_program
from horae.cli.stream import stream_files
from horae.cli.stream_options import StreamOptions
from horae.cli.terminal import progress, tell, write
from horae.cli.usage import WrongUsage
from horae.data.topics import is_topic
from horae.spark.given_settings import give_settings, read_spark_settings

if TYPE_CHECKING:
    from horae.program import Program
    from horae.spark.streaming.run import LiveFiles

_CHUNK = 1 << 20
_SHOWN = 10
_OF_FILES = ("lateness", "idle", "shards", "bad_rows")  # options that a stream of files has
_INCONSISTENT = "inconsistent"  # what a language may answer where a program has no answer


def run(
    spec: o.SpecArgument,
    input: o.Inputs,
    output: o.OutputOption = None,
    format: o.FormatOption = None,
    language: LanguageOption = None,
    engine: o.EngineOption = o.Engine.SPARK,
    master: o.Master = None,
    spark_conf: o.SparkConf = None,
    stream: o.StreamOption = False,
    checkpoint: o.CheckpointFolder = None,
    trigger: o.TriggerOption = None,
    finish: o.Finish = False,
    files_per_batch: o.FilesPerBatch = None,
    dead_letters: o.DeadLetters = None,
    metrics_port: o.MetricsPort = None,
    **given: object,
) -> None:
    """Run a program over events or facts; answers are sorted by time."""
    live = StreamOptions(checkpoint, trigger, finish, files_per_batch, dead_letters, metrics_port)
    place = _Place(engine, master, output, format or _format_of(output, stream))
    if place.is_local:
        _refuse_spark_options(master=master, spark_conf=spark_conf)
    check_scopes(given, is_live=stream, is_local=place.is_local and not stream)
    _give_settings(spark_conf or ())
    if stream:
        _run_live(spec, language, input, given, live, place)
    else:
        live.refuse()
        _run_batch(spec, language, input, given, place)


@dataclass(frozen=True)
class _Place:
    """Where a program runs, and where its answers go."""

    engine: o.Engine
    master: str | None
    output: Path | None
    format: AnswerFormat

    @property
    def is_local(self) -> bool:
        return self.engine is o.Engine.LOCAL


def _format_of(output: Path | None, stream: bool) -> AnswerFormat:
    """The ending of a file says it; a stream writes a directory."""
    ending = "" if output is None or stream else output.suffix.lower().removeprefix(".")
    return AnswerFormat(ending) if ending in set(AnswerFormat) else AnswerFormat.JSONL


def _refuse_spark_options(**given: object) -> None:
    for name, value in given.items():
        if value not in (None, []):
            name = name.replace("_", "-")
            raise WrongUsage(f"--{name} is for Spark: leave --engine local out.")


def _give_settings(texts: Sequence[str]) -> None:
    try:
        give_settings(read_spark_settings(texts))
    except ValueError as error:
        raise WrongUsage(f"--spark-conf: {error}.") from None


# --- streams


def _run_live(
    spec: str,
    language: str | None,
    inputs: Sequence[str],
    given: Mapping[str, object],
    live: StreamOptions,
    place: _Place,
) -> None:
    if place.is_local:
        raise WrongUsage("--stream runs on Spark: leave --engine local out.")
    if place.format is not AnswerFormat.JSONL:
        raise WrongUsage("--stream writes JSON Lines: leave --format out.")
    live.check(place.output)
    if live.files_per_batch is not None and all(map(_is_topic, inputs)):
        raise WrongUsage(
            "--files-per-batch is for files: leave it out where all inputs are topics."
        )
    program = load_program(spec, language)
    options = check_options(program.record, given, inputs, is_live=True, is_local=False)

    def start(checkpoint: Path) -> LiveFiles:
        return _open(program, options, inputs, checkpoint, live, place)

    stream_files(live, place.output, start, program.report.state_bound)


def _open(
    program: Program,
    options: dict[str, Any],
    inputs: Sequence[str],
    checkpoint: Path,
    live: StreamOptions,
    place: _Place,
) -> LiveFiles:
    from horae.spark.streaming.file_stream import FileStream

    common = {name: options.pop(name) for name in _OF_FILES if name in options}
    stream = FileStream(
        inputs, checkpoint, master=place.master, files_per_batch=live.files_per_batch, **common
    )
    return program.live_files(stream, **options)


def _is_topic(text: str) -> bool:
    """`kafka://…`, or `NAME=kafka://…`."""
    return is_topic(text) or is_topic(text.partition("=")[2])


# --- what is there


def _run_batch(
    spec: str,
    language: str | None,
    inputs: Sequence[str],
    given: Mapping[str, object],
    place: _Place,
) -> None:
    _check_output(place.output, place.format)
    program = load_program(spec, language)
    options = check_options(program.record, given, inputs, is_live=False, is_local=place.is_local)
    if place.is_local:
        leave_pandas_out()
    running = progress(f"running {spec} on {place.engine}")
    with _delivered(place) as draft, kept_warnings(), running:
        answers = program.run_files(
            inputs, engine=place.engine.value, master=place.master, **options
        )
        write_answers(answers, draft, place.format, program.fields)
    if _INCONSISTENT in program.fields:
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


def _tell_inconsistent(answers: Iterable[ShownAnswer]) -> None:
    """Besides the lines among the answers: nobody should overlook them."""
    times = [str(answer["time"]) for answer in answers if _INCONSISTENT in answer]
    if times:
        more = f" and {len(times) - _SHOWN} more" if len(times) > _SHOWN else ""
        tell(f"inconsistent at {', '.join(times[:_SHOWN])}{more}: the program has no answer there")
