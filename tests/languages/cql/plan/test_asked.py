"""Which queries are evaluated where only some are asked for."""

from __future__ import annotations

import pytest
from tests.languages.cql.kernel.driving import checked

from horae.languages.cql.plan.asked import only_asked
from horae.languages.cql.plan.make_algebra import make_algebra

QUERIES = """REGISTER STREAM s(A int);
a: SELECT A FROM s [NOW];
b: SELECT A FROM s [RANGE 5];
c: SELECT x.A FROM b [RANGE 3] AS x WHERE EXISTS (SELECT * FROM a AS y WHERE y.A = x.A);
d: SELECT A FROM c;
"""


@pytest.mark.parametrize(
    ("only", "evaluated"),
    [(None, "abcd"), ("a", "a"), ("b", "b"), ("c", "abc"), ("d", "abcd"), ("ab", "ab"), ("", "")],
)
def test_what_is_read_is_evaluated(only: str | None, evaluated: str):
    plan = only_asked(make_algebra(checked(QUERIES)), only)
    assert "".join(query.name for query in plan.queries) == evaluated
    answered = "".join(query.name for query in plan.queries if query.is_answered)
    assert answered == ("abcd" if only is None else only)
