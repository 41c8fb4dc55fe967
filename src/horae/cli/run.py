"""`horae run`: the answers of a program over files of events or facts."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from horae.cli import run_options as o
from horae.cli.answers import AnswerFormat, write_answers
from horae.cli.given_input import GivenInput, read_input
from horae.cli.input_warnings import kept_warnings
from horae.cli.job_bar import job_bar
from horae.cli.language_options import check_options, check_scopes
from horae.cli.local_tables import write_local_tables
from horae.cli.output import replace_file
from horae.cli.process import leave_pandas_out
from horae.cli.specs import LanguageOption, load_program
from horae.cli.stream import stream_files
from horae.cli.stream_options import StreamOptions
from horae.cli.terminal import progress, tell, write
from horae.cli.usage import WrongUsage
from horae.data.targets import (
    CatalogTable,
    Directory,
    LinesDirectory,
    OneFile,
    Target,
    TopicTarget,
    read_stream_target,
    read_target,
)
from horae.data.topics import is_topic
from horae.spark.given_settings import give_settings, read_spark_settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from horae.engine.answers import Answers
    from horae.program import Program
    from horae.spark.streaming.checkpoint_folder import Folder
    from horae.spark.streaming.run import LiveFiles
    from horae.spark.streaming.sinks.open_sinks import StreamTarget

_CHUNK = 1 << 20
_SHOWN = 10
_OF_FILES = ("lateness", "idle", "shards", "bad_rows")  # options that a stream of files has
_INCONSISTENT = "inconsistent"  # what a language may answer where a program has no answer


def run(
    spec: o.SpecArgument,
    input: o.Inputs = None,
    output: o.OutputOption = None,
    format: o.FormatOption = None,
    overwrite: o.Overwrite = False,
    language: LanguageOption = None,
    engine: o.EngineOption = o.Engine.SPARK,
    master: o.Master = None,
    spark_conf: o.SparkConf = None,
    input_format: o.InputFormat = None,
    input_option: o.InputOptions = None,
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
    place = _Place(engine, master, output, format, overwrite)
    if place.is_local:
        _refuse_spark_options(
            master=master,
            spark_conf=spark_conf,
            input_format=input_format,
            input_option=input_option,
        )
    given_input = read_input(input, input_format, input_option or ())
    given_input.check(is_local=place.is_local)
    check_scopes(given, is_live=stream, is_local=place.is_local and not stream)
    _give_settings(spark_conf or ())
    if stream:
        _run_live(spec, language, given_input, given, live, place)
    else:
        live.refuse()
        _run_batch(spec, language, given_input, given, place)


@dataclass(frozen=True)
class _Place:
    """Where a program runs, and where its answers go."""

    engine: o.Engine
    master: str | None
    output: str | None
    format: str | None
    overwrite: bool

    @property
    def is_local(self) -> bool:
        return self.engine is o.Engine.LOCAL

    @property
    def target(self) -> Target:
        return read_target(self.output, self.format)


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
    input: GivenInput,
    given: Mapping[str, object],
    live: StreamOptions,
    place: _Place,
) -> None:
    if place.is_local:
        raise WrongUsage("--stream runs on Spark: leave --engine local out.")
    target = _live_target(place)
    live.check(target.path if isinstance(target, LinesDirectory | Directory) else None)
    if live.files_per_batch is not None and all(map(_is_topic, input.paths)):
        raise WrongUsage(
            "--files-per-batch is for files: leave it out where all inputs are topics."
        )
    program = load_program(spec, language)
    options = check_options(program, given, input.files, is_live=True, is_local=False)

    def start(checkpoint: Folder) -> LiveFiles:
        return _open(program, options, input, checkpoint, live, place)

    session = partial(_session, place.master, options.get("shards"))
    stream_files(live, target, start, program.report.state_bound, session)


def _live_target(place: _Place) -> StreamTarget | None:
    """None: lines of JSON on standard output."""
    if place.overwrite:
        raise WrongUsage("--overwrite is for runs over what is there: leave --stream out.")
    if place.output is None:
        if place.format not in (None, AnswerFormat.JSONL):
            raise WrongUsage(
                f"--format {place.format} writes a table per output: it needs --output."
            )
        return None
    target = read_stream_target(place.output, place.format)
    if isinstance(target, CatalogTable | TopicTarget):
        _refuse_format(place)
    return target


def _refuse_format(place: _Place) -> None:
    if place.format is not None:
        raise WrongUsage("--format is for files: leave it out.")


def _session(master: str | None, shards: Any) -> SparkSession:
    from horae.spark.streaming.file_stream import stream_session

    return stream_session(master, shards)


def _open(
    program: Program,
    options: dict[str, Any],
    input: GivenInput,
    checkpoint: Folder,
    live: StreamOptions,
    place: _Place,
) -> LiveFiles:
    from horae.spark.streaming.file_stream import FileStream

    common = {name: options.pop(name) for name in _OF_FILES if name in options}
    stream = FileStream(
        input.paths,
        checkpoint,
        master=place.master,
        files_per_batch=live.files_per_batch,
        is_passing=live.every is None and live.checkpoint is None,
        source=input.source,
        has_tables=isinstance(_live_target(place), Directory | CatalogTable),
        **common,
    )
    return program.live_files(stream, **options)


def _is_topic(text: str) -> bool:
    """`kafka://…`, or `NAME=kafka://…`."""
    return is_topic(text) or is_topic(text.partition("=")[2])


# --- what is there


def _run_batch(
    spec: str,
    language: str | None,
    input: GivenInput,
    given: Mapping[str, object],
    place: _Place,
) -> None:
    target = _checked(place)
    program = load_program(spec, language)
    options = check_options(program, given, input.files, is_live=False, is_local=place.is_local)
    leave_pandas_out()
    batch = _Batch(program, input, options, place, f"running {spec} on {place.engine}")
    if isinstance(target, OneFile):
        batch.into_file(target)
    elif place.is_local:
        batch.into_local_tables(target)
    else:
        batch.into_tables(target)


@dataclass(frozen=True)
class _Batch:
    """A run over what is there; `text` says so while it takes its time."""

    program: Program
    input: GivenInput
    options: dict[str, Any]
    place: _Place
    text: str

    def into_file(self, target: OneFile) -> None:
        """In parts, of which the times without an answer are told besides."""
        inconsistent: list[str] = []
        with _delivered(target) as draft, kept_warnings(), self._shown():
            parts = self.program.run_parts(
                self.input.paths,
                engine=self.place.engine.value,
                master=self.place.master,
                source=self.input.source,
                **self.options,
            )
            if _INCONSISTENT in self.program.fields:
                parts = _noting(parts, inconsistent)
            write_answers(parts, draft, AnswerFormat(target.format), self.program.fields)
        _tell_inconsistent(inconsistent)

    def into_tables(self, target: Directory | CatalogTable | TopicTarget) -> None:
        with kept_warnings(), self._shown():
            written = self.program.write(
                self.input.paths,
                target,
                master=self.place.master,
                source=self.input.source,
                overwrite=self.place.overwrite,
                **self.options,
            )
        tell(f"{_count(written.rows, 'row')} read; {_listed(written.answers)} in {written.place}")

    def into_local_tables(self, target: Directory | CatalogTable | TopicTarget) -> None:
        if not isinstance(target, Directory):
            raise WrongUsage(
                f"--output {self.place.output} is for Spark: leave --engine local out."
            )
        with kept_warnings(), self._shown():
            answers = self.program.run_files(
                self.input.paths,
                engine="local",
                input_format=None,
                input_options=None,
                **self.options,
            )
            outputs = self.program.output_names(**self.options)
            overwrite = self.place.overwrite
            found = write_local_tables(answers, outputs, target, overwrite=overwrite)
        tell(f"{_listed(found)} in {target.path}")

    def _shown(self) -> AbstractContextManager[None]:
        return progress(self.text) if self.place.is_local else job_bar(self.text)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _listed(answers: Mapping[str, int]) -> str:
    """`1,200 answers of sales_freq, 3 of trigger`."""
    first, *others = [(_count(n, "answer"), n, name) for name, n in answers.items()] or [
        ("no answers", 0, "")
    ]
    parts = [f"{first[0]} of {first[2]}" if first[2] else first[0]]
    return ", ".join([*parts, *(f"{number:,} of {name}" for _, number, name in others)])


def _checked(place: _Place) -> Target:
    """What typer cannot see for itself; all of it is wrong usage."""
    target = place.target
    if isinstance(target, OneFile):
        if target.format not in set(AnswerFormat):
            raise WrongUsage(f"--format {target.format} is for tables: --output names a directory.")
        if target.path is None and target.format == AnswerFormat.PARQUET:
            raise WrongUsage("Parquet is no text for a terminal: --format parquet needs --output.")
        if target.path is not None and Path(target.path).is_dir():
            raise WrongUsage(
                f"--output {target.path} is a directory: --format parquet writes a table per output "
                "into it."
            )
        if place.overwrite:
            raise WrongUsage("--overwrite is for tables: one file is replaced anyway.")
    elif not isinstance(target, Directory):
        _refuse_format(place)
    return target


@contextmanager
def _delivered(target: OneFile) -> Iterator[Path]:
    """Nothing is seen of a run that fails: answers wait in a draft until the last one is there."""
    if target.path is not None:
        with replace_file(Path(target.path)) as draft:
            yield draft
        return
    with tempfile.TemporaryDirectory(prefix="horae-") as folder:
        draft = Path(folder, "answers")
        yield draft
        with draft.open(encoding="utf-8") as text:
            while chunk := text.read(_CHUNK):
                write(chunk)


def _noting(parts: Iterable[Answers], times: list[str]) -> Iterator[Answers]:
    """The times without an answer, beside the parts."""
    for part in parts:
        found = part.texts(_INCONSISTENT, str)
        if found.null_count < len(found):
            times += [str(answer["time"]) for answer in part if _INCONSISTENT in answer]
        yield part


def _tell_inconsistent(times: Sequence[str]) -> None:
    """Besides the lines among the answers: nobody should overlook them."""
    if times:
        more = f" and {len(times) - _SHOWN} more" if len(times) > _SHOWN else ""
        tell(f"inconsistent at {', '.join(times[:_SHOWN])}{more}: the program has no answer there")
