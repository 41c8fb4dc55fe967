"""Derivations with a long way to go: proved at once, or refused after little work."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.languages.datalogmtl.kernel.driving import facts, prepared
from tests.languages.datalogmtl.kernel.test_endless import COUNTER, counted, found, found_at

from horae.data.predicate_facts import columns_of_facts
from horae.languages.datalogmtl.kernel import complete, effort
from horae.languages.datalogmtl.kernel.effort import Effort
from horae.languages.datalogmtl.kernel.evaluate import evaluate_in_chunks
from horae.source.errors import InputError

FAR = 10**25


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One entry per round of any fixpoint: what it counts as."""
    counted: list[int] = []
    count = Effort.count

    def noted(self: Effort, *rows: object) -> None:
        before = self.cost
        count(self, *rows)  # type: ignore[arg-type]
        counted.append(self.cost - before)

    monkeypatch.setattr(Effort, "count", noted)
    return counted


# --- too many intervals on the way to what is asked for

LOOKS_AHEAD = """
    Boxplus[2] tick :- tick.
    near :- Diamondminus[0,1/2] tick.
    near :- Diamondplus[0,1700000000000] tick.
    quiet :- shift, not near.
    shift@[0,10].
    ?- tick, quiet.
"""


def test_a_look_far_ahead_at_what_comes_again_and_again(rounds: list[int]):
    """Every second time up to 1.7e12: it repeats itself after a few, so all would be derived."""
    with pytest.raises(
        InputError, match=r"RUN042: the rules for `tick` derive about 1,000,0.* need"
    ):
        found(LOOKS_AHEAD, "tick@0", 5)
    assert len(rounds) < 100


@pytest.mark.parametrize("start", [0, FAR])
def test_a_horizon_far_behind_the_facts(rounds: list[int], start: int):
    with pytest.raises(InputError, match="RUN042: the rules for `p` derive about 500,000,000,000 "):
        found("Boxplus[2] p :- p.", f"p@{start}", start + 10**12)
    assert sum(rounds) < 1000


def test_times_far_from_the_facts():
    with pytest.raises(InputError, match=r"RUN042: .* intervals up to 1000000000000:"):
        found_at("Boxplus[2] p :- p.", "p@0", 0, 10**12)
    with pytest.raises(InputError, match=r"RUN042: .* intervals back to -1000000000012:"):
        found_at("Boxminus[2] p :- p.", "p@0", -(10**12))


def test_what_stops_by_itself_may_be_asked_for_far_away():
    """The counter does not repeat itself: it stops after 2⁷ steps, far before the horizon."""
    assert len(found(COUNTER, counted(7), 10**12)) == 127


def test_what_holds_for_ever_may_be_asked_for_far_away():
    """3 and 5: with intervals as long as 2, no gap is left; until then few intervals."""
    text = "a :- Diamondminus[3] a.  a :- Diamondminus[5] a."
    assert found(text, "a@[0,2]", 10**12) == ["a@[0,2]", f"a@[3,{10**12}]"]


# --- steps of very different size in one component


@pytest.mark.parametrize("horizon", [None, 20])
@pytest.mark.parametrize(("long", "short"), [("10000", "1"), (str(FAR), "1/7")])
def test_an_interval_that_grows_by_a_little(
    rounds: list[int], long: str, short: str, horizon: int | None
):
    """That it goes on for ever is proved on the way."""
    end = "inf)" if horizon is None else "20]"
    both = f"Boxplus[0,{long}] a :- a.  Boxminus[0,{short}] a :- a."
    assert found(both, "a@0", horizon) == [f"a@(-inf,{end}"]
    turned = f"Boxplus[0,{short}] a :- a.  Boxminus[0,{long}] a :- a."
    assert found(turned, "a@0", horizon) == [f"a@(-inf,{end}"]
    onwards = f"Boxplus[0,{short}] a :- a.  Boxplus[{long}] a :- a."
    assert found(onwards, "a@0", horizon) == [f"a@[0,{end}"]
    assert found(onwards, f"a@0\na@{FAR}", horizon) == [f"a@[0,{end}"]
    assert len(rounds) < 1000


def test_atoms_that_grow_at_different_speeds(rounds: list[int]):
    """Each by its own step; `c(z)` stops where `on(z)` does."""
    text = """
        Boxplus[0,1] c(X) :- c(X), slow(X).  Boxplus[0,7] c(X) :- c(X), fast(X).
        Boxminus[0,100000] c(X) :- c(X), on(X).
    """
    data = "c(x)@0\nc(y)@0\nslow(x)@[0,inf)\nfast(y)@[0,inf)\nc(z)@0\nslow(z)@[0,9]\non(w)@0"
    assert found(text, data) == ["c(x)@[0,inf)", "c(y)@[0,inf)", "c(z)@[0,10]"]
    assert len(rounds) < 2000


def test_points_with_steps_of_different_size(rounds: list[int]):
    """No proof helps: there are too many points between the large steps."""
    text = f"Boxplus[1/7] a :- a.  Boxplus[{FAR}] a :- a."
    assert len(found(text, "a@0", 20)) == 141
    with pytest.raises(InputError, match=r"RUN011: no end was found .*\n.*--horizon 3:"):
        found(text, "a@0")
    with pytest.raises(
        InputError, match="RUN042: the rules for `a` derive about 7,000,000,000,000,"
    ):
        found(text, "a@0", 10**24)
    assert sum(rounds) < 100_000


LONG_WAY = "Boxplus[2] a :- a, on."


def test_a_long_way_through_an_interval_of_the_data(rounds: list[int]):
    data = "a@0\non@[0,1700000000000]"
    assert found(LONG_WAY, data, 6) == [f"a@[{n},{n}]" for n in (0, 2, 4, 6)]
    with pytest.raises(InputError, match=r"RUN043: the rules for `a` .* 1,700,000,000,000 rounds"):
        found(LONG_WAY, data)
    with pytest.raises(InputError, match="RUN043"):
        found_at(LONG_WAY + " ?- a.", data, 10**12)
    assert sum(rounds) < 30_000


def test_a_long_way_in_a_stream(monkeypatch: pytest.MonkeyPatch):
    """Also within one chunk."""
    normal, data = prepared(LONG_WAY), facts("a@0\non@[0,1700000000000]")
    with pytest.raises(InputError, match="RUN043"):
        evaluate_in_chunks(normal, columns_of_facts(data), [Fraction(10), Fraction(10**12)])


def test_a_way_is_as_long_as_nothing_changes(monkeypatch: pytest.MonkeyPatch):
    """`on` ends soon, though other data lies far behind."""
    monkeypatch.setattr(effort, "FEW_ROUNDS", 10)
    monkeypatch.setattr(effort, "_STEP", 10)
    data = f"a@0\non@[0,3000]\non@{10**14}"
    assert len(found(LONG_WAY, data)) == 1502


def test_an_end_is_not_looked_for_in_all_of_a_large_step(
    rounds: list[int], monkeypatch: pytest.MonkeyPatch
):
    """Between 0 and 10⁶ lie too many points to find out what the large step does."""
    monkeypatch.setattr(complete, "FEW_ROUNDS", 500)
    text = "a :- Diamondminus[3] a.  a :- Diamondminus[1000000] a."
    with pytest.raises(InputError, match="RUN011: no end was found"):
        found(text, "a@0")
    assert len(rounds) < 2000
