"""Which shards a specification runs in, and what each group of them computes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array
from horae.data.key_homes import hash_column
from horae.languages.rtlola.kernel.options import Options, QuantifiedMode
from horae.languages.rtlola.plan.stages import Partition, Shards
from horae.languages.rtlola.program import Program


@dataclass(frozen=True)
class Part:
    """Shards with the same program. `keys` are the inputs that spread rows over them.

    One that `exports` also tells the join how its operators over instances change.
    """

    program: Program
    options: Options
    keys: tuple[str, ...]
    present: tuple[tuple[str, str], ...]
    shards: int
    exports: bool = False


def parts_of(plan: Partition, options: Options, shards: int) -> Iterator[Part]:
    """Those that are answered by shards; the join comes after them."""
    for stage in plan.shards:
        yield (_exporting if stage.exported else _spread)(stage, options, shards)
    if plan.single is not None:
        yield Part(plan.single.program, options, (), (), 1)


def _spread(stage: Shards, options: Options, shards: int) -> Part:
    return Part(stage.program, options, stage.keys, stage.present, shards)


def _exporting(stage: Shards, options: Options, shards: int) -> Part:
    own = replace(options, quantified=QuantifiedMode.EXPORT, joined=stage.exported)
    return replace(_spread(stage, own, shards), exports=True)


def homes(rows: pa.Table, keys: Sequence[str], shards: int) -> list[Array]:
    """Per key column, the number of each row's shard; null where the key is null."""
    return [_home(rows.column(key).combine_chunks(), shards) for key in keys]


def _home(column: Array, shards: int) -> Array:
    numbers = pa.array((hash_column(column) % shards).astype("int32"))
    found: Array = pc.if_else(pc.is_valid(column), numbers, pa.scalar(None, pa.int32()))
    return found
