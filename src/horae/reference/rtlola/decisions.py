"""Questions that may depend on each other, each asked on demand and answered once.

At one position the questions "is this instance active", "is it due", "what is its value" can lead
back to themselves through reads of the past, which need an answer to *whether* only. A question
that is asked while it is being answered gets its presumed answer; whatever was concluded from a
presumption is forgotten, except by the outermost question, which settles it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class Decisions:
    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}
        self._presumed: dict[Hashable, Any] = {}
        self._presumptions = 0

    def decide(self, question: Hashable, presumed: Answer, compute: Callable[[], Answer]) -> Answer:
        if question in self._known:
            return self._known[question]  # type: ignore[no-any-return]
        if question in self._presumed:
            self._presumptions += 1
            return self._presumed[question]  # type: ignore[no-any-return]
        return self._answer(question, presumed, compute)

    def presume(self, question: Hashable, answer: object) -> None:
        """A better presumption, once more is known about an open question."""
        self._presumed[question] = answer

    def _answer(
        self, question: Hashable, presumed: Answer, compute: Callable[[], Answer]
    ) -> Answer:
        before = self._presumptions
        self._presumed[question] = presumed
        try:
            answer = compute()
        finally:
            del self._presumed[question]
        if self._presumptions == before or not self._presumed:
            self._known[question] = answer
        return answer
