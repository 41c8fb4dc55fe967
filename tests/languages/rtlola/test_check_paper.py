"""Every specification of the RTLola paper is accepted."""

import pytest
from tests.languages.rtlola.checking import accepted, warned

FIGURE_1 = """
input int prod_id
output int sales_freq<int id>
  invoke: prod_id
  extend: id = prod_id
  := prod_id[1h, 0, count(id)]
trigger any(sales_freq > 100)
"""
SECTION_3 = """
input int viewed
input int sold_out
output int num_of_views<int id>
    invoke: viewed
    extend: viewed = id
    terminate: sold_out = id
    := num_of_views(id)[-1,0] + 1
output int view_freq <int id >
    invoke: viewed
    extend: viewed = id
    terminate: sold_out = id
    := num_of_views[120m, 0, count]
trigger any(view_freq > 100)
trigger count(view_freq > 100) > 5
"""
SECTION_3_1 = """
input double a,b
output double diff = abs(a - b[-1,0])
output double acc = diff[10sec,0,avg]
"""
SECTION_3_1_FIXED_RATE = """
input double a,b
output double diff
    extend: 1Hz
    = abs(a - b[-1,0])
output double acc = diff[10sec,0,avg]
"""
SECTION_3_1_REAL_TIME = """
input double a,b
output double diff
    extend: 1Hz
    = abs(a - b[«1sec»,0])
output double acc = diff[10sec,0,avg]
"""
FIGURE_8 = """
frequency 0.1 Hz
input string uid, pid
input double stars
timeinput double ts
output double stars_by_prod <string prod>
  invoke: pid
  extend: pid = prod
  := stars
output double star_avg_l <string prod>
  invoke: pid
 := stars_by_prod(prod)[100 s, average, 0.0]
output double star_avg_s <string prod>
  invoke: pid
  := stars_by_prod(prod)[10 s, average, 0.0]
output double avg_delta <string prod>
  invoke: pid
 := star_avg_l(prod)[0, 0.0] - star_avg_s(prod)[0, 0.0]
trigger any(avg_delta > 1.0)
"""


@pytest.mark.parametrize(
    "text", [FIGURE_1, SECTION_3, SECTION_3_1, SECTION_3_1_FIXED_RATE, FIGURE_8]
)
def test_accepted(text):
    accepted(text)


def test_the_real_time_variant_is_accepted_with_the_warning_about_its_sign():
    assert warned(SECTION_3_1_REAL_TIME).code == "RTL090"


def test_the_clock_of_figure_8_is_an_input_too():
    program = accepted(FIGURE_8)
    assert program.clock is not None
    assert program.clock.name == "ts"
    assert program.order == ("stars_by_prod", "star_avg_l", "star_avg_s", "avg_delta")
