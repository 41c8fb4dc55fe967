"""RTL020 to RTL029: names."""

import pytest
from tests.languages.rtlola.checking import accepted, found, refused

CASES = [
    ("RTL020", "input int speed\noutput int a := «sped» + 1", "did you mean `speed`?"),
    ("RTL020", "input int a\noutput int b := «sqrt»", "`sqrt` is a function"),
    ("RTL020", "input int a\noutput int b := «avg»", "`avg` is an aggregation"),
    (
        "RTL020",
        "input int a\noutput int b<int limit> invoke: a := «limits»",
        "did you mean `limit`?",
    ),
    ("RTL020", "input int a\noutput int b<int p> invoke: «aa» := p", "did you mean `a`?"),
    ("RTL020", "output int b := «gone»[-1, 0]", ""),
    ("RTL021", "input int a\noutput int b := «abss(a)»", "did you mean `abs`?"),
    ("RTL021", "input int a\noutput int b := «sum(a)»", "stands in a window"),
    ("RTL022", "input int a\ninput double «a»", "another name"),
    ("RTL022", "input int a\noutput int «a» := 1", "another name"),
    ("RTL022", "input int a\noutput int b<int p, int «p»> invoke: (a, a) := 1", "another name"),
    ("RTL023", "input int «min»", "for example `my_min`"),
    ("RTL023", "input int a\noutput int «length» := a", "for example"),
    ("RTL023", "input int a\noutput int «count»<int p> invoke: a := p", "for example"),
    ("RTL024", "timeinput double ts\ntimeinput «double t»", "make it an `input`"),
    ("RTL025", "frequency 1Hz\n«frequency 2Hz»", "`extend`"),
    ("RTL027", "input int a\noutput int b := «left.a»", ""),
    ("RTL028", "input int a\noutput int b<int p> invoke: a := «p»[-1, 0]", "write just `p`"),
    ("RTL038", "timeinput «string» ts", "declare it `double`"),
]


@pytest.mark.parametrize(("code", "text", "help"), CASES)
def test_refused(code, text, help):
    diagnostic = refused(text)
    assert diagnostic.code == code
    assert help in diagnostic.help


def test_an_aggregation_shares_the_names_of_streams_and_of_the_built_in_ones():
    body = "{ state: n int = 0; step: n := n; combine: n := left.n; result: n }"
    assert refused(f"input int a\naggregation «a»(x: int) -> int {body}").code == "RTL022"
    assert refused(f"aggregation «sum»(x: int) -> int {body}").code == "RTL023"


def test_the_first_declaration_is_shown():
    diagnostic = refused("input int a\ninput double «a»")
    assert diagnostic.labels[0].text == "declared first here"
    assert diagnostic.labels[0].span.start == len("input int ")


def test_a_stream_without_parameters_may_be_called_like_an_aggregation():
    program = accepted("input int a\noutput int count := count[-1, 0] + a\noutput int sum := a")
    assert program.order == ("count", "sum")


def test_several_errors_at_once_in_the_order_of_the_text():
    report = found("output int a := x\noutput int b := y + 1\noutput string c := 1\ntrigger z > 1")
    assert [d.code for d in report] == ["RTL020", "RTL020", "RTL034", "RTL020"]


def test_an_unknown_name_has_no_consequences():
    text = "input bool c\n" + "\n".join(
        (
            'output string s := if c then (gone + 1) else ""',
            "output bool b := not s2 and s2 > 1",
            "output s2 := s2[-1, 0] + gone",
            "trigger any(gone > 1)",
            "trigger sqrt(gone) = abs(gone)",
        )
    )
    report = found(text)
    assert {d.code for d in report} == {"RTL020"}
    assert len(report) == 5
