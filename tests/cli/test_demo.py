"""The packaged example, and what the demo makes of its answers."""

from __future__ import annotations

from horae.cli.demo import Alarm, find_alarms
from horae.examples import example
from horae.examples.make_shop import make_sales, to_csv
from horae.languages.rtlola.check.check import load
from horae.languages.rtlola.syntax.format import format_source
from horae.source.text import Source


def test_the_sample_data_is_what_its_generator_makes():
    assert example("shop.csv").read_text() == to_csv(make_sales())
    assert len(make_sales()) == 2000


def test_the_specification_is_right_and_formatted():
    source = Source("shop.lola", example("shop.lola").read_text())
    program, diagnostics = load(source)
    assert program is not None
    assert diagnostics == []
    assert format_source(source) == source.text


def test_alarms_are_the_values_above_the_limit():
    values = [
        {"time": time, "stream": "sales_freq", "params": [product], "value": value}
        for time, product, value in [(1, 7, 100), (2, 7, 101), (3, 8, 5), (4, 7, 105), (5, 9, 101)]
    ]
    assert find_alarms(values) == [Alarm(7, 2, 4, 105, 2), Alarm(9, 5, 5, 101, 1)]
