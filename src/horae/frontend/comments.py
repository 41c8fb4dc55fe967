"""Which piece of a program each comment belongs to.

A comment behind a piece on the same line is trailing. One inside of a piece, or on lines of its
own, goes before: the first to the piece that contains it, the second to the piece that follows.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lark import Token

from horae.frontend.lalr import span_of

StatementPlace = tuple[int, str]  # the number of the statement, and the kind of the piece
_END = (-1, "end")


@dataclass(frozen=True, slots=True)
class Comments:
    """The comments of each place, in source order."""

    leading: dict[StatementPlace, list[Token]]
    inside: dict[StatementPlace, list[Token]]
    trailing: dict[StatementPlace, list[Token]]

    @property
    def at_end(self) -> list[Token]:
        """The comments after the last statement."""
        return self.leading.get(_END, [])

    def before(self, place: StatementPlace) -> list[Token]:
        return [*self.leading.get(place, ()), *self.inside.get(place, ())]


NO_COMMENTS = Comments({}, {}, {})


@dataclass(frozen=True, slots=True)
class PieceExtent:
    """The tokens of one piece in the source."""

    place: StatementPlace
    start: int
    end: int
    end_line: int | None

    @staticmethod
    def of(place: StatementPlace, first: Token, last: Token) -> PieceExtent:
        return PieceExtent(place, span_of(first).start, span_of(last).end, last.end_line)


def attach(comments: Iterable[Token], extents: Sequence[PieceExtent]) -> Comments:
    """Give every comment to exactly one piece, or to the end of the file."""
    starts = [extent.start for extent in extents]
    attached = Comments(defaultdict(list), defaultdict(list), defaultdict(list))
    for comment in comments:
        after = bisect_right(starts, span_of(comment).start)
        previous = extents[after - 1] if after else None
        following = extents[after].place if after < len(extents) else _END
        _put(attached, comment, previous, following)
    return attached


def _put(
    attached: Comments, comment: Token, previous: PieceExtent | None, following: StatementPlace
) -> None:
    if previous is not None and span_of(comment).start < previous.end:
        attached.inside[previous.place].append(comment)
    elif previous is not None and comment.line == previous.end_line:
        attached.trailing[previous.place].append(comment)
    else:
        attached.leading[following].append(comment)
