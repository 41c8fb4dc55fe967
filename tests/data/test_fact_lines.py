"""Lines of facts as the parser reads them: what is a fact, and what is said about all else."""

from __future__ import annotations

import pytest

from horae.data.fact_lines.parse import parse_facts
from horae.data.fact_text import facts_of_text
from horae.source.errors import InputError
from horae.source.text import Source


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("((p(a)))@3", "p", ("a",)),
        ("p()@3 % none", "p", ()),
        ("p(a)\n@\n3", "p", ("a",)),
        ("p(a,\nb)@3", "p", ("a", "b")),
        ("always(since)@3 % MeTeoR's word stands in capitals", "always", ("since",)),
        ("s(u)@3 % between formulas only", "s", ("u",)),
        (r"p('it\'s', '\u0041')@3", "p", ("it's", "A")),
    ],
)
def test_spellings_of_a_fact(text, name, arguments):
    (found,), diagnostics = parse_facts(Source("test.facts", text))
    assert diagnostics == []
    assert (found.fact.predicate, found.fact.arguments) == (name, arguments)


NO_FACTS = [
    ("p(a) :- q(a)", "DMT017", 1, "facts are expected here, not a rule"),
    ("p(a)@3 :- q(a)", "DMT017", 1, "facts are expected here, not a rule"),
    ("p(a) :- Boxminus q(a", "DMT005", 19, "`(` is not closed"),
    ("p(a) :- Boxminus q(a)", "DMT017", 1, "facts are expected here, not a rule"),
    ("?- p", "DMT017", 1, "facts are expected here, not a query"),
    ("p(a), q(a)@3", "DMT013", 7, "a fact is a single atom, without a conjunction"),
    ("¬ p(a)@3", "DMT013", 1, "a fact is a single atom, without `not`"),
    ("([-] p(a))@3", "DMT013", 2, "a fact is a single atom, without `[-]`"),
    ("p(a) Since[0,1] q@3", "DMT013", 1, "a fact is a single atom, without `Since`"),
    ("(p(a), q(a))@3", "DMT015", 6, "parentheses and operators hold one formula, not several"),
    ("p(a) :-", "DMT001", 8, "expected a formula, found the end of the file"),
    ("p(,a)@3", "DMT001", 3, "expected `)` or a variable or a constant, found `,`"),
    ("since(a)@3.", "DMT001", 1, "expected a statement, found the keyword `since`"),
]


@pytest.mark.parametrize(("text", "code", "column", "message"), NO_FACTS)
def test_what_is_no_fact(text, code, column, message):
    with pytest.raises(InputError) as refused:
        facts_of_text(f"{text} % no fact", "test.facts")
    found = refused.value
    assert (found.code, found.message) == (code, message)
    assert found.place == f"test.facts:1:{column}"


def test_an_interval_without_its_sign():
    """`p[1,5]` for `p@[1,5]`: there are no operators among facts that it could be."""
    with pytest.raises(InputError) as refused:
        facts_of_text("p[1,5]", "test.facts")
    assert refused.value.help == "an interval stands behind an operator or `@`"


def test_the_place_of_an_interval_is_its_own():
    """Brackets before it, in a comment, are none of it."""
    _, (found,) = parse_facts(Source("test.facts", "p(a) % (see)\n@[3,2]"))
    assert (found.code, found.span.start) == ("DMT024", 14)
