"""RTL09x and RTL111: what is allowed but probably not meant."""

import pytest
from tests.languages.rtlola.checking import accepted, warned

HEAD = "input int a\n"
HIGH = "output high<int p> invoke: a := a > 3"


@pytest.mark.parametrize(
    ("code", "text", "help"),
    [
        ("RTL090", "output x := a[«1sec», 0]", "did you mean -1sec?"),
        ("RTL091", "output int x<int «a»> invoke: a := a", "another name"),
        ("RTL092", "output int x extend: «false» := a", "a rate"),
        ("RTL093", "output x := a / «0»", ""),
        ("RTL093", "output x := a % «0»", ""),
        ("RTL093", "output x := 2.5 / «-0.0»", ""),
        ("RTL093", "output x := a ^ «-1»", ""),
        ("RTL111", f"{HIGH} output n := «count(high)» + 1", "`count(high = true)`"),
        ("RTL111", f"{HIGH} trigger «count(high)» > 3", "`count(high = true)`"),
    ],
)
def test_warned(code, text, help):
    diagnostic = warned(HEAD + text)
    assert diagnostic.code == code
    assert help in diagnostic.help


def test_no_warning():
    accepted(f"{HEAD}{HIGH} output n := count(high = true) + count(high or true)")
    accepted(f"{HEAD}output t<int p> invoke: a := a output n := count(t)")
    accepted(f"{HEAD}output x := a[-1sec, 0] + a[1, 0] + 2.0 ^ -1 + a[0s, 0]")
