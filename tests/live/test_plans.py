"""The plan that the report shows is the one that live programs follow: stages, keys, broadcasts.

For all examples and all case folders, in four shards.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.case_folders import cases
from tests.languages.rtlola.kernel.driving import options_for

import horae
from horae.data.time_points import AtEvents
from horae.engine.contract import Routed, stages_of
from horae.engine.plan import ByKey, Plan, PlanStage, ToEvery
from horae.engine.report.bounds import Unbounded
from horae.examples import example
from horae.languages.cql.live.program import LiveCQL
from horae.languages.cql.plan.make_algebra import make_algebra
from horae.languages.cql.report import analyze as analyze_cql
from horae.languages.datalogmtl.check.normalise import normalise
from horae.languages.datalogmtl.live.program import live_datalogmtl
from horae.languages.datalogmtl.plan.stages import Route as Way
from horae.languages.datalogmtl.plan.stages import Spread
from horae.languages.datalogmtl.report import analyze as analyze_datalogmtl
from horae.languages.lars.live.program import live_lars
from horae.languages.lars.plan.route_program import route_program
from horae.languages.lars.report import analyze as analyze_lars
from horae.languages.rtlola.live.program import LiveRTLola
from horae.languages.rtlola.report import analyze as analyze_rtlola
from horae.source.errors import InputError, ProgramError
from horae.source.text import Source

SHARDS = 4
ENDINGS = {"rtlola": "lola", "datalogmtl": "dmtl", "lars": "lars", "cql": "cql"}
Keys = dict[str, set[int | None]]
"""By table the places of the keys by which it is spread; None: it is sent to every shard."""


def sources(language: str) -> list[Source]:
    paths = sorted(example(".").glob(f"*.{ENDINGS[language]}"))
    own = [Source(path.name, path.read_text(encoding="utf-8")) for path in paths]
    return own + [case.source for case in cases(language)]


def checked(language: str, source: Source) -> Any:
    return horae.compile(source.text, language).checked


def everything(language: str) -> pytest.MarkDecorator:
    found = sources(language)
    return pytest.mark.parametrize("source", found, ids=[f"{n}" for n in range(len(found))])


def keys_of(stage: PlanStage) -> Keys:
    """Keys of several columns are left out."""
    found: Keys = {}
    for given in stage.inputs:
        match given.way:
            case ByKey(keys=(key,)):
                found.setdefault(given.table, set()).add(key.place)
            case ToEvery():
                found.setdefault(given.table, set()).add(None)
            case _:
                pass
    return found


def widths(live: Routed) -> list[int]:
    return [stage.width for stage in stages_of(live)]


def is_endless(plan: Plan) -> bool:
    return any(isinstance(stage.delay, Unbounded) for stage in plan.stages)


@everything("rtlola")
def test_rtlola(source: Source):
    program = checked("rtlola", source)
    plan = analyze_rtlola(program).plan
    live = LiveRTLola(program, options_for(program), SHARDS, whole_rows=True)
    spread = [stage for stage in plan.stages if stage.is_spread]
    parts = [part for part in live.parts if part.keys]
    assert [[o.name for o in part.program.outputs] for part in parts] == [
        [o.name for o in stage.outputs if len(o.columns) > 1] for stage in spread
    ]
    names = [item.name for item in program.inputs]
    for stage, part in zip(spread, parts, strict=True):
        assert keys_of(stage) == {"rows": {names.index(key) for key in part.keys}}
        pairs = {f"`{other}`" for _, other in part.present}
        assert all(any(name in text for text in stage.requires) for name in pairs)
    joins = [stage for stage in plan.stages if any(given.stage for given in stage.inputs)]
    assert len(joins) == len(widths(live)) - 1
    rest = [stage for stage in plan.stages if not stage.is_spread and stage not in joins]
    assert len(rest) == sum(not part.keys for part in live.parts)


@everything("datalogmtl")
def test_datalogmtl(source: Source):
    program = checked("datalogmtl", source)
    plan = analyze_datalogmtl(program).plan
    try:
        live = live_datalogmtl(normalise(program), shards=SHARDS)
    except (InputError, ProgramError):
        assert is_endless(plan)
        return
    assert not is_endless(plan)
    if not plan.is_spread:
        assert widths(live) == [1]
        return
    assert widths(live) == [SHARDS if stage.is_spread else 1 for stage in plan.stages]
    for stage, own in zip(plan.stages, live.stages, strict=True):
        assert {output.name for output in stage.outputs} == set(own.emits.values())
        if stage.is_spread:
            assert keys_of(stage) == _by_predicate(own.routes)


def _by_predicate(routes: tuple[Way, ...]) -> Keys:
    found: Keys = {}
    for route in routes:
        if route.place is not Spread.BY_ALL:
            place = route.place if isinstance(route.place, int) else None
            found.setdefault(route.predicate, set()).add(place)
    return found


@everything("lars")
def test_lars(source: Source):
    program = checked("lars", source)
    plan = analyze_lars(program).plan
    (stage,) = plan.stages
    try:
        live = live_lars(route_program(program), shards=SHARDS)
    except (InputError, ProgramError):
        assert is_endless(plan)
        return
    assert not is_endless(plan)
    assert keys_of(stage) == {route.predicate: {route.place} for route in live.plan.routes}
    assert widths(live) == [SHARDS if live.plan.is_spread else 1]


@everything("cql")
def test_cql(source: Source):
    program = checked("cql", source)
    plan = analyze_cql(program).plan
    live = LiveCQL(make_algebra(program), AtEvents(), {}, SHARDS)
    spread = [stage for stage in plan.stages if stage.is_spread]
    others = [stage for stage in plan.stages if not stage.is_spread]
    assert [*spread, *others] == [*plan.stages]
    assert widths(live) == [SHARDS * len(spread)] * bool(spread) + [1] * len(others)
    for stage, part in zip(spread, live.parts, strict=True):
        keys = {name: {place} for name, place in part.pivots.items()}
        assert {t: k for t, k in keys_of(stage).items() if k != {None}} == keys
        assert [o.name for o in stage.outputs] == [query.name for query in part.plan.queries]
    if live.later is not None:
        streams = {item.name for item in program.inputs if item.is_stream}
        own = {given.table for given in others[0].inputs if given.stage is None}
        assert own & streams == live.later.reads
