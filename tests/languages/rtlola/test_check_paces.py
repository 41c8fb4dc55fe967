"""When outputs and triggers are evaluated."""

from fractions import Fraction

from tests.languages.rtlola.checking import accepted, refused

from horae.languages.rtlola.check.paces import streams_of
from horae.languages.rtlola.program import (
    Always,
    Follows,
    Pace,
    Parameter,
    Periodic,
    Quantified,
    When,
)

HEAD = "input int a, b\ninput bool c\n"
TEMPLATE = "output int t<int p> invoke: a extend: a = p := p\n"


def _pace(name: str, text: str) -> Pace:
    return accepted(HEAD + text).output(name).pace


def _followed(pace: Pace) -> list[str]:
    assert isinstance(pace, Follows)
    return [stream for access in pace.accesses for stream in streams_of(access)]


def test_extend_with_a_rate_or_a_condition():
    assert _pace("x", "output x extend: 0.1Hz := a") == Periodic(Fraction(10))
    assert _pace("x", "output x extend: 500ms := a") == Periodic(Fraction(1, 2))
    assert isinstance(_pace("x", "output x extend: c := a"), When)
    assert _pace("x", "output x extend: true := a") == Always()


def test_without_extend_an_output_follows_what_it_reads():
    text = "output x := a + b[-1, 0] + y[10s, if c then 1 else 2, sum]\noutput y := a"
    assert _followed(_pace("x", text)) == ["a", "b", "y", "c"]


def test_one_stream_is_followed_once():
    assert _followed(_pace("x", "output x := a + a[-1, 0] * a[1s, 0, sum]")) == ["a"]


def test_arguments_are_read_too():
    assert _followed(_pace("x", TEMPLATE + "output x := t(b)[0, 0] + t(a)[0, 0]")) == [
        "t",
        "b",
        "t",
        "a",
    ]


def test_a_constant_is_everywhere_and_so_is_what_reads_only_itself():
    assert _pace("x", "output x := 1") == Always()
    assert _pace("x", "output x := x[-1, 0] + 1") == Always()


def test_reads_of_itself_do_not_count():
    assert _followed(_pace("x", "output x := x[-1, 0] + a")) == ["a"]


def test_the_header_paces_outputs_without_extend_but_not_triggers():
    program = accepted(
        f"frequency 2Hz\n{HEAD}output x := a\noutput y extend: c := 1\ntrigger a > 1"
    )
    assert program.frequency == Fraction(1, 2)
    assert program.output("x").pace == Periodic(Fraction(1, 2))
    assert isinstance(program.output("y").pace, When)
    assert _followed(program.triggers[0].pace) == ["a"]


def test_outputs_that_read_each_other_share_one_pace():
    program = accepted(f"{HEAD}output x := y[-1, 0] + a\noutput y := x[-1, 0] + b")
    assert program.output("x").pace == program.output("y").pace
    assert _followed(program.output("x").pace) == ["a", "b"]


def test_a_shared_pace_speaks_of_the_parameters_of_each_template():
    text = (
        f"{HEAD}{TEMPLATE}"
        "output int x<int k> invoke: a := y(k)[-1, 0] + t(k)[0, 0]\n"
        "output int y<int n> invoke: a := x(n)[-1, 0]"
    )
    pace = accepted(text).output("y").pace
    assert isinstance(pace, Follows)
    (access,) = pace.accesses
    assert not isinstance(access, Quantified)
    (argument,) = access.target.arguments
    assert isinstance(argument, Parameter)
    assert argument.name == "n"


def test_templates_with_different_parameters_cannot_share_a_pace():
    diagnostic = refused(
        f"{HEAD}{TEMPLATE}"
        "output int «x»<int k> invoke: a := y[-1, 0] + t(k)[0, 0]\n"
        "output int y := x(1)[-1, 0] + a"
    )
    assert diagnostic.code == "RTL052"
    assert [label.text for label in diagnostic.labels] == ["has ()"]
    assert "`extend`" in diagnostic.help


def test_a_quantifier_stands_for_the_instances_in_it():
    program = accepted(f"{HEAD}{TEMPLATE}trigger any(t > b) and count(t) > 1 or t(1) > 2")
    pace = program.triggers[0].pace
    assert isinstance(pace, Follows)
    assert [type(a).__name__ for a in pace.accesses] == ["Quantified", "Hold", "Hold"]
    assert _followed(pace) == ["t", "b", "t"]


def test_a_trigger_that_reads_nothing_is_evaluated_everywhere():
    assert accepted("input int a\ntrigger 1 > 2").triggers[0].pace == Always()


def test_terminate():
    text = f"{HEAD}output x terminate: 10s := a\noutput y terminate: c := a\n"
    program = accepted(text + "output z terminate: false := a")
    assert program.output("x").template.terminate == Periodic(Fraction(10))
    assert isinstance(program.output("y").template.terminate, When)
    assert program.output("z").template.terminate is None
