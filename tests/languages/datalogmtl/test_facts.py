"""The reader of `.facts` files: the quick way and the parser agree, and errors have their place."""

from __future__ import annotations

import time
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fuzz.mutate import mutated, tokens_of
from tests.strategies.datalogmtl_trees import facts as random_facts

from horae.data.catalogue_facts import place_of
from horae.data.fact_lines.parse import parse_facts
from horae.data.fact_text import facts_of_text
from horae.data.formats.facts import read_lines
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS, Interval, point
from horae.data.predicate_facts import ground_facts
from horae.languages.datalogmtl.check.facts import ground
from horae.languages.datalogmtl.syntax.parse import parse
from horae.languages.datalogmtl.syntax.print_statement import print_line
from horae.languages.datalogmtl.syntax.tree import Fact
from horae.source.errors import InputError
from horae.source.text import Source


def read(text: str) -> tuple[GroundFact, ...]:
    """As the parser reads it; so does the reader of columns, which knows all places."""
    source = Source("test.facts", text)
    found, diagnostics = parse_facts(source)
    assert diagnostics == []
    columns = facts_of_text(text, "test.facts")
    facts = [fact for fact, _ in found]
    assert ground_facts(columns.facts) == facts
    places = [columns.place(number) for number in range(len(columns.starts))]
    assert places == [place_of(source, span) for _, span in found]
    return tuple(facts)


def test_all_shapes() -> None:
    text = """\
% a comment
tram(a1, p1)@36
up(a)@[1,5/2).
line(a1,l1)       // static
  Pos(veh21) @ ( -1.5 , inf )

alarm@3. alarm@4
name("two words", 'x', -7, 2.50)@[3]
"""
    found = read(text)
    assert [f.predicate for f in found] == [
        "tram",
        "up",
        "line",
        "Pos",
        "alarm",
        "alarm",
        "name",
    ]
    assert [f.interval for f in found] == [
        point(Fraction(36)),
        Interval(Fraction(1), Fraction(5, 2), high_open=True),
        ALWAYS,
        Interval(Fraction(-3, 2), None, low_open=True),
        point(Fraction(3)),
        point(Fraction(4)),
        point(Fraction(3)),
    ]


LINES = [
    "p(a)@3",
    "p(a,b)@[1,2]",
    "p( a , 7 )@(1/2,inf)",
    'q("x y",ex:a)',
    "  q(-1.5,2/4)@-3 . ",
    "q(a)@(-inf,0]",
    "q(a)@2026-11-16T09:53:30",
    "q(2026-11-16,7,2026-11-16 09:53)@1",
    "q(a)@[2026-11-16,2026-11-17T00:00:00.5+01:00)",
]


@pytest.mark.parametrize("line", LINES)
def test_the_quick_way_is_taken_and_agrees_with_the_parser(line: str) -> None:
    facts, odd = read_lines(line.encode())
    program, _ = parse(Source("test", line))
    assert odd == []
    assert program is not None
    (full,) = program.statements
    assert isinstance(full, Fact)
    assert ground_facts(facts) == ground([full])
    assert facts[0].numbers.tolist() == [full.span.start]


@settings(max_examples=60, deadline=None)
@given(st.lists(random_facts, max_size=4))
def test_printed_facts_are_read_back(facts: list[Fact]) -> None:
    lines = "\n".join(map(print_line, facts))
    assert read(lines) == tuple(ground(facts))


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("p(a)@3\np(_)@3\n", "DMT011", 2, 3),
        ("p(a)@2026-02-30", "DMT108", 1, 6),
        ("p(a)@[1,2s]", "DMT105", 1, 9),
        ("p(a)@3\n  p(a @3\nq(b)@1", "DMT005", 2, 4),
        ("p(a)@1\n\np(b)@[3,2]", "DMT024", 3, 6),
        ("p(b)@(1,1)", "DMT024", 1, 6),
        ("p(a)@1/0", "DMT006", 1, 6),
        ("p(1e999)", "DMT006", 1, 3),
        ("p(a)@1\np(a) :- q(a)", "DMT017", 2, 1),
        ("p(a)@1\n?- p", "DMT017", 2, 1),
        ("p(a)@1 q(b)@2", "DMT019", 1, 8),
    ],
)
def test_errors_have_their_line_and_column(text: str, code: str, line: int, column: int) -> None:
    source = Source("test.facts", text)
    _, (found,) = parse_facts(source)
    place = source.position(found.span.start)
    assert (found.code, place.line, place.column) == (code, line, column)
    with pytest.raises(InputError) as refused:
        facts_of_text(text, "test.facts")
    assert (refused.value.code, refused.value.place) == (code, f"test.facts:{line}:{column}")


def test_lines_with_errors_do_not_hide_the_others() -> None:
    found, diagnostics = parse_facts(Source("test.facts", "p(a)@1\np(@2\nalarm\np(_x)@3\np(b)@4"))
    assert [fact.predicate for fact, _ in found] == ["p", "alarm", "p"]
    assert [d.code for d in diagnostics] == ["DMT005", "DMT011"]


@pytest.mark.parametrize("text", ["q(Anna,ID7)@1", "q( Anna,  ID7 )@1 % odd", "r@1. q(Anna,ID7)@1"])
def test_names_in_capitals_are_constants(text: str) -> None:
    """Facts have no variables; MeTeoR's data is full of such names."""
    assert read(text)[-1].arguments == ("Anna", "ID7")


NINE = Fraction(1794822810)  # 20773 days and 35610 s


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2026-11-16T09:53:30", point(NINE)),
        ("2026-11-16 09:53:30", point(NINE)),
        ("2026-11-16T09:53:30Z", point(NINE)),
        ("2026-11-16T10:53:30+01:00", point(NINE)),
        ("2026-11-16T04:53:30-0500", point(NINE)),
        ("2026-11-16T09:53", point(NINE - 30)),
        ("2026-11-16", point(NINE - 35610)),
        ("2026-11-16T09:53:30.000000001", point(NINE + Fraction(1, 10**9))),
        ("1969-12-31T23:59:59", point(Fraction(-1))),
        ("[2026-11-16T09:53:30,2026-11-17)", Interval(NINE, NINE + 50790, high_open=True)),
        ("(-inf,2026-11-16T09:53:30]", Interval(None, NINE)),
        ("[0,2026-11-16T09:53:30.5]", Interval(Fraction(0), NINE + Fraction(1, 2))),
    ],
)
@pytest.mark.parametrize("layout", ["q(a)@{}", "q(a)@{}.", "r. q(a) @ {} % odd"])
def test_dates_are_seconds_since_1970(written: str, meant: Interval, layout: str) -> None:
    """As in tables: without a zone it is UTC."""
    assert read(layout.format(written))[-1].interval == meant


@pytest.mark.parametrize("digits", [61, 5_000])
def test_a_second_of_too_many_digits_is_refused(digits: int) -> None:
    """Python itself would cut it off, or refuse to write it."""
    _, diagnostics = parse_facts(Source("test.facts", f"p@2026-11-16T09:53:30.{'9' * digits}"))
    assert [diagnostic.code for diagnostic in diagnostics] == ["DMT108"]


def test_many_lines_are_quick() -> None:
    lines = [f"Pos(veh{n % 50})@[{n // 100},{n // 100}]" for n in range(20_000)]
    text = "\n".join(lines)
    started = time.process_time()
    assert len(facts_of_text(text, "test.facts").starts) == 20_000
    assert time.process_time() - started < 3  # a third of a second, on a quiet machine


TERMS = [
    "a",
    "Anna",
    "ex:a",
    "_x",
    "7",
    "-1.5",
    "2/4",
    "1/0",
    '"x, y"',
    '"(@"',
    "2026-11-16",
    "",
    "a b",
]
TIMES = [
    "",
    "@3",
    "@ 5/2",
    "@[1,2)",
    "@( -inf , 7 ]",
    "@[3,1]",
    "@[2026-11-16,inf)",
    "@3s",
    "@1.",
    "@",
]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_lines_are_read_as_by_the_parser(data: st.DataObject) -> None:
    """Lines of all shapes, right and wrong: the same facts in the same order, or a mistake."""
    lines = data.draw(st.lists(_lines(), min_size=1, max_size=6))
    source = Source("test.facts", "\n".join(lines))
    found, diagnostics = parse_facts(source)
    if not diagnostics:
        facts = facts_of_text(source.text, "test.facts").facts
        assert ground_facts(facts) == [fact for fact, _ in found]
        return
    with pytest.raises(InputError):
        facts_of_text(source.text, "test.facts")


@st.composite
def _lines(draw: st.DrawFn) -> str:
    terms = draw(st.lists(st.sampled_from(TERMS), max_size=3))
    indent, dot = (
        draw(st.sampled_from(["", "  ", "p@1. "])),
        draw(st.sampled_from(["", ".", " % no"])),
    )
    arguments = f"({', '.join(terms)})" if terms else ""
    return f"{indent}p{len(terms)}{arguments}{draw(st.sampled_from(TIMES))}{dot}"


SEEDS = [
    "p(a)@3\np(b)@[1,5/2)  % a comment\ne(a,'x y'). // static\n",
    "e(b,7/2)@(0,inf)\np(ab)@0.5. e(c,-1)@7\n(p(s))\n@2026-11-16 09:53\n",
    "s(a)@1. q :- p. not r@2\n⊟[0,1] p(inf, _)@(-∞,3]\n",
]


@pytest.mark.parametrize("seed", range(4))
def test_facts_of_programs_and_of_texts_are_written_alike(seed: int) -> None:
    """But for names in capitals, which are variables in programs."""
    random, words = Random(seed), sorted({word for text in SEEDS for word in tokens_of(text)})
    for _ in range(100):
        source = Source("test", mutated(random, SEEDS, words).lower())
        program, report = parse(source)
        statements = program.statements if program is not None else ()
        facts = [s for s in statements if isinstance(s, Fact) and not s.interval.is_empty]
        found, diagnostics = parse_facts(source)
        assert (not diagnostics) == (not report and len(facts) == len(statements)), source.text
        if not diagnostics:
            assert found == list(zip(ground(facts), (fact.span for fact in facts), strict=True))
