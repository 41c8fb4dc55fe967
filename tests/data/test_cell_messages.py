"""Messages about one value of a table: all have the same gaps, and say where the value stands."""

from __future__ import annotations

import pytest

from horae.data import catalogue, catalogue_facts, catalogue_rows
from horae.data.cell_messages import LONGEST, CellMessage
from horae.data.layout import Place
from horae.source.messages import Message

ALL = {
    name: message
    for home in (catalogue, catalogue_facts, catalogue_rows)
    for name, message in vars(home).items()
    if isinstance(message, CellMessage)
}


@pytest.mark.parametrize("name", sorted(ALL))
def test_gaps_are_the_column_and_the_value(name):
    message = ALL[name]
    gaps = Message(message.code, message.text, message.help).gaps
    assert "column" in gaps
    assert gaps <= {"column", "found", "precision", "remedy"}


def test_place_row_and_a_long_value():
    error = catalogue_facts.NOT_A_CONSTANT(Place("p.csv", first_row=2), 3, "a", "x" * 100)
    assert (error.code, error.place, error.row) == ("INP023", "p.csv", 5)
    shown = "x" * (LONGEST - 1) + "…"
    assert error.message == f"the column `a` holds `{shown}`, which cannot be an argument"
