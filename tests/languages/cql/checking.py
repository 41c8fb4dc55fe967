"""How the tests of the checks write their cases: a text in which «…» marks the expected place."""

from horae.languages.cql import program
from horae.languages.cql.check.check import load
from horae.languages.cql.program import Program, Select
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source, Span

INPUTS = """\
REGISTER STREAM s(A int, B double, C string, D bool);
REGISTER STREAM t(A int, E string);
REGISTER RELATION r(A int, C string);
"""


def accepted(text: str) -> Program:
    """The program; the text, behind the inputs, must have no error and no warning."""
    found, report = load(Source("spec.cql", INPUTS + text))
    assert report == []
    assert found is not None
    return found


def body(text: str) -> program.Body:
    """The last query of the text."""
    return accepted(text).queries[-1].body


def select(text: str) -> Select:
    rows = body(text).rows
    assert isinstance(rows, Select)
    return rows


def refused(marked: str) -> Diagnostic:
    """The only diagnostic of the text, which stands at the marked place and is an error."""
    text = INPUTS + marked
    start, end = text.index("«"), text.index("»") - 1
    source = Source("spec.cql", text.replace("«", "").replace("»", ""))
    found, report = load(source)
    assert found is None
    assert [(d.code, source.snippet(d.span)) for d in report] == [
        (d.code, source.snippet(Span(start, end))) for d in report
    ]
    (diagnostic,) = report
    assert diagnostic.span == Span(start, end)
    assert diagnostic.is_error
    return diagnostic
