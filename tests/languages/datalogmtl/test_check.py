"""Every check by its code: where it points and what it proposes."""

from __future__ import annotations

import pytest
from tests.languages.datalogmtl.checking import accepted, refused, warned
from tests.languages.datalogmtl.test_parse import PAPER, SHORT_STOP

from horae.data.intervals import Interval
from horae.languages.datalogmtl.check.check import check, load
from horae.languages.datalogmtl.syntax.tree import Head, Literal, Modal, Operator, Rule, Tree
from horae.rules.terms import Atom
from horae.source.text import Source, Span

ERRORS = [
    ("DMT020", "p(X,«Y») :- q(X)", "positive literal with `Y`"),
    ("DMT020", "p(«_») :- q", "positive literal with `_`"),
    ("DMT020", "Boxplus[0,1] p(«X») :- Boxminus[0,1] q, r", "positive literal"),
    ("DMT020", "p(«X») :- a(X) Since[0,1] b", "positive literal"),
    ("DMT020", "p(«X») :- not q(X)", "positive literal"),
    ("DMT021", "p(X) :- q(X), not r(X,«Y»)", "positive literal with `Y`"),
    ("DMT021", "p(X) :- q(X), not r(X,«_»)", "`some(X) :- p(X,_).`"),
    ("DMT021", "p :- not q(«X»)", "positive literal"),
    ("DMT021", "p(X) :- q(X), not Boxminus[0,1] (r(X) Since[1,2] s(«Y»))", "positive"),
    ("DMT022", "p(X) :- q(X)\nr(X) :- «q(X,X)»", ""),
    ("DMT022", "p(X) :- q(X), Boxminus[0,1] «q»", ""),
    ("DMT022", "p(X) :- q(X)\n«q(a,b)»@3", ""),
    ("DMT023", "p(X) :- q(X), not «p(X)»", "drop the `not`"),
    ("DMT023", "p(X) :- q(X), not Boxminus[1,2] «r(X)»\nr(X) :- Diamondminus[0,1] p(X)", "break"),
    ("DMT024", "p :- Boxminus«(1,1)» q", "`[1,1]`"),
    ("DMT024", "p :- (a Since[0,1] b) Until«[3,2)» c", "`[2,3]`"),
    ("DMT024", "Boxplus[0,1] Boxminus«[3,2]» p :- q", "`[2,3]`"),
    ("DMT024", "p :- q\nq@«[5/2,1]»", "`[1,5/2]`"),
    ("DMT025", "p :- Boxminus«[-1,1]» q", "`Boxplus`"),
    ("DMT025", "p :- Boxplus[0,1] Diamondplus«(-inf,1]» q", "`Diamondminus`"),
    ("DMT025", "p :- a Since«(-1,1]» b", "`Until`"),
    ("DMT026", "flags(X) :- q(X)\n?- «flag»", "`flags`"),
    ("DMT027", "p(X) :- s(X), Boxminus[0,1] (up(«X») Since[0,1] b)", "`(0,…`"),
]


@pytest.mark.parametrize(("code", "text", "help"), ERRORS)
def test_errors(code: str, text: str, help: str) -> None:
    diagnostic = refused(text)
    assert diagnostic.code == code
    assert help in diagnostic.help


WARNINGS = [
    ("DMT090", "p(X) :- q(X,«Y»)", "`_` or `_y`"),
    ("DMT091", "signal(X) :- s(X)\nq(X) :- «singal»(X)", "`signal`"),
    ("DMT091", "Signal(X) :- s(X)\nq(X) :- «signal»(X)", "`Signal`"),
    ("DMT092", "p :- q\n«r» :- q\n?- p", "`?- r.`"),
    ("DMT093", "p :- edges\n«edge_of».\nother :- p", "`edges`"),
]


@pytest.mark.parametrize(("code", "text", "help"), WARNINGS)
def test_warnings(code: str, text: str, help: str) -> None:
    diagnostic = warned(text)
    assert diagnostic.code == code
    assert help in diagnostic.help


@pytest.mark.parametrize(
    "text",
    [
        PAPER,
        SHORT_STOP,
        "",
        "p(a)@3",
        "p :- not q",
        "p(a) :- not q(a), not Boxminus[0,1] r(a,7)",
        "p(X) :- q(X,_), r(X,_y)",
        "p(X) :- a(X) Since(0,1] b",
        "p(X) :- s(X), a(X) Since[0,1] b",
        "p(X) :- p(X), Boxminus[1,2] p(X)",
        "p(X) :- q(X), not r(X)\nr(X) :- s(X)\ns(X) :- r(X)",
        "Boxminus[0,1] Boxplus[0,0] p :- q",
        "p@-3\np@(-inf,-1]",
        "p :- q\nq.\n?- p, q",
        "up1(X) :- up2(X)",
        "signals(X) :- signal(X)",
    ],
)
def test_nothing_to_say(text: str) -> None:
    accepted(text)


# --- what the messages show


def test_a_cycle_through_negation_is_shown_step_by_step() -> None:
    text = "p :- a, not Boxminus[0,1] q\nq :- Diamondminus[0,1] r\nr :- b, p"
    _, (found,) = load(Source("test", text))
    assert "`p` → `q` → `r` → `p`" in found.message
    assert found.caption == "`p` needs not `q`"
    assert [label.text for label in found.labels] == ["`q` needs `r`", "`r` needs `p`"]


def test_another_arity_shows_the_first_use() -> None:
    source = Source("test", "p(X) :- q(X)\nr(X) :- q(X,X)")
    _, (found,) = load(source)
    assert [source.snippet(label.span) for label in found.labels] == ["q(X)"]


def test_one_run_finds_what_is_wrong_everywhere() -> None:
    _, found = load(Source("test", "p(X,Y) :- q(X)\nr :- Boxminus[2,1] not_there\n?- s"))
    assert [d.code for d in found] == ["DMT020", "DMT024", "DMT026"]


# --- the checked program


def test_the_program() -> None:
    program = accepted(
        "low(X) :- in(X)\nhigh(X) :- in(X), not low(X)\ntop(X) :- in(X), not high(X), low(X)\nin(a)@3"
    )
    assert program.queries == ("low", "high", "top")
    assert program.derived == {"low", "high", "top"}
    assert program.arities == {"low": 1, "in": 1, "high": 1, "top": 1}
    assert [sorted(stratum) for stratum in program.strata] == [["low"], ["high"], ["top"]]
    assert len(program.facts) == 1


def test_queries_are_answered_in_their_order() -> None:
    assert accepted("p :- a\nq :- p\n?- q, p\n?- q").queries == ("q", "p")


def test_trees_from_elsewhere_need_no_places() -> None:
    here = Span(0, 0)
    atom = Atom("p", (), span=here)
    modal = Modal(Operator.BOX_MINUS, Interval(None, None), atom, span=here)
    rule = Rule(Head((), atom, span=here), (Literal(modal, False, span=here),), span=here)
    program, (found,) = check(Source("none", ""), Tree((rule,)))
    assert program is None
    assert found.code == "DMT025"
