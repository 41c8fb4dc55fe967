"""Writing Python source: lines, blocks, fresh names.

Python takes no more than a hundred levels of indentation. So the branches of an `if` that is nested
deeper are moved out of the blocks around it, behind flags that tell which of them would have run:

    if a:                      g1 = False
        x = 1                  if a:
        if b:                      x = 1
            y = 2        →         g1 = True if b else False
        z = 3                  if g1:
                                   y = 2
                               if a:
                                   z = 3
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

_HIGHEST = 50  # levels inside of one body


@dataclass
class _Block:
    head: str
    body: list[_Statement] = field(default_factory=list)
    height: int = 1  # levels of indentation, its own included

    @property
    def is_loop(self) -> bool:
        return self.head.startswith(("for ", "while "))


_Statement = str | _Block


class Code:
    """A growing block of source text."""

    def __init__(self, indent: int = 0) -> None:
        self._indent = indent
        self._names = 0
        self._root = _Block("")
        self._open = [self._root]

    def line(self, text: str) -> None:
        self._open[-1].body.append(text)

    def fresh(self, prefix: str = "t") -> str:
        self._names += 1
        return f"{prefix}{self._names}"

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """`head:` with an indented body; an empty body becomes `pass`."""
        block = _Block(head)
        self._open[-1].body.append(block)
        self._open.append(block)
        try:
            yield
        finally:
            self._open.pop()
            self._open[-1].height = max(self._open[-1].height, block.height + 1)

    def text(self) -> str:
        return "\n".join(_lines(self._lowered(self._root.body), self._indent)) + "\n"

    # --- blocks that are nested too deeply

    def _lowered(self, body: Sequence[_Statement], flag: str = "") -> list[_Statement]:
        """The same statements with less indentation, under a flag unless that is empty."""
        lowered: list[_Statement] = []
        run: list[_Statement] = []
        for group in _groups(body):
            branches = [block for block in group if isinstance(block, _Block)]
            if not branches or branches[0].is_loop or _height(branches) <= _HIGHEST:
                run += [self._lower_loop(statement) for statement in group]
                continue
            flags = [self.fresh("g") for _ in branches]
            lowered += [f"{name} = False" for name in flags]
            lowered += _under(flag, [*run, *_choices(branches, flags)])
            run = []
            for name, branch in zip(flags, branches, strict=True):
                lowered += self._lowered(branch.body, name)
        return [*lowered, *_under(flag, run)]

    def _lower_loop(self, statement: _Statement) -> _Statement:
        if isinstance(statement, str) or statement.height <= _HIGHEST:
            return statement
        return _Block(statement.head, self._lowered(statement.body))


def _choices(branches: Sequence[_Block], flags: Sequence[str]) -> Iterator[str]:
    """Which branch of an `if` is taken."""
    for i, branch in enumerate(branches):
        tests = [f"not {flag}" for flag in flags[:i]]
        if branch.head != "else":
            tests.append(f"({branch.head.removeprefix('el').removeprefix('if ')})")
        yield f"{flags[i]} = True if {' and '.join(tests)} else False"


def _under(flag: str, body: list[_Statement]) -> list[_Statement]:
    return [_Block(f"if {flag}", body)] if flag and body else body


def _groups(body: Sequence[_Statement]) -> Iterator[list[_Statement]]:
    """Statements one by one, but an `if` with all its branches."""
    group: list[_Statement] = []
    for statement in body:
        continues = isinstance(statement, _Block) and statement.head.startswith(("elif ", "else"))
        if group and not continues:
            yield group
            group = []
        group.append(statement)
    if group:
        yield group


def _height(branches: Sequence[_Block]) -> int:
    return max(branch.height for branch in branches)


def _lines(body: Sequence[_Statement], indent: int) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, str):
            yield "    " * indent + statement
        else:
            yield "    " * indent + statement.head + ":"
            yield from _lines(statement.body or ["pass"], indent + 1)
