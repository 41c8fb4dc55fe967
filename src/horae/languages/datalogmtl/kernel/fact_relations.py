"""Rows of facts whose ends are cuts as interval relations, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.constant_texts import read_constants
from horae.data.cuts import Rows
from horae.data.fact_columns import ARGS, PREDICATE
from horae.data.symbols import Symbols
from horae.languages.datalogmtl.kernel.fixpoint import Relations
from horae.rules.intervals.relation import Relation, relation

LO, HI = "lo", "hi"

_BATCH = 1 << 16


def to_relations(rows: pa.Table, names: str, symbols: Symbols) -> Relations:
    """A relation per name in the column `names`."""
    return {
        name: _relation_of(rows.filter(pc.field(names) == name), symbols)
        for name in map(str, rows.column(names).unique().to_pylist())
    }


def relations_of(rows: Mapping[str, pa.Table]) -> tuple[Relations, Symbols]:
    """The relations of rows by their predicates, and all constants, which are not read yet."""
    flat = [_flat(own) for own in rows.values()]
    texts: Any = pa.chunked_array(flat, pa.string()).dictionary_encode().unify_dictionaries()
    codes = [np.empty(0, np.int32), *(part.indices.to_numpy() for part in texts.chunks)]
    whole, ends = np.concatenate(codes), accumulate(map(len, flat), initial=0)
    parts = (whole[begin:end] for begin, end in pairwise(ends))
    found = {
        name: _relation(own, part) for (name, own), part in zip(rows.items(), parts, strict=True)
    }
    return found, Symbols(texts.chunk(0).dictionary if texts.num_chunks else None)


def _relation_of(rows: pa.Table, symbols: Symbols) -> Relation:
    """Of rows about one predicate."""
    return _relation(rows, argument_codes(rows, symbols))


def _relation(rows: pa.Table, codes: Rows) -> Relation:
    """`codes` are those of all arguments, row by row."""
    arguments = codes.astype(np.int64).reshape(len(rows), codes.size // len(rows))
    return relation(arguments, rows.column(LO).to_numpy(), rows.column(HI).to_numpy())


def argument_codes(rows: pa.Table, symbols: Symbols) -> Rows:
    """A column per argument, of rows about one predicate."""
    constants = _flat(rows).dictionary_encode()
    codes = symbols.encode(read_constants(constants.dictionary))
    places: Rows = constants.indices.to_numpy(zero_copy_only=False)
    return codes[places].reshape(len(rows), len(places) // len(rows))


def _flat(rows: pa.Table) -> Any:
    """The texts of all arguments, row by row."""
    lists: Any = rows.column(ARGS).combine_chunks()
    return lists.flatten()


def relation_batches(found: Relations, symbols: Symbols) -> Iterator[pa.RecordBatch]:
    """Batches of rows; the names of the relations are the predicates."""
    for name, rows in found.items():
        for start in range(0, len(rows), _BATCH):
            part = rows.take(np.arange(start, min(start + _BATCH, len(rows))))
            yield _batch(name, part, symbols)


def _batch(name: str, rows: Relation, symbols: Symbols) -> pa.RecordBatch:
    used, places = np.unique(rows.arguments, return_inverse=True)
    texts = symbols.texts(used)
    starts: Any = pa.array(np.arange(len(rows) + 1, dtype=np.int32) * np.int32(rows.width))
    return pa.record_batch(
        {
            PREDICATE: pa.repeat(pa.scalar(name, pa.string()), len(rows)),
            ARGS: pa.ListArray.from_arrays(starts, texts.take(places.reshape(-1))),
            LO: pa.array(rows.lo),
            HI: pa.array(rows.hi),
        }
    )
