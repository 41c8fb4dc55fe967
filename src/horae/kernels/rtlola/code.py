"""Writing Python source: lines, indentation, fresh names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Code:
    """A growing block of source text."""

    def __init__(self, indent: int = 0) -> None:
        self.lines: list[str] = []
        self._indent = indent
        self._names = 0

    def line(self, text: str) -> None:
        self.lines.append("    " * self._indent + text)

    def fresh(self, prefix: str = "t") -> str:
        self._names += 1
        return f"{prefix}{self._names}"

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """`head:` with an indented body; an empty body becomes `pass`."""
        self.line(head + ":")
        before = len(self.lines)
        self._indent += 1
        try:
            yield
        finally:
            if len(self.lines) == before:
                self.line("pass")
            self._indent -= 1

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"
