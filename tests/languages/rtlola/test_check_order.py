"""RTL050 to RTL053: well-definedness, order of evaluation, the future."""

import pytest
from tests.languages.rtlola.checking import accepted, found, refused

HEAD = "input int a, b\ninput bool c\n"
CYCLES = [
    "output int x := «x» + a",
    "output int x := «x[0, 1]» + a",
    "output int x := «x[10s, 0, sum]» + a",
    "output int x := «x[0s, 0]» + a",
    "output x := «x»",
    "output int x := «y» + a\noutput int y := x",
    "output int x extend: «x[-1, 0]» > 1 := a",
    "output int x invoke: «x» := a",
    "output int x extend: «y» > 1 := a\noutput int y := x",
    "output int x invoke: «y» extend: a > 1 := a\noutput int y := x",
    "output int x<int p> invoke: a := «count(x)»",
    "output int x<int p> invoke: a := «x(p - 1)» + 1",
    "output int x := a[-1, «x»]",
    "output int t<int p> invoke: a := p\noutput int x := t(«x»)[-1, 0]",
]


@pytest.mark.parametrize("text", CYCLES)
def test_a_cycle_at_the_same_position_is_refused(text):
    assert refused(HEAD + text).code == "RTL050"


def test_the_cycle_is_shown_step_by_step():
    diagnostic = refused(
        f"{HEAD}output int x := «y» + 1\noutput int y := z[-1, 0]\noutput int z extend: x > 3 := a"
    )
    assert "`x` → `y` → `z` → `x`" in diagnostic.message
    assert diagnostic.caption == "`x` needs the value of `y` now"
    assert [label.text for label in diagnostic.labels] == [
        "`y` has no `extend`, so it follows `z`",
        "`extend` of `z` needs `x` now",
    ]
    assert diagnostic.help == "give `y` an `extend` of its own"


def test_each_knot_is_reported_once_by_a_shortest_way_round():
    text = "output int u := v\noutput int v := w\noutput int w := u + v\noutput int s := s"
    report = found(HEAD + text)
    assert [d.code for d in report] == ["RTL050", "RTL050"]
    assert "`v` → `w` → `v`" in report[0].message


@pytest.mark.parametrize(
    "text",
    [
        "output int x := x[-1, 0] + a",
        "output int x := x[-1s, 0] + a",
        "output int x := y[-1, 0] + a\noutput int y := x",
        "output int x extend: 1Hz := y[-1, 0]\noutput int y := x + a",
        "output int x<int p> invoke: a := x(p)[-1, 0] + 1",
        "output int x terminate: x > 3 := a",
    ],
)
def test_what_is_well_defined(text):
    accepted(HEAD + text)


# --- counting back

CIRCULAR_PACES = [
    "output int n extend: a > 0 := «o[-1, 0]» + 1\noutput int o extend: n > 3 := a",
    "output int n extend: a > 0 := «o[-1, 0]» + 1\noutput int o extend: p := a\n"
    "output bool p := n > 3",
    "output int n extend: a > 0 := «o[-1, 0]» + 1\noutput int o := p\n"
    "output int p extend: n > 3 := a",
    "output int n extend: a > 0 := «o[-1, 0]» + 1\noutput int o := t(a)\n"
    "output int t<int p> invoke: n extend: a = p := a",
    "output int n extend: a > 0 := «o[-1, 0]» + 1\noutput int o := t(n)[-1, 0]\n"
    "output int t<int p> invoke: b := a",
]


@pytest.mark.parametrize("text", CIRCULAR_PACES)
def test_a_pace_that_depends_on_who_counts_back_is_refused(text):
    diagnostic = refused(HEAD + text)
    assert diagnostic.code == "RTL053"
    assert diagnostic.caption == "`n` counts back in `o`: is it extended here?"


def test_the_circular_pace_is_shown_step_by_step():
    diagnostic = refused(HEAD + CIRCULAR_PACES[1])
    assert [label.text for label in diagnostic.labels] == [
        "`extend` of `o` needs `p` now",
        "`p` needs the value of `n` now",
    ]
    assert "`o[-1s, …]`" in diagnostic.help


@pytest.mark.parametrize(
    "text",
    [
        "output int n extend: a > 0 := n[-1, 0] + 1",
        "output int n extend: a > 0 := o[-1s, 0] + 1\noutput int o extend: n > 3 := a",
        "output int n := o[-1, 0] + a\noutput int o := n[-1, 0] + b",
        "output int n extend: a > 0 := o[-1, 0] + 1\noutput int o := n * 2",
        "output int n extend: c := t(b)[-1, 0] + 1\noutput int t<int p> invoke: n extend: b = p := a",
    ],
)
def test_counting_back_where_the_pace_is_known(text):
    accepted(HEAD + text)


def test_what_the_pace_needs_comes_before_who_counts_back():
    text = (
        "output int n extend: a > 0 := o[-1, 0] + 1\n"
        "output int o extend: p > 3 := n\noutput int p := b"
    )
    assert accepted(HEAD + text).order == ("p", "n", "o")


# --- order


def test_the_order_is_that_of_the_text_where_it_can_be():
    text = "output int z := a\noutput int y := x\noutput int x := z\noutput int w := 1"
    assert accepted(HEAD + text).order == ("z", "x", "y", "w")


def test_what_is_read_in_the_past_comes_first_too_unless_it_waits_for_the_reader():
    text = "output int x extend: 1Hz := y[-1, 0]\noutput int y := a"
    assert accepted(HEAD + text).order == ("y", "x")
    text = "output int x extend: 1Hz := y[-1, 0]\noutput int y := x"
    assert accepted(HEAD + text).order == ("x", "y")


def test_clauses_are_part_of_the_order():
    text = (
        "output int x<int p> invoke: z extend: y := 1\n"
        "output bool y := a > 1\noutput int z := a\n"
        "output int v terminate: w := a\noutput bool w := a > 1"
    )
    assert accepted(HEAD + text).order == ("y", "z", "x", "w", "v")


# --- termination


def _closing(text: str) -> set[str]:
    return {o.name for o in accepted(HEAD + text).outputs if o.template.closes_after}


def test_terminate_that_reads_its_own_value_closes_after_it():
    assert _closing("output int x terminate: x > 3 := a") == {"x"}
    assert _closing("output int x terminate: x[-1, 0] > 3 := a") == {"x"}
    assert _closing("output int x terminate: y > 3 := a\noutput int y := x + 1") == {"x"}
    assert _closing("output int x terminate: a > 3 := a") == set()


def test_so_does_one_that_counts_back_in_the_stream():
    text = "output int x terminate: y > 3 := a\noutput int y extend: a > 0 := x[-1, 0] + 1"
    assert _closing(text) == {"x"}


def test_outputs_that_end_each_other_close_after():
    text = "output int x terminate: y > 3 := a\noutput int y terminate: x > 3 := a"
    assert _closing(text) == {"x", "y"}


def test_an_end_that_looks_at_one_that_closes_after_needs_not():
    text = "output int x terminate: x > 3 and y > 1 := a\noutput int y terminate: x > 3 := a"
    assert _closing(text) == {"x"}


# --- the future


@pytest.mark.parametrize(
    "text",
    [
        "output int x := «x[1, 0]»",
        "output int x := «y[1, 0]»\noutput int y := x[-1, 0] + a",
        "output int x := y[-1, 0]\noutput int y := «x[2, 0]» + a",
        "output int x extend: «y[1, 0]» > 3 := a\noutput int y extend: c := x[-1, 0]",
    ],
)
def test_an_unbounded_future_is_refused(text):
    diagnostic = refused(HEAD + text)
    assert diagnostic.code == "RTL051"
    assert "negative" in diagnostic.help


def test_the_way_back_is_shown():
    diagnostic = refused(f"{HEAD}output int x := «y[1, 0]»\noutput int y := x[-1, 0] + a")
    assert "`x` → `y` → `x`" in diagnostic.message
    assert diagnostic.caption == "`x` needs a later `y`"
    assert [label.text for label in diagnostic.labels] == ["`y` needs an earlier `x`"]


def test_layers_count_the_looks_ahead():
    text = "output int x := a\noutput int y := x[1, 0]\noutput int z := y\noutput int w := z[1, 0]"
    layers = accepted(HEAD + text).layers
    assert layers == {"a": 0, "b": 0, "c": 0, "x": 0, "y": 1, "z": 1, "w": 2}


def test_outputs_that_read_each_other_share_a_layer():
    text = "output int x := y[-1, 0] + a[1, 0]\noutput int y := x[-1, 0]"
    layers = accepted(HEAD + text).layers
    assert layers["x"] == layers["y"] == 1
