"""Fragments: each construct leaves exactly those that the paper keeps it out of."""

from __future__ import annotations

import pytest
from tests.languages.datalogmtl.checking import accepted
from tests.languages.datalogmtl.test_parse import PAPER, SHORT_STOP

from horae.languages.datalogmtl.check.fragments import FragmentName, find_fragment


@pytest.mark.parametrize(
    ("text", "name", "construct", "reason"),
    [
        ("p(X) :- q(X), p(X)", FragmentName.DATALOG, "", ""),
        ("", FragmentName.DATALOG, "", ""),
        ("p :- Boxminus[0,1] q", FragmentName.MITL_FP, "Boxminus[0,1]", "temporal operator"),
        ("Boxplus[0,1] p :- q", FragmentName.MITL_FP, "Boxplus[0,1] in the head", "temporal"),
        ("p :- Boxminus[1] q", FragmentName.MTL_FP, "Boxminus[1,1]", "punctual"),
        ("Boxplus[1] p :- q", FragmentName.MTL_FP, "Boxplus[1,1] in the head", "punctual"),
        ("p :- Boxplus[0,1] q", FragmentName.FULL, "Boxplus[0,1]", "future"),
        ("p :- Boxminus[0,1] Diamondplus[1] q", FragmentName.FULL, "Diamondplus[1,1]", "future"),
        ("Boxminus[0,1] p :- q", FragmentName.FULL, "Boxminus[0,1] in the head", "past"),
        ("p :- a Since[0,1] b", FragmentName.FULL, "Since[0,1]", "`Since`"),
        ("p :- a Until[0,1] b", FragmentName.FULL, "Until[0,1]", "`Until`"),
        ("p :- a, not b", FragmentName.FULL, "not", "negation"),
    ],
)
def test_the_construct_that_leaves(text: str, name: str, construct: str, reason: str) -> None:
    program = accepted(text)
    fragment = find_fragment(program)
    assert fragment.name == name
    smaller = list(FragmentName)[: list(FragmentName).index(fragment.name)]
    for excluded in FragmentName:
        found = fragment.excluded_from(excluded)
        assert bool(found) == (excluded in smaller)
        assert fragment.contains_program(excluded) == (excluded not in smaller)
    if smaller:
        exclusion = fragment.excluded_from(smaller[-1])[0]
        assert exclusion.rule is program.rules[0]
        assert exclusion.construct == construct
        assert reason in exclusion.reason


def test_the_programs_of_the_paper_and_of_its_data() -> None:
    assert find_fragment(accepted(PAPER)).name is FragmentName.MITL_FP
    short_stop = find_fragment(accepted(SHORT_STOP))
    assert short_stop.name is FragmentName.MTL_FP
    assert len(short_stop.excluded_from(FragmentName.MITL_FP)) == 2 + 3 + 4 + 5
