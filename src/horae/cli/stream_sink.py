"""Where the answers of a stream go: a file per micro-batch, or lines on stdout."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from horae.cli.answers import ShownAnswer, json_line
from horae.cli.output import replace_file
from horae.cli.terminal import cannot_write, tell
from horae.source.errors import InputError
from horae.spark import catalogue

_MARK = ".stream"  # in a directory of answers: whose they are
_LATE = "it came after the time points up to it had been decided: allow for more with --lateness"


@dataclass
class StreamSink:
    """`aside` makes room for lines on the terminal; without `prints`, answers go elsewhere."""

    output: Path | None
    dead_letters: Path | None
    prints: bool = True
    aside: Callable[[], AbstractContextManager[None]] = nullcontext
    answers: int = 0
    late: int = 0
    bad: int = 0

    def __call__(
        self,
        number: int,
        answers: Sequence[ShownAnswer],
        late: Sequence[ShownAnswer],
        bad: Sequence[ShownAnswer],
    ) -> None:
        self.answers += len(answers)
        if self.output is None and self.prints:
            with self.aside():
                _print(_lines(answers))
        elif self.output is not None:
            _write(answers, self.output, number)
        if self.dead_letters is not None:
            letters = [{"reason": "late", **row, "note": _LATE} for row in late]
            letters += [{"reason": "bad", **row} for row in bad]
            _write(letters, self.dead_letters, number)
        self.late, self.bad = self.late + len(late), self.bad + len(bad)

    def check(self, *, is_new: bool) -> None:
        """Micro-batches are numbered from 0 again: files of another stream would be mixed with these."""
        for path in self._folders:
            path.mkdir(parents=True, exist_ok=True)
            if is_new and any(path.glob("batch-*.jsonl")):
                raise _another_stream(path)

    def claim(self, stream: str, *, is_new: bool) -> None:
        """The directories are those of this stream from now on; drafts of a run that died go."""
        for path in self._folders:
            mark = path / _MARK
            whose = mark.read_text(encoding="utf-8") if mark.exists() else ""
            if not is_new and whose != stream and any(path.glob("batch-*.jsonl")):
                raise _another_stream(path)
            for draft in path.glob(".batch-*.jsonl.*"):
                draft.unlink()
            with replace_file(mark) as draft:
                draft.write_text(stream, encoding="utf-8")

    @property
    def _folders(self) -> list[Path]:
        return [path for path in (self.output, self.dead_letters) if path is not None]

    def tell_unused(self) -> None:
        if self.dead_letters is not None:
            return
        for count, what in ((self.late, "late"), (self.bad, "bad")):
            if count:
                rows = "row was" if count == 1 else "rows were"
                tell(f"{count:,} {rows} {what} and not used: --dead-letters keeps them")


def _another_stream(path: Path) -> InputError:
    return catalogue.OTHER_ANSWERS(path=path)


def _lines(answers: Sequence[ShownAnswer]) -> Iterable[str]:
    """Answers of a run write themselves; others are few."""
    from horae.engine.answers import Answers

    return answers.json_lines() if isinstance(answers, Answers) else map(json_line, answers)


def _print(lines: Iterable[str]) -> None:
    """A reader that has seen enough ends the stream; the caller knows."""
    try:
        sys.stdout.writelines(lines)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise cannot_write(error) from error


def _write(answers: Sequence[ShownAnswer], folder: Path, number: int) -> None:
    """Put the answers of a micro-batch into a file of its own, which replaces that of an earlier try."""
    path = folder / f"batch-{number:09}.jsonl"
    if not answers:
        path.unlink(missing_ok=True)
        return
    with replace_file(path) as draft, draft.open("w", encoding="utf-8") as file:
        file.writelines(_lines(answers))
