"""What rule languages share: safety, arities, strata."""

from __future__ import annotations

from horae.rules.arities import find_arities
from horae.rules.safety import unbound
from horae.rules.strata import PredicateDependency, find_negative_cycles, find_strata
from horae.rules.terms import Atom, Constant, Variable
from horae.source.text import Span

HERE = Span(0, 0)


def atom(predicate: str, *names: str) -> Atom:
    terms = (Variable(n, span=HERE) if n[0].isupper() else Constant(n, span=HERE) for n in names)
    return Atom(predicate, tuple(terms), span=HERE)


def dependencies(*written: str) -> list[PredicateDependency]:
    """`p q` and `p -q`: p needs q, p needs not q."""
    pairs = [text.split() for text in written]
    return [
        PredicateDependency(head, on.lstrip("-"), on[0] == "-", Span(place, place))
        for place, (head, on) in enumerate(pairs)
    ]


def test_unbound_variables_once_and_in_order() -> None:
    found = unbound([atom("p", "X", "Y", "c"), atom("q", "Z", "Y")], {"X"})
    assert [variable.name for variable in found] == ["Y", "Z"]


def test_the_first_use_decides_the_arity() -> None:
    arities, clashes = find_arities(
        [atom("p", "X"), atom("q"), atom("p", "X", "X"), atom("p", "c")]
    )
    assert arities == {"p": 1, "q": 0}
    assert [len(clash.use.arguments) for clash in clashes] == [2]


def test_strata() -> None:
    needs = dependencies("p q", "q p", "r -p", "r in", "s r", "t -r", "t s")
    assert find_negative_cycles("pqrst", needs) == []
    strata = find_strata("pqrst", needs)
    assert [sorted(stratum) for stratum in strata] == [["p", "q"], ["r", "s"], ["t"]]


def test_input_predicates_have_no_stratum() -> None:
    assert find_strata(["p"], dependencies("p -in")) == (frozenset("p"),)


def test_a_negative_cycle_starts_at_the_negation() -> None:
    needs = dependencies("p q", "q r", "r -p", "s p", "t -t")
    first, second = find_negative_cycles("pqrst", needs)
    assert [(step.head, step.on) for step in first] == [("r", "p"), ("p", "q"), ("q", "r")]
    assert [(step.head, step.on) for step in second] == [("t", "t")]
