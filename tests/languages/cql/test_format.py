"""The formatter: it says the same, changes nothing twice, and loses no comment."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies.cql_queries import random_queries

from horae.languages.cql.syntax.format import format_source
from horae.languages.cql.syntax.parse import parse
from horae.languages.cql.syntax.tokens import scan
from horae.languages.cql.syntax.tree import Tree
from horae.source.errors import ProgramError
from horae.source.text import Source

_MODERATE = settings(max_examples=40, deadline=None)
_texts = st.integers(0, 10_000).map(lambda seed: random_queries(Random(seed), core=False)[0])


def formatted(text: str) -> str:
    return format_source(Source("test.cql", text))


def parsed(text: str) -> Tree:
    found, diagnostics = parse(Source("test.cql", text))
    assert found is not None, (text, diagnostics)
    return found


# --- laws


@_MODERATE
@given(_texts)
def test_a_formatted_file_has_the_same_tree(text: str) -> None:
    once = formatted(text)
    assert parsed(once) == parsed(text)
    assert formatted(once) == once


_GAPS = st.sampled_from(("-- one\n", "// two\n", "--\n", "\n", "\n\n", " ", "  ", "\t", " ", " "))


@_MODERATE
@given(_texts, st.data())
def test_comments_anywhere_are_kept_and_change_no_tree(text: str, data: st.DataObject) -> None:
    tokens = scan(Source("test", text)).tokens
    gaps = data.draw(st.lists(_GAPS, min_size=len(tokens), max_size=len(tokens)))
    spread = "".join(f"{token} {gap}" for token, gap in zip(tokens, gaps, strict=True))
    once = formatted(spread)
    assert parsed(once) == parsed(text)
    assert formatted(once) == once
    assert _comments(once) == _comments(spread)


def _comments(text: str) -> list[str]:
    return sorted(str(comment).rstrip() for comment in scan(Source("test", text)).comments)


# --- examples


def test_layout() -> None:
    text = """\
register stream tram ( ID STRING,X string , T1 int )
 ; REGISTER relation line(ID string, "two words" int);
rel :select  tram . ID,count( * ) n,-T1- -1 from tram[range 5min slide 2],line as l
where tram.ID==l.ID and"two words"<>2 group by tram.ID;


istream (select * from tram[now]) ; select  - - T1 from tram [ partition  by ID , X rows 1 ]
"""
    assert (
        formatted(text)
        == """\
REGISTER STREAM tram(ID STRING, X string, T1 int);
REGISTER RELATION line(ID string, "two words" int);
rel: SELECT tram.ID, COUNT(*) n, -T1 - -1
    FROM tram [RANGE 5 min SLIDE 2], line AS l
    WHERE tram.ID = l.ID AND "two words" != 2
    GROUP BY tram.ID;

ISTREAM(SELECT * FROM tram [NOW]);
SELECT - -T1 FROM tram [PARTITION BY ID, X ROWS 1];
"""
    )


def test_comments_stay_with_what_they_speak_of() -> None:
    text = """\
-- about the file

q: select a, -- behind a
  b from r -- behind r
  -- before where
  where a = 1 and b = 2; -- behind b

-- about the next
select a from r // behind it
-- the end
"""
    assert (
        formatted(text)
        == """\
-- about the file

q: SELECT a,  -- behind a
        b
    FROM r  -- behind r
    -- before where
    WHERE a = 1 AND b = 2;  -- behind b

-- about the next
SELECT a FROM r;  // behind it
-- the end
"""
    )


def test_a_long_clause_has_one_piece_per_line() -> None:
    name = "a" * 40
    assert formatted(f"select {name}, {name} from r where {name} = {name} and {name} = 2") == (
        f"SELECT {name}, {name}\n    FROM r\n    WHERE {name} = {name}\n        AND {name} = 2;\n"
    )


def test_an_empty_source_stays_empty() -> None:
    assert formatted("") == ""
    assert formatted("\n\n ; \n") == ""


def test_what_does_not_parse_is_not_formatted() -> None:
    with pytest.raises(ProgramError, match="CQL001"):
        formatted("SELECT FROM r")
