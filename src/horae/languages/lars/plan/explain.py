"""The plan in words, for the report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from horae.languages.lars.check.occurrences import formulas_of
from horae.languages.lars.plan.routes import Obstacle, RoutedProgram
from horae.languages.lars.program import atoms
from horae.languages.lars.syntax.print_statement import print_statement
from horae.rules.terms import Variable


def explain(plan: RoutedProgram) -> tuple[str, ...]:
    """The key of each predicate and what goes everywhere, or why the program is in one shard."""
    if plan.obstacle is not None:
        return tuple(_one_shard(plan, plan.obstacle))
    return tuple(_spread(plan)) if plan.pivots else ("no rules: nothing is derived",)


def _one_shard(plan: RoutedProgram, obstacle: Obstacle) -> Iterator[str]:
    yield f"one shard: {_names(plan.program.derived) or 'constraints'}"
    yield f"  not spread: {obstacle.reason}"
    yield f"  `{print_statement(obstacle.rule)}`"


def _spread(plan: RoutedProgram) -> Iterator[str]:
    yield f"sharded on {'; '.join(_keys(plan))}"
    everywhere = [route.predicate for route in plan.routes if route.place is None]
    if everywhere:
        yield f"  sent to every shard: {_names(everywhere)}"
    for route in plan.routes:
        if route.unless:
            what = _names(route.unless)
            yield f"  if there is background data about {what}, also: `{route.predicate}`"


def _keys(plan: RoutedProgram) -> Iterator[str]:
    """`argument 2 (Z) of flags, monitors`, largest place first."""
    variables = _variables(plan)
    groups: dict[tuple[int, str], list[str]] = {}
    for route in plan.routes:
        if route.place is not None:
            key = (route.place, variables.get(route.predicate, ""))
            groups.setdefault(key, []).append(route.predicate)
    for (place, variable), names in sorted(groups.items(), key=lambda item: -item[0][0]):
        spelt = f" ({variable})" if variable else ""
        yield f"argument {place + 1}{spelt} of {_names(names)}"


def _variables(plan: RoutedProgram) -> dict[str, str]:
    """What rules call the key of each predicate, where all of them call it the same."""
    places = {route.predicate: route.place for route in plan.routes}
    found: dict[str, set[str]] = {}
    rules = plan.program.rules
    for atom in (a for rule in rules for formula in formulas_of(rule) for a in atoms(formula)):
        place = places.get(atom.predicate)
        if place is not None:
            term = atom.arguments[place]
            spelt = term.name if isinstance(term, Variable) else ""
            found.setdefault(atom.predicate, set()).add(spelt)
    return {name: spelt.pop() for name, spelt in found.items() if len(spelt) == 1}


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))
