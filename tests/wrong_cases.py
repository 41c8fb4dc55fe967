"""Wrong programs and wrong inputs: a folder per case with the exact message that a user sees.

`make docs` runs them again, renews their `message.txt` and writes the pages of the documentation that
show them, one per language. Read the difference before you commit it.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from horae.cli.main import main

_ROOT = Path(__file__).parent / "cases" / "wrong"
_PAGES = Path(__file__).parent.parent / "docs" / "errors"
_SHOWN_FILES = (".csv", ".jsonl", ".facts")
LANGUAGES = ("rtlola", "datalogmtl", "lars", "cql")
STREAMS = "streams"  # of all languages; these cases need Spark


@dataclass(frozen=True)
class WrongCase:
    folder: Path

    @property
    def title(self) -> str:
        return self.folder.name.replace("_", " ").capitalize()

    @property
    def message(self) -> str:
        return (self.folder / "message.txt").read_text(encoding="utf-8")

    @property
    def codes(self) -> list[str]:
        found = re.findall(r"^(?:error|warning)\[(\w+)\]", self.message, re.MULTILINE)
        return found or ["usage"]

    @property
    def spec(self) -> Path:
        (found,) = self.folder.glob("spec.*")
        return found

    @property
    def arguments(self) -> list[str]:
        """The words after `horae`."""
        options = self.folder / "arguments.txt"
        if not options.exists():
            return ["check", self.spec.name]
        words = shlex.split(options.read_text(encoding="utf-8"))
        engine = [] if "--stream" in words else ["--engine", "local"]
        return ["run", self.spec.name, *engine, *words]

    @property
    def exit_code(self) -> int:
        if self.codes == ["usage"]:
            return 2
        if "error[" not in self.message:
            return 0
        return 3 if self.arguments[0] == "run" else 1


def program_cases(language: str) -> list[WrongCase]:
    return _cases(_ROOT / language / "programs")


def input_cases(language: str) -> list[WrongCase]:
    return _cases(_ROOT / language / "inputs")


def all_cases(language: str) -> list[WrongCase]:
    return [*program_cases(language), *input_cases(language)]


def _cases(folder: Path) -> list[WrongCase]:
    return [WrongCase(path.parent) for path in sorted(folder.glob("*/spec.*"))]


def run_case(case: WrongCase) -> tuple[int, str]:
    """The exit code of the command and what it writes to stderr."""
    errors = io.StringIO()
    with (
        contextlib.chdir(case.folder),
        contextlib.redirect_stderr(errors),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        code = main(case.arguments)
    return code, errors.getvalue()


# --- the pages


def page_path(language: str) -> Path:
    return _PAGES / f"{language}.md"


def page(language: str) -> str:
    """The documentation page, made of the folders."""
    title, inputs = _HEADS[language]
    head = _HEAD.format(programs=title.lower(), language=language)
    first = _STARTS if language == STREAMS else f"## {title}\n"
    parts = [head, first, *_sections(program_cases(language))]
    parts += [inputs, *_sections(input_cases(language))]
    return "\n".join(parts)


_HEAD = """# Messages

What Horae says about wrong {programs} and wrong inputs. This page is made by `make docs` from the
folders in `tests/cases/wrong/{language}`; a test compares each message with what the command prints.

Every message has a code that does not change, the place, and, where one is known, a way out. `horae
check` goes on as far as it can, so that one run shows all it can find; its exit code is 1 if there
is an error. Warnings do not stop anything.
"""
_EVENT_HEAD = """## Inputs and runs

A run stops at the first row that it cannot take: exit code 3, and no answers. Rows are counted from 1,
without the header of a CSV file; a failure at a tick of a clock has a time and no row.
"""
_FACT_HEAD = """## Facts and runs

A run stops at the first fact that it cannot take: exit code 3, and no answers. The place in a `.facts`
file is a line and a column; rows of tables are counted from 1, without the header of a CSV file. Wrong
usage of the command has exit code 2.
"""
_STARTS = """## Before a stream starts

Programs, options and inputs that cannot be a stream. Wrong usage of the command has exit code 2.
"""
_RUNS = """## While a stream runs

A row that cannot be read ends the stream: exit code 3. Answers of earlier micro-batches stand. With
`--bad-rows keep` it is kept apart, and all else goes on.
"""
_HEADS = {
    STREAMS: ("Streams", _RUNS),
    "rtlola": ("Specifications", _EVENT_HEAD),
    "datalogmtl": ("Programs", _FACT_HEAD),
    "lars": ("Programs", _FACT_HEAD),
    "cql": ("Queries", _FACT_HEAD),
}


def _sections(cases: Sequence[WrongCase]) -> Iterator[str]:
    ordered = sorted(cases, key=lambda case: (case.codes[0], case.title))
    yield "| code | case |\n| --- | --- |"
    for case in ordered:
        codes = ", ".join(dict.fromkeys(case.codes))
        yield f"| {codes} | [{case.title}](#{case.title.lower().replace(' ', '-')}) |"
    yield ""
    for case in ordered:
        yield from _section(case)


def _section(case: WrongCase) -> Iterator[str]:
    yield f"### {case.title}\n"
    for path in (case.spec, *_inputs(case)):
        text = path.read_text(encoding="utf-8")
        if text:
            yield _block(text)
    yield _block(f"$ horae {shlex.join(case.arguments)}\n{case.message}")


def _inputs(case: WrongCase) -> list[Path]:
    """The input as text, where it is text."""
    found = [path for path in case.folder.iterdir() if path.suffix in _SHOWN_FILES]
    return [path for path in sorted(found) if _is_text(path)]


def _is_text(path: Path) -> bool:
    try:
        path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _block(text: str) -> str:
    return f"```\n{text.strip()}\n```\n"


def renew(language: str) -> None:
    for case in all_cases(language):
        (case.folder / "message.txt").write_text(run_case(case)[1], encoding="utf-8")
    _PAGES.mkdir(parents=True, exist_ok=True)
    page_path(language).write_text(page(language), encoding="utf-8")


if __name__ == "__main__":
    for each in (*LANGUAGES, STREAMS):
        renew(each)
