"""Families: templates whose instances live and die together.

They have the same parameter types, the same `invoke` and the same `terminate`, so they share one
table of instances, and an event finds its instance once. Outputs without parameters that always live
form the family `root` with the single slot 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from horae.data.types import Type
from horae.languages.rtlola.program import (
    Expression,
    Output,
    Parameter,
    Periodic,
    Program,
    Reference,
    When,
    walk,
)

ROOT = "root"


@dataclass(frozen=True, slots=True)
class Family:
    name: str
    types: tuple[Type, ...]
    invoke: tuple[str, ...]
    terminate: Periodic | When | None
    closes_after: bool
    members: tuple[str, ...]

    @property
    def is_root(self) -> bool:
        return self.name == ROOT

    @property
    def is_single(self) -> bool:
        """Whether there is one slot, 0, as there are no parameters."""
        return not self.types


def is_own_instance(target: Reference, parameters: int) -> bool:
    """`s(p, q)` inside a template with the parameters p, q: the instance with the same values."""
    arguments = target.arguments
    return len(arguments) == parameters and all(
        isinstance(a, Parameter) and a.index == i for i, a in enumerate(arguments)
    )


def find_families(program: Program) -> tuple[dict[str, Family], dict[str, Family]]:
    groups: dict[object, list[Output]] = {}
    for output in program.outputs:
        life = output.template
        key: object = (
            tuple(p.type for p in life.parameters),
            life.invoke,
            _life_key(life.terminate),
            life.closes_after and output.name,
        )
        groups.setdefault(key, []).append(output)
    families: dict[str, Family] = {}
    for group in groups.values():
        family = _family(group, len(families))
        families[family.name] = family
    family_of = {member: family for family in families.values() for member in family.members}
    return families, family_of


def _family(group: list[Output], number: int) -> Family:
    life = group[0].template
    always = not (life.parameters or life.invoke or life.terminate)
    return Family(
        ROOT if always else f"f{number}",
        tuple(p.type for p in life.parameters),
        life.invoke,
        life.terminate,
        life.closes_after,
        tuple(output.name for output in group),
    )


def _life_key(terminate: Periodic | When | None) -> object:
    """Conditions are equal up to the names of the parameters."""
    if isinstance(terminate, When):
        return _anonymous(repr(terminate.condition), terminate.condition)
    return terminate


def _anonymous(text: str, condition: Expression) -> str:
    for node in walk(condition):
        if isinstance(node, Parameter):
            text = text.replace(repr(node), f"Parameter#{node.index}")
    return text
