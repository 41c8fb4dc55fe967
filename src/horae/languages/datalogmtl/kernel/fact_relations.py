"""Rows of facts whose ends are cuts as interval relations, and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.constant_texts import read_constants, write_constants
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
        name: relation_of(rows.filter(pc.field(names) == name), symbols)
        for name in map(str, rows.column(names).unique().to_pylist())
    }


def relation_of(rows: pa.Table, symbols: Symbols) -> Relation:
    """Of rows about one predicate."""
    arguments = argument_codes(rows, symbols)
    return relation(arguments, rows.column(LO).to_numpy(), rows.column(HI).to_numpy())


def argument_codes(rows: pa.Table, symbols: Symbols) -> Rows:
    """A column per argument, of rows about one predicate."""
    lists: Any = rows.column(ARGS).combine_chunks()
    constants = lists.flatten().dictionary_encode()
    codes = symbols.encode(read_constants(constants.dictionary))
    places: Rows = constants.indices.to_numpy(zero_copy_only=False)
    return codes[places].reshape(len(rows), len(places) // len(rows))


def relation_batches(found: Relations, symbols: Symbols) -> Iterator[pa.RecordBatch]:
    """Batches of rows; the names of the relations are the predicates."""
    for name, rows in found.items():
        for start in range(0, len(rows), _BATCH):
            part = rows.take(np.arange(start, min(start + _BATCH, len(rows))))
            yield _batch(name, part, symbols)


def _batch(name: str, rows: Relation, symbols: Symbols) -> pa.RecordBatch:
    used, places = np.unique(rows.arguments, return_inverse=True)
    texts = write_constants([symbols.values[code] for code in used.tolist()])
    starts: Any = pa.array(np.arange(len(rows) + 1, dtype=np.int32) * np.int32(rows.width))
    return pa.record_batch(
        {
            PREDICATE: pa.repeat(pa.scalar(name, pa.string()), len(rows)),
            ARGS: pa.ListArray.from_arrays(starts, texts.take(places.reshape(-1))),
            LO: pa.array(rows.lo),
            HI: pa.array(rows.hi),
        }
    )
