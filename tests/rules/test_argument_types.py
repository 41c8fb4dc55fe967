"""The types of arguments of derived predicates, by data flow, in both rule languages."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

import horae
from horae.data.input_types import InputTypes
from horae.rules.argument_types import NOTHING, chosen_types, column_kind, joined
from horae.rules.typed_arguments import columns_of_lists
from horae.source.errors import InputError

INT, DOUBLE, TEXT, BOOL, DAY = pa.int64(), pa.float64(), pa.string(), pa.bool_(), pa.date32()
MONEY = pa.decimal128(9, 2)
STAMP = pa.timestamp("us")

SOLD = {"sold": {"shop": TEXT, "price": DOUBLE, "time": INT}}


def types(
    language: str, text: str, tables: Mapping[str, Mapping[str, Any]], predicate: str = "q"
) -> list[pa.DataType]:
    """Of the arguments of `q`; `null` stands for what the input does not tell."""
    program = horae.compile(text, language)
    run = program.prepare({})
    schema = run.schemas(InputTypes(tables), pa.null())[predicate]
    return [field.type for field in schema if field.name.startswith("arg")]


def both(text: str, tables: Mapping[str, Mapping[str, Any]]) -> list[pa.DataType]:
    """The text means the same in DatalogMTL and in LARS."""
    first, second = (types(language, text, tables) for language in ("datalogmtl", "lars"))
    assert first == second
    return first


def table(*columns: pa.DataType) -> dict[str, pa.DataType]:
    return {f"x{place}": type for place, type in enumerate(columns)} | {"time": STAMP}


# --- columns


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pa.int8(), INT),
        (pa.uint32(), INT),
        (pa.uint64(), pa.decimal128(20, 0)),
        (pa.float32(), DOUBLE),
        (MONEY, MONEY),
        (pa.decimal256(50, 2), TEXT),
        (BOOL, BOOL),
        (DAY, DAY),
        (pa.date64(), TEXT),
        (STAMP, TEXT),
        (TEXT, TEXT),
        (pa.large_string(), TEXT),
        (None, None),
    ],
)
def test_the_type_of_a_column(column: Any, kind: Any):
    assert column_kind(column) == kind


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (INT, INT, INT),
        (INT, DOUBLE, DOUBLE),
        (INT, TEXT, TEXT),
        (DOUBLE, TEXT, TEXT),
        (BOOL, TEXT, TEXT),
        (BOOL, INT, TEXT),
        (DAY, BOOL, TEXT),
        (INT, MONEY, pa.decimal128(21, 2)),  # 19 digits before the point, 2 after it
        (pa.decimal128(20, 0), INT, pa.decimal128(20, 0)),
        (MONEY, pa.decimal128(12, 4), pa.decimal128(12, 4)),  # 8 and 4
        (MONEY, pa.decimal128(38, 0), DOUBLE),  # 38 and 2 are too many
        (MONEY, DOUBLE, DOUBLE),
        (NOTHING, DAY, DAY),
        (NOTHING, NOTHING, NOTHING),
        (None, INT, None),
        (None, NOTHING, None),
    ],
)
def test_types_that_meet(one: Any, other: Any, both: Any):
    assert joined(one, other) == joined(other, one) == both


def test_what_is_chosen():
    assert chosen_types([INT, None, NOTHING], pa.null()) == [INT, pa.null(), TEXT]


# --- rules of both languages


def test_variables_have_the_types_of_their_columns():
    assert both("q(S, P, S) :- sold(S, P).", SOLD) == [TEXT, DOUBLE, TEXT]


@pytest.mark.parametrize(("one", "two", "expected"), [(INT, TEXT, TEXT), (INT, DOUBLE, DOUBLE)])
def test_two_rules_meet(one: Any, two: Any, expected: Any):
    text = "q(X) :- a(X). q(X) :- b(X)."
    assert both(text, {"a": table(one), "b": table(two)}) == [expected]


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        (INT, DOUBLE, INT),
        (TEXT, INT, INT),
        (BOOL, TEXT, BOOL),
        (DAY, TEXT, DAY),
        (TEXT, TEXT, TEXT),
    ],
)
def test_a_value_in_two_places_has_the_special_type(one: Any, two: Any, expected: Any):
    assert both("q(X) :- a(X), b(X).", {"a": table(one), "b": table(two)}) == [expected]


def test_recursion():
    """Numbers come into `path` by `edge`, text by `start`: the second argument stays a number."""
    text = """path(X, Y) :- edge(X, Y).
path(X, Z) :- path(X, Y), edge(Y, Z).
path(N, Y) :- start(N), edge(_, Y).
q(X, Y) :- path(X, Y).
"""
    assert both(text, {"edge": table(INT, INT), "start": table(TEXT)}) == [TEXT, INT]


def test_recursion_alone_has_no_values():
    assert both("q(X) :- r(X). r(X) :- q(X).", {}) == [TEXT]


def test_constants_in_heads():
    text = 'q(7, 2.5, n1, "two words", 9223372036854775808) :- sold(_, _).'
    assert both(text, SOLD) == [INT, DOUBLE, TEXT, TEXT, DOUBLE]


def test_facts_of_the_program():
    assert types("lars", "p(1, a). p(2.5, b). q(X, Y) :- p(X, Y).", {}) == [DOUBLE, TEXT]
    assert types("datalogmtl", "p(1, a)@3. q(X, Y) :- p(X, Y).", {}) == [INT, TEXT]


@pytest.mark.parametrize("column", [pa.uint64(), MONEY, BOOL, DAY])
def test_other_types(column: Any):
    tables = {"p": table(column)}
    assert both("q(X) :- p(X).", tables) == [column_kind(column)]


def test_picked_columns():
    tables: dict[str, dict[str, Any]] = {"p(b, a)": {"a": INT, "b": DAY, "c": TEXT, "time": STAMP}}
    assert both("q(X, Y) :- p(X, Y).", tables) == [DAY, INT]


def test_two_tables_of_a_predicate():
    tables: dict[str, dict[str, Any]] = {
        "p(a)": {"a": INT, "time": INT},
        "p(b)": {"b": DOUBLE, "time": INT},
    }
    assert both("q(X) :- p(X).", tables) == [DOUBLE]


def test_a_table_without_types_or_without_any_table():
    untyped: dict[str, dict[str, Any]] = {"p": {"x": None, "time": None}}
    assert both("q(X) :- p(X).", untyped) == [pa.null()]
    assert both("q(X) :- p(X).", {}) == [TEXT]


def test_a_table_without_a_name():
    """It may have facts of any predicate."""
    assert both("q(X) :- p(X).", {"": {"x": INT, "time": INT}}) == [pa.null()]


# --- DatalogMTL


def test_operators_keep_types():
    text = "q(X, Y) :- Diamondminus[0,5] Boxminus[0,1] a(X), b(X) Until[0,1] c(Y)."
    tables = {"a": table(TEXT), "b": table(DOUBLE), "c": table(DAY)}
    assert types("datalogmtl", text, tables) == [TEXT, DAY]


def test_the_left_side_of_since_may_never_hold():
    """`a Since[0,1] b` holds where `b` does: of `a` no fact is needed, so it tells nothing of X."""
    text = "q(X) :- a(X) Since[0,1] b(X)."
    assert types("datalogmtl", text, {"a": table(INT), "b": table(TEXT)}) == [TEXT]


def test_heads_with_operators():
    text = "Boxminus[0,1] q(X) :- a(X)."
    assert types("datalogmtl", text, {"a": table(MONEY)}) == [MONEY]


# --- LARS


def test_times_are_whole_numbers():
    text = "q(T, X) :- win[3] @T p(X)."
    assert types("lars", text, {"p": table(DAY)}) == [INT, DAY]


def test_windows_and_boxes():
    text = "q(X, Y) :- win[3] <> a(X), win[3] [] b(X, Y), a(Y)."
    tables = {"a": table(TEXT), "b": table(INT, INT)}
    assert types("lars", text, tables) == [TEXT, TEXT]


@pytest.mark.parametrize(
    ("expression", "one", "two", "expected"),
    [
        ("X + Y", INT, INT, INT),
        ("X * 2 - Y", INT, INT, INT),
        ("X / Y", INT, INT, DOUBLE),
        ("X + Y", INT, DOUBLE, DOUBLE),
        ("X + Y", MONEY, INT, DOUBLE),
        ("X + 0.5", INT, INT, DOUBLE),
        ("7", TEXT, TEXT, INT),
    ],
)
@pytest.mark.parametrize("way", ["Z = {}", "{} = Z"])
def test_arithmetic(expression: str, one: Any, two: Any, expected: Any, way: str):
    text = f"q(Z) :- a(X), b(Y), {way.format(expression)}."
    assert types("lars", text, {"a": table(one), "b": table(two)}) == [expected]


def test_equations_in_any_order():
    text = "q(Z) :- Z = Y + 1, Y = X * 2, a(X)."
    assert types("lars", text, {"a": table(INT)}) == [INT]


def test_what_is_negated_tells_nothing():
    text = "q(X) :- a(X), not b(X)."
    assert types("lars", text, {"a": table(TEXT), "b": table(INT)}) == [TEXT]


@pytest.mark.parametrize(
    "body",
    [
        "(a(X) or b(X))",
        "win[3] <> (a(X) or b(X))",
        "(a(X), c(X)) or b(X)",
        "(a(X) or b(X)), (c(X) or a(X) or b(X))",
    ],
)
def test_alternatives_in_a_body_meet(body: str):
    """One column may have values where the others have none."""
    tables = {"a": table(INT), "b": table(TEXT), "c": table(DOUBLE)}
    assert types("lars", f"q(X) :- {body}.", tables) == [TEXT]
    whole = {"a": table(INT), "b": table(pa.int8()), "c": table(INT)}
    assert types("lars", f"q(X) :- {body}.", whole) == [INT]


def test_times_of_alternatives():
    text = "q(X, T) :- win[3] (@T a(X) or @T b(X))."
    assert types("lars", text, {"a": table(INT), "b": table(DOUBLE)}) == [DOUBLE, INT]


def test_more_ways_than_are_looked_at():
    body = ", ".join(["(a(X) or b(X))"] * 7)
    assert types("lars", f"q(X) :- {body}.", {"a": table(INT), "b": table(INT)}) == [INT]


def test_alternatives_in_a_head_are_heads():
    text = "q(X) or r(Y) :- a(X), b(Y)."
    tables = {"a": table(INT), "b": table(DAY)}
    assert types("lars", text, tables) == [INT]
    assert types("lars", text, tables, "r") == [DAY]


# --- constants as columns


def test_constants_become_values():
    texts = pa.array(
        ['[1, "5/2", "true", "2024-02-29", "a"]', None, '[2, 3, "false", "2024-03-01", 7]']
    )
    texts = texts.take(pa.array([0, 2, 0]))
    found = columns_of_lists(texts, [pa.null(), DOUBLE, BOOL, DAY, TEXT])
    assert found[0].type == INT
    assert [column.to_pylist()[1] for column in found[:3]] == [2, 3.0, False]
    assert found[1].to_pylist() == [2.5, 3.0, 2.5]
    assert [str(day) for day in found[3].to_pylist()] == ["2024-02-29", "2024-03-01", "2024-02-29"]
    assert found[4].to_pylist() == ["a", "7", "a"]


def test_decimals():
    found = columns_of_lists(pa.array(['["1/4"]', "[3]"]), [pa.decimal128(5, 2)])
    assert found[0].to_pylist() == [Decimal("0.25"), Decimal("3.00")]


@pytest.mark.parametrize(
    ("text", "type"),
    [(f"[{2**63}]", INT), (f"[{-(2**63) - 1}]", INT), (f"[{10**400}]", DOUBLE)],
)
def test_numbers_that_do_not_fit(text: str, type: pa.DataType):
    with pytest.raises(InputError, match="RUN071"):
        columns_of_lists(pa.array([text]), [type])


@pytest.mark.parametrize(
    ("texts", "type"),
    [
        (["[1]", f"[{-(2**63)}]"], INT),
        (["[1]", f"[{2**63}]"], DOUBLE),
        (["[1]", '["a"]'], TEXT),
        (['["5/2"]'], TEXT),
        ([], TEXT),
    ],
)
def test_values_of_unknown_types(texts: list[str], type: pa.DataType):
    (column,) = columns_of_lists(pa.array(texts, pa.string()), [pa.null()])
    assert column.type == type
