"""Good rows among bad ones, with a reader that refuses all at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from horae.data.sifting import read_good_lines, sift
from horae.source.errors import InputError


def numbers(rows: list[str]) -> list[int]:
    for row in rows:
        if not row.isdigit():
            raise InputError("INP017", f"`{row}` is no number")
    return [int(row) for row in rows]


@given(st.lists(st.sampled_from(["1", "22", "x", ""])))
def test_every_row_is_read_or_refused_once_and_in_order(rows):
    found: list[object] = []
    for start, stop, part in sift(len(rows), lambda a, b: numbers(rows[a:b])):
        assert not isinstance(part, InputError) or stop == start + 1
        found += [part.message] if isinstance(part, InputError) else part
    assert found == [int(row) if row.isdigit() else f"`{row}` is no number" for row in rows]


def test_good_lines_of_a_file(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes(b"\xef\xbb\xbf1\n\xff\n2\nx\n3")
    assert read_good_lines(file, lambda text: numbers(text.split("\n"))) == [1, 2, 3]
