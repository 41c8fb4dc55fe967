"""How programs are cut into stages, and what the report says of it."""

from itertools import product
from random import Random

import pytest
from tests.plans import in_words
from tests.strategies.datalogmtl_programs import random_program

from horae.languages.datalogmtl.check.check import load
from horae.languages.datalogmtl.check.normalise import body_atoms, normalise
from horae.languages.datalogmtl.plan.make_stages import make_stages
from horae.languages.datalogmtl.plan.pivots import Pivots, find_rule_pivots
from horae.languages.datalogmtl.plan.stages import Obstacle, Route, Spread, StagedProgram
from horae.languages.datalogmtl.report import analyze
from horae.rules.terms import Variable
from horae.source.text import Source

MONITORS = """
flags(X,Z) :- node(X), monitors(X,Z), Boxminus[0,5] Diamondminus[0,2] signal(Z).
Boxplus[0,10] monitors(X,Z) :- connected(X,Y), flags(Y,Z).
"""


def plan_of(text: str) -> StagedProgram:
    program, diagnostics = load(Source("test.dmtl", text))
    assert program is not None, diagnostics
    return make_stages(normalise(program))


def words_of(text: str) -> list[str]:
    program, diagnostics = load(Source("test.dmtl", text))
    assert program is not None, diagnostics
    return in_words(analyze(program).plan)


def test_example_1_of_the_paper_is_spread_by_its_signals():
    assert words_of(MONITORS) == [
        "stage 1, spread: `flags`, `monitors`",
        "  reads `signal` by argument 1 (Z); `node`, `connected` to every shard; "
        "`flags`, `monitors` by argument 2 (Z) (derived here)",
    ]


def test_the_parts_of_a_rule_stay_in_its_stage():
    """`connected` is spread by nodes and shuffled; nothing of `flags` is computed before that."""
    text = "connected(X,Y) :- edge(X,Y).\nconnected(X,Y) :- edge(Y,X).\n" + MONITORS
    assert words_of(text) == [
        "stage 1, spread: `connected`",
        "  reads `edge` by argument 1 (X); `edge` by argument 2 (X); "
        "`connected` by argument 1 (X) (derived here)",
        "stage 2, spread: `flags`, `monitors`",
        "  reads `signal` by argument 1 (Z); `node` to every shard; "
        "`connected` of stage 1 to every shard; "
        "`flags`, `monitors` by argument 2 (Z) (derived here)",
    ]
    assert [stage.derives for stage in plan_of(text).stages] == [
        {"connected"},
        {"flags", "monitors", "~1", "~2", "~3"},
    ]


def test_an_input_that_is_read_in_two_ways_comes_in_two_copies():
    (stage,) = plan_of("p(X) :- e(X,Y), e(Y,X).").stages
    assert stage.routes == (Route("p", "p", 0), Route("e", "e", 0), Route("e", "e#2", 1))
    (rule,) = stage.program.rules
    assert [atom.predicate for atom in body_atoms(rule)] == ["e", "e#2"]


def test_closure_is_in_one_shard_and_says_why():
    assert words_of("path(X,Y) :- edge(X,Y).\npath(X,Z) :- path(X,Y), path(Y,Z).") == [
        "stage 1, in one shard: `path`",
        "  reads `edge`; `path` (derived here)",
        "  why `path` reads itself with its key at another argument: "
        "`path(X,Z) :- path(X,Y), path(Y,Z).`",
    ]


def test_linear_closure_is_spread():
    assert words_of("path(X,Y) :- edge(X,Y).\npath(X,Z) :- edge(X,Y), path(Y,Z).") == [
        "stage 1, spread: `path`",
        "  reads `edge` by argument 2 (Y); `edge` to every shard; "
        "`path` by argument 2 (derived here)",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("p :- a(X).", "`p` has no arguments to spread by"),
        ("p(c) :- a(X).", "`p` has a constant at the place of its key"),
        (
            "p(X) :- q(Y), a(X).\nq(Y) :- p(X), a(Y).",
            "`p` and `q` have no variable in common that could be the key of both in all rules",
        ),
    ],
)
def test_reasons_for_one_shard(text: str, reason: str):
    (stage,) = plan_of(text).stages
    assert isinstance(stage.obstacle, Obstacle)
    assert stage.obstacle.reason == reason
    assert {route.place for route in stage.routes} == {Spread.EVERYWHERE}


def test_a_constant_in_another_place_does_no_harm():
    (stage,) = plan_of("p(c,X) :- a(X).\np(X,X) :- a(X), p(c,X).").stages
    assert Route("p", "p", 1) in stage.routes


def test_what_has_no_arguments_is_derived_once_and_sent_everywhere():
    first, second = plan_of("alarm :- a(X).\ncalm(X) :- a(X), not alarm.").stages
    assert (first.is_spread, second.is_spread) == (False, True)
    assert Route("alarm", "alarm", Spread.EVERYWHERE) in second.routes
    assert second.passes == {"alarm"}


def test_answers_of_early_stages_travel_through_later_ones():
    text = "p(X,Y) :- e(X,Y).\nq(Y) :- p(X,Y), r(X).\nr(X) :- p(X,X).\nall :- q(X)."
    plan = plan_of(text)
    for number, stage in enumerate(plan.stages):
        before = {shown for s in plan.stages[:number] for shown in s.emits.values()}
        assert stage.passes <= before
    emitted = [shown for stage in plan.stages for shown in stage.emits.values()]
    assert len(emitted) == len(set(emitted))
    assert set(plan.whole.program.queries) <= set(emitted)


def test_asked_inputs_are_merged_by_all_their_arguments():
    (stage,) = plan_of("p(X) :- a(X).\n?- p, a.").stages
    assert stage.emits == {"p": "p", "a?": "a"}
    assert Route("a", "a?", Spread.BY_ALL) in stage.routes


def test_a_program_without_rules_has_a_stage():
    (stage,) = plan_of("a(x)@3.\n?- a.").stages
    assert stage.emits == {"a?": "a"}


def test_independent_rules_do_not_multiply_the_choices():
    rules = [f"p{i}(X,Y) :- e(X,Y)." for i in range(40)]
    rules += ["t(X,Z) :- t(X,Y), t(Y,Z), e(X,Z)."]
    plan = plan_of("\n".join(rules))
    assert [stage.is_spread for stage in plan.stages] == [True, False]


@pytest.mark.parametrize("seed", range(60))
def test_every_derivation_stays_in_its_shard(seed: int):
    """The condition itself, rule by rule, for random programs."""
    rng = Random(seed)
    plan = plan_of(random_program(rng, rng.choice(("mitl-fp", "mtl-fp", "full"))))
    assert frozenset().union(*(s.derives for s in plan.stages)) == {
        rule.head.predicate for rule in plan.whole.rules
    }
    for stage in plan.stages:
        found = find_rule_pivots(stage.program.rules)
        if not stage.is_spread:
            continue
        assert isinstance(found, Pivots)
        places = {r.name: r.place for r in stage.routes} | found.places
        for rule, atom in ((r, a) for r in stage.program.rules for a in (r.head, *body_atoms(r))):
            key = rule.head.arguments[found.places[rule.head.predicate]]
            place = places[atom.predicate]
            if place is not Spread.EVERYWHERE:
                assert isinstance(key, Variable)
                assert isinstance(place, int)
                assert atom.arguments[place] == key


@pytest.mark.parametrize("seed", range(30))
def test_pivots_are_found_if_there_are_any(seed: int):
    """Against trying all choices of all places."""
    rng = Random(seed)
    program, _ = load(Source("test.dmtl", random_program(rng, "mtl-fp")))
    assert program is not None
    rules = normalise(program).rules
    arities = {rule.head.predicate: len(rule.head.arguments) for rule in rules}
    if len(arities) > 8:
        return
    choices = product(*(range(arity) for arity in arities.values()))
    possible = any(_serves(rules, dict(zip(arities, c, strict=True))) for c in choices)
    assert isinstance(find_rule_pivots(rules), Pivots) == possible


def _serves(rules, places) -> bool:
    for rule in rules:
        key = rule.head.arguments[places[rule.head.predicate]]
        atoms = [a for a in body_atoms(rule) if a.predicate in places]
        if not isinstance(key, Variable):
            return False
        if any(atom.arguments[places[atom.predicate]] != key for atom in atoms):
            return False
    return True


def test_a_program_that_only_asks_for_its_facts_has_a_plan():
    """No rule names the predicate, so only the program knows its arity."""
    assert words_of("p\n?- p") == [
        "stage 1, spread: nothing but the facts",
        "  reads `p` by all columns",
    ]
