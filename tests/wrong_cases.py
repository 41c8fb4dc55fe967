"""Wrong specifications and wrong inputs: a folder per case with the exact message that a user sees.

`make docs` runs them again, renews their `message.txt` and writes the page of the documentation that
shows them. Read the difference before you commit it.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from horae.cli.main import main

_ROOT = Path(__file__).parent / "cases" / "wrong"
PAGE = Path(__file__).parent.parent / "docs" / "errors" / "rtlola.md"
_SHOWN_FILES = (".csv", ".jsonl")


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
        return re.findall(r"^(?:error|warning)\[(\w+)\]", self.message, re.MULTILINE)

    @property
    def arguments(self) -> list[str]:
        """The words after `horae`."""
        options = self.folder / "arguments.txt"
        if not options.exists():
            return ["check", "spec.lola"]
        words = options.read_text(encoding="utf-8").split()
        return ["run", "spec.lola", "--engine", "local", *words]

    @property
    def exit_code(self) -> int:
        if self.arguments[0] == "run":
            return 3
        return 1 if "error[" in self.message else 0


def spec_cases() -> list[WrongCase]:
    return [WrongCase(path.parent) for path in sorted((_ROOT / "specs").glob("*/spec.lola"))]


def input_cases() -> list[WrongCase]:
    return [WrongCase(path.parent) for path in sorted((_ROOT / "inputs").glob("*/spec.lola"))]


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


# --- the page


def page() -> str:
    """The documentation page, made of the folders."""
    parts = [_HEAD, "## Specifications\n", *_sections(spec_cases())]
    parts += [_INPUT_HEAD, *_sections(input_cases())]
    return "\n".join(parts)


_HEAD = """# Messages

What Horae says about wrong specifications and wrong inputs. This page is made by `make docs` from the
folders in `tests/cases/wrong`; a test compares each message with what the command prints.

Every message has a code that does not change, the place, and, where one is known, a way out. `horae
check` goes on as far as it can, so that one run shows all it can find; its exit code is 1 if there
is an error. Warnings do not stop anything.
"""
_INPUT_HEAD = """## Inputs and runs

A run stops at the first row that it cannot take: exit code 3, and no answers. Rows are counted from 1,
without the header of a CSV file; a failure at a tick of a clock has a time and no row.
"""


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
    for path in (case.folder / "spec.lola", *_inputs(case)):
        text = path.read_text(encoding="utf-8")
        if text:
            yield _block(text)
    yield _block(f"$ horae {' '.join(case.arguments)}\n{case.message}")


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


def renew() -> None:
    for case in (*spec_cases(), *input_cases()):
        (case.folder / "message.txt").write_text(run_case(case)[1], encoding="utf-8")
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    renew()
