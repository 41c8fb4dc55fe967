"""Answers worked out by hand from Definitions 7 to 9."""

from __future__ import annotations

import pytest
from tests.languages.lars.kernel.solver_runs import checked, instant, solve

from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.kernel.solver import Solver
from horae.languages.lars.kernel.solver.data import SolverData
from horae.languages.lars.kernel.solver.instant import Instant
from horae.source.errors import InputError

# --- classical programs


def test_even_loop_has_two_answers():
    assert solve("a :- not b. b :- not a.", "p@1", 1) == [["a"], ["b"]]


def test_odd_loop_is_inconsistent():
    assert solve("a :- not a.", "p@1", 1) == []


def test_odd_loop_through_a_way_out():
    """With a true by the second rule, the first asks for nothing."""
    assert solve("a :- not a. a :- p.", "p@1", 1) == [["a"]]


def test_positive_loop_supports_nothing():
    assert solve("a :- b. b :- a.", "p@1", 1) == [[]]


def test_disjunction_is_minimal():
    assert solve("a or b :- p.", "p@1", 1) == [["a"], ["b"]]


def test_disjunction_with_a_loop_between():
    """Each of a and b brings the other: the only model of the reduct is both."""
    assert solve("a or b. a :- b. b :- a.", "p@1", 1) == [["a", "b"]]


def test_saturation():
    """Here w follows from each choice and brings both: {a, b, w} has no smaller model."""
    program = "a or b. w :- a. w :- b. a :- w. b :- w."
    assert solve(program, "p@1", 1) == [["a", "b", "w"]]


def test_constraint_removes_an_answer():
    assert solve("a :- not b. b :- not a. :- b, p.", "p@1", 1) == [["a"]]


def test_constraint_on_data_alone():
    assert solve(":- p. a :- q.", "p@1", 1) == []
    assert solve(":- p. a :- q.", "p@1", 2) == [[]]


def test_answers_are_ordered_by_their_atoms():
    """Time, then predicate, then arguments: numbers before text, by value."""
    program = "q(2) or q(10) or q(a) or p(z) or @0 z."
    assert solve(program, "e@1", 1) == [["z@0"], ["p(z)"], ["q(2)"], ["q(10)"], ["q(a)"]]


# --- where Faber, Leone and Pfeifer differ from a reduct that splits bodies


def test_excluded_middle_in_a_body():
    """The body holds in {} and in {a}: {} violates the rule, and below {a} is no model."""
    assert solve("a :- a or not a.", "p@1", 1) == [["a"]]


def test_implication_in_a_body():
    """In {} the body holds, so {} is no model; below the model {a, b}, the body fails in {a}."""
    assert solve("a :- a -> b. b :- a -> b.", "p@1", 1) == []


def test_implication_with_support():
    """M = {a}: body b -> a holds, a is needed, {} has the body too and lacks a."""
    assert solve("a :- b -> a.", "p@1", 1) == [["a"]]


def test_double_negation_does_not_choose():
    """{a} satisfies the body, but {} is a model of the reduct: in it the body is false."""
    assert solve("a :- not not a.", "p@1", 1) == [[]]


def test_mixed_body_against_candidates():
    """In {a} the body holds, but {} is a model of the reduct: a is missing in its body."""
    assert solve("a :- (a or b) and (b -> a), a.", "p@1", 1) == [[]]


def test_excluded_middle_through_a_window():
    """At 3 the window is [2, 3]. {a@3}: in it `<> a` holds, in {} its negation does."""
    assert solve("a :- win[1] <> a or not win[1] <> a.", "p@1", 3) == [["a"]]


# --- windows


def test_negation_through_windows():
    program = "a :- win[3] <> p, not win[3] <> b. b :- win[3] <> p, not win[3] <> a."
    assert solve(program, "p@2", 4) == [["a"], ["b"]]
    assert solve(program, "p@2", 6) == [[]]


def test_window_of_a_window_against_the_whole_stream():
    """win[3] at 5 is [2, 5]; in it, at 2: win[2] is [2, 2], win1[2] is [0, 2]."""
    assert solve("a :- win[3] @2 win[2] <> p.", "p@1", 5) == [[]]
    assert solve("a :- win[3] @2 win1[2] <> p.", "p@1", 5) == [["a"]]


def test_always_counts_all_time_points():
    program = "a(X) :- win[2] [] p(X)."
    assert solve(program, "p(x)@[3,5] p(y)@3 p(y)@5".replace(" ", "\n"), 5) == [["a(x)"]]


def test_always_over_derived_atoms():
    """At 2, d holds at 1 and 2 in all answers, and [1, 2] is the window."""
    assert solve("@1 d. d :- p. a :- win[1] [] d.", "p@2", 2) == [["d@1", "a", "d"]]


def test_always_without_a_window_has_no_end():
    assert solve("a :- [] p. b :- not [] p. c :- [] s.", "p@[0,5]\ns", 3) == [["b", "c"]]


def test_empty_timeline():
    """At 8, win[0,0,5] is [5, 5], and win[0] of it is empty: `[]` is true, `<>` false."""
    window = "win[0,0,5] win[0]"
    assert solve(f"a :- {window} [] d. d :- q.", "p@8", 8) == [["a"]]
    assert solve(f"a(X) :- {window} [] q(X), p(X).", "p(1)@8", 8) == [["a(1)"]]
    assert solve(f"a :- {window} <> p.", "p@8", 8) == [[]]


def test_time_outside_of_the_window_sees_background_data_only():
    assert solve("a :- win[0,0,5] p. b :- win[0,0,5] s.", "p@8\ns", 8) == [["b"]]


def test_tuple_window():
    """The last two input atoms up to 6 are q@4 and p(b)@4: q is greater than p."""
    facts = "p(a)@1\np(b)@4\nq@4\np(c)@7"
    assert solve("a(X) :- win[#2] <> p(X).", facts, 6) == [["a(b)"]]
    assert solve("a(X) :- win[#1] <> p(X).", facts, 6) == [[]]
    assert solve("a(X) :- win[#2,1] <> p(X).", facts, 6) == [["a(b)", "a(c)"]]


def test_tuple_window_does_not_see_derived_atoms():
    assert solve("d :- p. a :- win[#1] d. b :- win[#1] p.", "p@3", 3) == [["b", "d"]]


def test_partition_window():
    """The newest atom of each first argument; `by` names a column, not the rule's variable."""
    facts = "p(a,1)@1\np(a,2)@2\np(b,3)@1\np(b,4)@9"
    found = solve("r(X,Y) :- win[p(X,_) by X #1] <> p(X,Y).", facts, 5)
    assert found == [["r(a,2)", "r(b,3)"]]


def test_session_window():
    """Back from 9 in steps of at most 3: 8, 5, and not 1."""
    facts = "p(a)@1\np(b)@5\np(c)@8"
    assert solve("r(X) :- win[session 3] <> p(X).", facts, 9) == [["r(b)", "r(c)"]]


def test_parameters_as_variables():
    """For k(a,1) the window is [4, 5], for k(b,4) it is [1, 5], and the lengths -1 and x are none."""
    facts = "p@2\nk(a,1)\nk(b,4)\nk(c,-1)\nk(d,x)"
    program = "r(X) :- k(X,N), win[N] <> p. o(X) :- k(X,N), not win[N] <> p."
    assert solve(program, facts, 5) == [["o(a)", "r(b)"]]


def test_parameter_that_another_part_binds():
    """p(3)@2 is in [5 - 3, 5]; p(1)@2 is not in [5 - 1, 5]."""
    assert solve("r(N) :- win[N] <> p(N), k(N).", "p(3)@2\np(1)@2\nk(1)\nk(3)", 5) == [["r(3)"]]


def test_arithmetic_in_parameters():
    assert solve("r(X) :- k(X,N), win[N * 2] <> p.", "p@2\nk(a,1)\nk(b,2)", 5) == [["r(b)"]]


# --- heads


def test_heads_at_other_times():
    program = "@T a(X) :- win[5] @S p(X), T = S + 3. b :- win[+9] <> a(X)."
    assert solve(program, "p(x)@2\np(y)@4", 4) == [["b", "a(x)@5", "a(y)@7"]]


def test_head_before_the_beginning_has_no_instance():
    assert solve("@T a :- win[5] @S p, T = S - 3.", "p@1\np@4", 4) == [["a@1"]]


def test_some_in_a_head_chooses_a_time():
    assert solve("win[1,1] <> a :- p.", "p@3", 3) == [["a@2"], ["a"], ["a@4"]]


def test_some_of_many_times_in_a_head():
    """The same of 5,001 times: each is an answer, the first one first."""
    program = checked("win[+5000] <> a :- p.")
    answers = Solver(program.rules).answers(instant(program, "p@3", 3)).in_order()
    assert [[atom.time for atom in next(answers)] for _ in range(3)] == [[3], [4], [5]]


def test_a_disjunction_with_many_atoms_in_a_cycle():
    """Each of the atoms brings all others: there is one answer, with all."""
    names = [f"x{number}" for number in range(20)]
    circle = " ".join(f"{x} :- {y}." for x, y in zip(names, names[1:] + names[:1], strict=True))
    assert solve(f"{' or '.join(names)} :- p. {circle}", "p@1", 1) == [sorted(names)]


def test_always_in_a_head():
    assert solve("win[1,1] [] a :- p.", "p@0", 0) == [["a", "a@1"]]


def test_conjunction_in_a_disjunction():
    assert solve("a or (b and c) :- p.", "p@1", 1) == [["a"], ["b", "c"]]
    assert solve("a or (b and c) :- p. b :- p. c :- p.", "p@1", 1) == [["b", "c"]]


def test_negation_in_a_head():
    """`not a` in a head asks for nothing but that a be false, or moves a to the body."""
    assert solve("not a :- p. a or b :- p.", "p@1", 1) == [["b"]]
    assert solve("not a or c :- p. a :- p.", "p@1", 1) == [["a", "c"]]


def test_mixed_conjunction_in_a_head():
    """With b given by a rule, only a can satisfy the head."""
    assert solve("a or (c and not b) :- p.", "p@1", 1) == [["a"], ["c"]]
    assert solve("a or (c and not b) :- p. b :- p.", "p@1", 1) == [["a", "b"]]


# --- what is given


def test_background_data_is_not_derived_anew():
    assert solve("a(X) :- p(X).", "p(1)@1\np(2)@1\na(1)", 1) == [["a(2)"]]


def test_background_data_in_windows():
    assert solve("r(X) :- win[#0] s(X), not win[0] <> p(X).", "s(1)\ns(2)\np(1)@3", 3) == [["r(2)"]]


def test_known_atoms_are_seen_but_not_by_tuple_windows():
    known = [TimedAtom(2, "d", ())]
    program = "a :- win[2] <> d. b :- win[#5] <> d. d :- q."
    assert solve(program, "p@4", 4, known) == [["a"]]


def test_known_atoms_are_listed_where_they_are_derived_again():
    """d@4 is known; the rule derives it at 4, and so it is an answer there."""
    known = [TimedAtom(4, "d", ())]
    assert solve("d :- p. c or d :- q.", "p@4", 4, known) == [["d"]]
    assert solve("d :- p. c or d :- q.", "q@4", 4, known) == [["d"]]
    assert solve("d :- p. c or d :- q.", "r@4", 4, known) == [[]]


def test_one_solver_for_many_times():
    program = checked("a :- win[1] <> p, not b. b :- win[1] <> p, not a.")
    solver = Solver(program.rules)
    found = [solver.answers(instant(program, "p@2", time)).in_order() for time in range(5)]
    assert [len([*answers]) for answers in found] == [1, 1, 2, 2, 1]


# --- arithmetic and variables


def test_instances_without_a_value_do_not_exist():
    """Also under `not`, and in the part of an `or` that does not matter."""
    facts = "p(0)@1\np(2)@1\np(x)@1"
    assert solve("r(Y) :- p(X), Y = 6 / X.", facts, 1) == [["r(3)"]]
    assert solve("r(X) :- p(X), (X = X or 6 / X = 7).", facts, 1) == [["r(2)"]]


def test_numbers_come_before_text():
    assert solve("r(X,Y) :- p(X), p(Y), X < Y.", "p(9)@1\np(1/2)@1\np(b)@1", 1) == [
        ["r(1/2,9)", "r(1/2,b)", "r(9,b)"]
    ]


def test_or_binds_what_both_operands_bind():
    found = solve("r(X) :- p(X) or win[3] <> q(X).", "p(1)@5\nq(2)@3\nq(3)@1", 5)
    assert found == [["r(1)", "r(2)"]]


def test_time_variables_in_a_window_of_background_data():
    """Here s holds at all time points: of [3, 5] each is an instance."""
    assert solve("r(T) :- win[2] @T s.", "s", 5) == [["r(3)", "r(4)", "r(5)"]]


def test_recursion_with_unstratified_negation():
    facts = "e(a,b)@1\ne(b,c)@2"
    program = """
        reach(X,Y) :- win[5] <> e(X,Y).
        reach(X,Z) :- reach(X,Y), win[5] <> e(Y,Z).
        pick or skip :- reach(a,c).
    """
    common = ["reach(a,b)", "reach(a,c)", "reach(b,c)"]
    assert solve(program, facts, 3) == [["pick", *common], [*common, "skip"]]


# --- what has no end


@pytest.mark.parametrize(
    "program",
    [
        "@T a :- @S a, T = S + 1. @0 a.",
        "a(Y) :- a(X), Y = X * X. a(2).",
        "r(T) :- @T s.",
        "r(T) :- win[1000000000] @T s.",
        "win[+1000000000] [] a :- p.",
    ],
)
def test_endless_programs_are_refused(program: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("horae.languages.lars.kernel.solver.instances.LIMIT", 500)
    with pytest.raises(InputError) as caught:
        solve(program, "p@1000000000\ns", 1000000000)
    assert caught.value.code == "RUN020"
    assert caught.value.help


def test_time_points_without_an_end_are_refused(monkeypatch: pytest.MonkeyPatch):
    """Where a step is long, time points with all its remainders have to be tried."""
    monkeypatch.setattr("horae.languages.lars.kernel.solver.reach.MOST", 1000)
    with pytest.raises(InputError, match="RUN056"):
        solve("a :- <> win[0,0,1000000007] p, not b. b :- not a.", "p@1000000", 1000000)


def test_points_near_the_data_are_not_counted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("horae.languages.lars.kernel.solver.reach.MOST", 0)
    facts = "\n".join(f"p@{time}" for time in range(0, 3000, 100))
    assert solve("a :- win[3000] [] (p or not p or b), not b. b :- q, a.", facts, 3000) == [["a"]]


def test_long_bodies():
    """As many parts as are written: the search does not nest with them."""
    names = [f"d{number}" for number in range(600)]
    rules = " ".join(f"{name} :- p." for name in names)
    assert len(solve(f"a :- {', '.join(names)}, not b. b :- p, not a. {rules}", "p@1", 1)) == 2


def test_input_that_bounds_recursion():
    """@2 stop is given: the rule for 2 does not exist, and nothing follows."""
    program = "@T a :- @S a, T = S + 1, not @T stop. @0 a."
    assert solve(program, "stop@2", 5) == [["a@0", "a@1"]]


def test_no_rules():
    assert [*Solver([]).answers(Instant(3, SolverData())).in_order()] == [frozenset()]
