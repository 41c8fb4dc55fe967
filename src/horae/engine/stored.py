"""Which chunks a store holds, by their digests, so that only what changed is written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

from horae.engine.journal import Change


def digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


@dataclass
class Stored:
    """Digests by the names of chunks."""

    digests: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, chunks: Mapping[str, bytes]) -> Self:
        return cls({name: digest(data) for name, data in chunks.items()})

    def changes(self, chunks: Iterable[tuple[str, bytes]]) -> Iterator[Change]:
        """What the store needs to hold these chunks, and no others."""
        found: dict[str, str] = {}
        for name, data in chunks:
            found[name] = digest(data)
            if self.digests.get(name) != found[name]:
                yield name, data
        yield from ((name, None) for name in self.digests.keys() - found.keys())
        self.digests = found
