"""Columns of Arrow as the program wants them."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from horae.data.columns import with_own_texts


def test_a_slice_keeps_the_texts_of_its_own_rows():
    coded = pa.array(["a", "b", None, "c", "b"]).dictionary_encode()
    whole = pa.table({"n": range(5), "text": coded})
    piece = with_own_texts(whole.slice(1, 2))
    assert piece.schema == whole.schema
    assert piece.to_pydict() == {"n": [1, 2], "text": ["b", None]}
    chunk: Any = piece.column("text").chunk(0)
    assert chunk.dictionary.to_pylist() == ["b"]
