"""RTL040 to RTL049 and RTL110: templates and clauses."""

import pytest
from tests.languages.rtlola.checking import accepted, refused

from horae.data.types import Type
from horae.languages.rtlola.program import (
    Hold,
    Parameter,
    Quantified,
    Quantifier,
    Reference,
    Window,
)
from horae.source.text import Span

HEAD = (
    "input int i\ninput string s\n"
    "output int t<int p> invoke: i := p\n"
    "output int u<int p, string q> invoke: (i, s) := p\n"
)
NOWHERE = Span(0, 0)
CASES = [
    ("RTL040", "output int x := «u(1)»", ""),
    ("RTL040", "output int x := «t(1, 2)»[-1, 0]", ""),
    ("RTL041", "output int x := u(«s», s)", ""),
    ("RTL041", "output int x := t(«1.5»)", ""),
    ("RTL042", "output int x := «i(3)»", "write `i`"),
    ("RTL043", "output int x := «t»", "give arguments: `t(p)`"),
    ("RTL043", "output int x<string q> invoke: s := «t»[-1, 0]", "`any(t …)`"),
    ("RTL043", "trigger «t» > 3", "`any(t …)`"),
    ("RTL044", "trigger «any(i > 3)»", "leave `any` out"),
    ("RTL044", "trigger «any(t(3) > 3)»", "drop the arguments of `t`"),
    ("RTL044", "output int x := «count(i)»", "use a window"),
    ("RTL045", "trigger «any(t > u)»", ""),
    ("RTL046", "output int «x»<int p> := p", "add `invoke: …`"),
    ("RTL046", "output int «x»<int p, int q> := p", "`invoke: (…, …)`"),
    ("RTL047", "output int x<int p, int q> invoke: «i» := p", "(a, b)"),
    ("RTL048", "output int x<string p> invoke: «i» := 1", "declare `p` as int"),
    ("RTL048", "output int x<double p> invoke: «i» := 1", "declare `p` as int"),
    ("RTL110", "output int x extend: «1 > 0» := i", "`extend: true` is every position"),
    ("RTL110", "output int x<int p> invoke: i extend: «p > 0» := i", "such as `1Hz`"),
    ("RTL110", "output int x terminate: «true» := i", "name a stream in it"),
    (
        "RTL110",
        "output int x<int p> invoke: i terminate: «not (p > 0)» := i",
        "name a stream in it",
    ),
]


@pytest.mark.parametrize(("code", "text", "help"), CASES)
def test_refused(code, text, help):
    diagnostic = refused(HEAD + text)
    assert diagnostic.code == code
    assert help in diagnostic.help


def test_each_template_of_a_range_is_shown_with_its_parameters():
    labels = refused(f"{HEAD}trigger «any(t > u)»").labels
    assert [label.text for label in labels] == ["`t` has (int)", "`u` has (int, string)"]


def test_inside_a_template_with_the_same_parameter_types_arguments_can_be_left_out():
    program = accepted(f"{HEAD}output int x<int key> invoke: i := t[120m, 0, count]")
    window = program.output("x").expression
    assert isinstance(window, Window)
    key = Parameter("key", 0, Type.INT, span=NOWHERE)
    assert window.target == Reference("t", (key,), span=NOWHERE)


def test_int_arguments_widen():
    text = "input double d\ninput int i\noutput int t<double p> invoke: d := 1\noutput x := t(i)"
    hold = accepted(text).output("x").expression
    assert isinstance(hold, Hold)
    assert [a.type for a in hold.target.arguments] == [Type.DOUBLE]


def test_count_of_a_name_counts_instances():
    expression = accepted(f"{HEAD}output x := count(t)").output("x").expression
    assert expression == Quantified(Quantifier.COUNT, ("t",), None, Type.INT, span=NOWHERE)


def test_a_condition_ranges_over_the_templates_without_arguments():
    text = f"{HEAD}output int v<int p> invoke: i := p\ntrigger any(t > v[-1, 0] and t(3) > i)"
    over = accepted(text).triggers[0].condition
    assert isinstance(over, Quantified)
    assert over.templates == ("t", "v")


def test_inside_a_quantifier_a_template_means_each_instance_also_within_a_template():
    program = accepted(f"{HEAD}output bool x<int p> invoke: i := any(t > p)")
    over = program.output("x").expression
    assert isinstance(over, Quantified)
    assert over.templates == ("t",)


def test_instances_invoke_instances():
    program = accepted(f"{HEAD}output int x<int p> invoke: t := p")
    assert program.output("x").template.invoke == ("t",)


def test_an_output_without_parameters_can_be_invoked_by_any_stream():
    program = accepted(f"{HEAD}output int x invoke: s := 1")
    assert program.output("x").template.invoke == ("s",)


def test_triggers_are_numbered_and_keep_their_text():
    program = accepted(f'{HEAD}trigger i > 1, any(t  > 3) "much"\ntrigger s = "x"')
    assert [(t.number, t.text, t.message) for t in program.triggers] == [
        (1, "i > 1", "much"),
        (2, "any(t  > 3)", "much"),
        (3, 's = "x"', None),
    ]
