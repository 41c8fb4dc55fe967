"""A rule and its comments on lines: all on one, or the head and then one literal per line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from horae.frontend.chunks import Chunk
from horae.frontend.comments import Comments, PieceExtent
from horae.frontend.lalr import span_of
from horae.frontend.layout import comment_text, trailing_text

_INDENT = "    "
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule on one line, and its parts: the head with `:-`, and the literals of the body."""

    line: str
    head: str
    body: Sequence[str]


def piece_extents(number: int, chunk: Chunk, literals: Iterable[int]) -> Iterator[PieceExtent]:
    """The head and each literal, which begin where `literals` says; all of a fact or query."""
    tokens = chunk.all_tokens
    starts = [span_of(chunk.first).start, *literals]
    ends = [*starts[1:], span_of(tokens[-1]).end]
    for index, (start, end) in enumerate(zip(starts, ends, strict=True)):
        inside = [token for token in tokens if start <= span_of(token).start < end]
        yield PieceExtent.of(_place(number, index), inside[0], inside[-1])


def rule_lines(number: int, rule: RuleText, comments: Comments) -> list[str]:
    """The lines of the statement with this number."""
    places = [_place(number, index) for index in range(len(rule.body) + 1)]
    behind = any(comments.trailing.get(place) for place in places[:-1])
    is_broken = behind or any(comments.before(place) for place in places[1:])
    if is_broken or len(rule.line) > _WIDTH:
        return list(_broken(places, rule, comments))
    return [rule.line + _trailing(comments, places[-1])]


def plain_line(number: int, line: str, comments: Comments) -> str:
    """A statement without a body."""
    return line + _trailing(comments, _place(number, 0))


def _broken(places: Sequence[tuple[int, str]], rule: RuleText, comments: Comments) -> Iterator[str]:
    head, *literals = places
    yield rule.head + _trailing(comments, head)
    for place, literal in zip(literals, rule.body, strict=True):
        for comment in comments.before(place):
            yield _INDENT + comment_text(comment)
        end = "." if place == literals[-1] else ","
        yield f"{_INDENT}{literal}{end}{_trailing(comments, place)}"


def _place(number: int, index: int) -> tuple[int, str]:
    return number, "head" if index == 0 else str(index)


def _trailing(comments: Comments, place: tuple[int, str]) -> str:
    return trailing_text(comments.trailing.get(place, ()))
