"""The generated source of small specifications, to be read."""

from __future__ import annotations

import pytest
from syrupy.extensions.single_file import SingleFileSnapshotExtension
from tests.languages.rtlola.kernel.driving import checked, options_for

from horae.languages.rtlola.kernel.generate import generate

SPECS = {
    "difference": "input int a\noutput int diff := a - a[-1, 0]\noutput int acc := acc[-1, 0] + diff",
    "clocked": """input double speed
output double mean extend: 1Hz := speed[5 s, 0.0, avg]
trigger mean > 30.0 "fast"
""",
    "template": """input int id_in
output int n<int id>
    invoke: id_in
    extend: id_in = id
    := n(id)[-1, 0] + 1
trigger any(n > 2)
""",
}


class SourceFiles(SingleFileSnapshotExtension):
    file_extension = "py.txt"

    def serialize(self, data, **_):
        return data.encode()


@pytest.mark.parametrize("name", SPECS)
def test_source(name, snapshot):
    program = checked(SPECS[name])
    text = generate(program, options_for(program)).text
    compile(text, name, "exec")
    assert text == snapshot(extension_class=SourceFiles)


def test_the_same_program_gives_the_same_source():
    """The name of the compiled loop is made from the text."""
    texts = [generate(checked(SPECS["template"]), options_for(checked(SPECS["template"]))).text]
    texts.append(generate(checked(SPECS["template"]), options_for(checked(SPECS["template"]))).text)
    assert texts[0] == texts[1]


def test_values_that_make_new_strings_need_the_plain_loop():
    source = generate(
        checked("input int a\noutput string s := string(a)"), options_for(checked("input int a"))
    )
    assert source.interpreted == "string() of a value that is not text"
