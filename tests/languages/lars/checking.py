"""How the tests of the checks write their cases: a text in which «…» marks the expected place."""

from horae.languages.lars.check.check import load
from horae.languages.lars.program import Program
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source, Span


def accepted(text: str) -> Program:
    """The program; the text must have no error and no warning."""
    program, report = load(Source("spec.lars", text))
    assert report == []
    assert program is not None
    return program


def refused(marked: str) -> Diagnostic:
    """The only diagnostic of the text, which stands at the marked place and is an error."""
    (diagnostic,), source = _findings(marked)
    assert diagnostic.is_error
    assert load(source)[0] is None
    return diagnostic


def warned(marked: str) -> Diagnostic:
    """The only diagnostic of the text, a warning at the marked place: there is a program."""
    (diagnostic,), source = _findings(marked)
    assert not diagnostic.is_error
    assert load(source)[0] is not None
    return diagnostic


def _findings(marked: str) -> tuple[list[Diagnostic], Source]:
    start, end = marked.index("«"), marked.index("»") - 1
    source = Source("spec.lars", marked.replace("«", "").replace("»", ""))
    report = load(source)[1]
    assert [(d.code, d.message, source.snippet(d.span)) for d in report] == [
        (d.code, d.message, source.snippet(Span(start, end))) for d in report
    ]
    assert [d.span for d in report] == [Span(start, end)]
    return report, source
