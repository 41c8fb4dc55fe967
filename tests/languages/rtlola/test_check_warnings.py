"""RTL090 and on: what is allowed but probably not meant."""

import pytest
from tests.languages.rtlola.checking import accepted, warned

HEAD = "input int a\n"


@pytest.mark.parametrize(
    ("code", "text", "help"),
    [
        ("RTL090", "output x := a[«1sec», 0]", "did you mean -1sec?"),
        ("RTL091", "output int x<int «a»> invoke: a := a", "another name"),
        ("RTL092", "output int x<int p> invoke: a extend: «p > 1» := a", "a rate"),
        ("RTL092", "output int x terminate: «true» := a", "leave `terminate` out"),
        ("RTL093", "output x := a / «0»", ""),
        ("RTL093", "output x := a % «0»", ""),
        ("RTL093", "output x := 2.5 / «-0.0»", ""),
        ("RTL093", "output x := a ^ «-1»", ""),
    ],
)
def test_warned(code, text, help):
    diagnostic = warned(HEAD + text)
    assert diagnostic.code == code
    assert help in diagnostic.help


def test_no_warning():
    accepted(f"{HEAD}output x := a[-1sec, 0] + a[1, 0] + 2.0 ^ -1 + a[0s, 0]")
