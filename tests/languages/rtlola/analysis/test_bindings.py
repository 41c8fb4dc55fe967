"""Efficient bindings: which instances a condition can hold for."""

import pytest
from tests.languages.rtlola.analysis.programs import (
    NOWHERE,
    ZERO,
    binary,
    every,
    hold,
    inputs,
    output,
    parameter,
    program,
    ref,
    template,
    views,
)

import horae
from horae.data.types import Type
from horae.languages.rtlola.analysis.bindings import Binding, binding
from horae.languages.rtlola.analysis.lookups import Lookup, find_lookups
from horae.languages.rtlola.program import Expression, Hold, Unary, When

X, Y = parameter("x", 0), parameter("y", 1)
A, B = hold("a"), hold("b")
POSITIVE = binary(">", A, ZERO)
PROGRAM = program(inputs("a", "b"), output("each", A, every(1), template(X, invoke=("a",))))


def both(left: Expression, right: Expression) -> Expression:
    return binary("and", left, right)


def either(left: Expression, right: Expression) -> Expression:
    return binary("or", left, right)


def equal(left: Expression, right: Expression) -> Expression:
    return binary("=", left, right)


def negation(operand: Expression) -> Expression:
    return Unary("not", operand, Type.BOOL, span=NOWHERE)


def streams(found: Binding | None) -> list[dict[int, str]]:
    assert found is not None
    return [{b.parameter: b.stream.target.stream for b in a.bound} for a in found.alternatives]


def test_an_equality_names_one_instance():
    for condition in (equal(A, X), equal(X, A)):
        found = binding(PROGRAM, condition, (X,))
        assert streams(found) == [{0: "a"}]
        assert found is not None
        assert found.is_complete


def test_alternatives_each_name_one():
    found = binding(PROGRAM, either(equal(A, X), equal(B, X)), (X,))
    assert streams(found) == [{0: "a"}, {0: "b"}]


def test_the_rest_of_a_conjunction_is_residual():
    found = binding(PROGRAM, both(POSITIVE, equal(A, X)), (X,))
    assert found is not None
    assert found.alternatives[0].residual == (POSITIVE,)


def test_conjunctions_distribute_over_alternatives():
    found = binding(PROGRAM, both(either(equal(A, X), equal(B, X)), equal(A, Y)), (X, Y))
    assert streams(found) == [{0: "a", 1: "a"}, {0: "b", 1: "a"}]


def test_two_equations_for_one_parameter():
    found = binding(PROGRAM, both(equal(A, X), equal(B, X)), (X,))
    assert streams(found) == [{0: "a"}]
    assert found is not None
    assert found.alternatives[0].residual == (equal(B, X),)


def test_partial_where_a_parameter_is_free():
    found = binding(PROGRAM, equal(A, X), (X, Y))
    assert found is not None
    assert not found.is_complete


def test_negations_move_inward():
    unequal = binary("!=", A, X)
    assert streams(binding(PROGRAM, negation(unequal), (X,))) == [{0: "a"}]
    assert streams(binding(PROGRAM, negation(either(unequal, POSITIVE)), (X,))) == [{0: "a"}]
    assert binding(PROGRAM, negation(equal(A, X)), (X,)) is None


def test_an_alternative_that_names_nothing_asks_all():
    assert binding(PROGRAM, either(equal(A, X), POSITIVE), (X,)) is None


def test_only_bare_accesses_to_streams_without_parameters_count():
    with_default = Hold(ref("a"), ZERO, Type.DOUBLE, span=NOWHERE)
    assert binding(PROGRAM, equal(with_default, X), (X,)) is None
    assert binding(PROGRAM, equal(hold("each", X), X), (X,)) is None


def test_an_operand_that_can_fail_is_asked_of_all():
    """`1/a > 0 and a = x` stops the run at a = 0 even if no instance is named by 0."""
    risky = binary(">", binary("/", ZERO, A, Type.DOUBLE), ZERO)
    assert binding(PROGRAM, both(risky, equal(A, X)), (X,)) is None
    assert binding(PROGRAM, both(equal(A, X), risky), (X,)) is not None


def test_a_long_condition_is_given_up():
    condition = either(equal(A, X), equal(B, X))
    for _ in range(7):
        condition = both(condition, either(equal(A, X), equal(B, X)))
    assert binding(PROGRAM, condition, (X,)) is None


def test_no_parameters_nothing_to_bind():
    assert binding(PROGRAM, POSITIVE, ()) is None


def test_the_templates_of_the_paper_are_efficient():
    rows = find_lookups(views())
    assert {(r.stream, r.clause) for r in rows} >= {("num_of_views", "terminate")}
    assert all(r.lookup is Lookup.EFFICIENT for r in rows)


def test_instances_that_follow_their_like_are_found_with_them():
    per_x = template(X, invoke=("a",))
    source = output("source", A, When(equal(A, X)), per_x)
    like, all_of_them = (
        output("like", hold("source", X), None, per_x),
        output("all", B, None, per_x),
    )
    found = program(inputs("a", "b"), source, like, all_of_them)
    lookups = {r.stream: r.lookup for r in find_lookups(found)}
    assert lookups == {
        "source": Lookup.EFFICIENT,
        "like": Lookup.EFFICIENT,
        "all": Lookup.ALL,
    }


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("hot(s) and not hot(s)[-1, false]", "hot(s) and not hot(s)[-1, false]"),
        ("not (k = s)", "not (k = s)"),
        ("not (k < 3 or not (k != 4))", "not (k < 3) and k != 4"),
        ("not not on and -k > -(k - 1)", "on and -k > -(k - 1)"),
        ("on and (if on then on else k > 1)", "on and (if on then on else k > 1)"),
        ("not (if on then on else k > 1)", "not (if on then on else k > 1)"),
        ('k>1 // high\n  and name   != /* two  spaces */ "a  b"', 'k>1 and name != "a  b"'),
    ],
)
def test_what_names_no_instance_is_printed_as_it_is_meant(written: str, printed: str):
    text = (
        "input int k input bool on input string name "
        "output bool hot<int s> invoke: k := on "
        f"output int x<int s> invoke: k extend: {written} := 1"
    )
    found = find_lookups(horae.compile(text, language="rtlola").checked)
    assert [row.detail for row in found if row.stream == "x"] == [f"`{printed}` names no instance"]
