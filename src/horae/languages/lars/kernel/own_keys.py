"""What a shard derives: atoms whose key is its own.

Input may be sent to every shard. Then each of them would derive the same, or, where other input is
spread, even too much. So a rule drops the instances of other keys as soon as its key is bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from horae.data.constants import Value
from horae.data.cuts import Rows
from horae.languages.lars.kernel.codes import Codes, are_time_points
from horae.rules.terms import Atom, Variable


@dataclass
class OwnKeys:
    """`places` has the argument that is the key of each derived predicate."""

    places: Mapping[str, int]
    owns: Callable[[Sequence[Value]], npt.NDArray[np.bool_]]
    _known: dict[int, bool] = field(default_factory=dict)

    def key(self, head: Atom) -> str:
        """The variable of a rule that is its key."""
        term = head.arguments[self.places[head.predicate]]
        assert isinstance(term, Variable), "a plan has variables as keys"
        return term.name

    def among(self, column: Rows, codes: Codes) -> npt.NDArray[np.bool_]:
        """Which of the values of a column are own keys; each name is asked about once."""
        distinct, places = np.unique(column, return_inverse=True)
        numbers = are_time_points(distinct)
        own = np.empty(len(distinct), bool)
        own[numbers] = self.owns(distinct[numbers].tolist())
        own[~numbers] = self._named(distinct[~numbers].tolist(), codes)
        return own[places.reshape(-1)]

    def _named(self, constants: Sequence[int], codes: Codes) -> list[bool]:
        unknown = [code for code in constants if code not in self._known]
        if unknown:
            own = self.owns([codes.value(code) for code in unknown])
            self._known.update(zip(unknown, own.tolist(), strict=True))
        return [self._known[code] for code in constants]
