"""Programs into normal form (Prop. 6): one operator per rule, and heads that are atoms.

Boxplus[0,10] m(X) :- c(X,Y), Boxminus[0,5] Diamondminus[0,2] f(Y)
    →
~1(Y) :- Diamondminus[0,2] f(Y)
~2(Y) :- Boxminus[0,5] ~1(Y)
~3(X) :- c(X,Y), ~2(Y)
m(X) :- Diamondminus[0,10] ~3(X)

A head with a box says of *later* times that the atom holds there; turned round, the atom holds where
the body held *earlier*. So a `Boxplus` head becomes `Diamondminus`, and `Boxminus` becomes
`Diamondplus`. Subformulas that are equal up to the names of variables share one predicate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from horae.data.intervals import Interval
from horae.frontend.graph import components
from horae.languages.datalogmtl.check.bindings import bound_by
from horae.languages.datalogmtl.check.normal import JoinRule, Link, NormalProgram, NormalRule, Step
from horae.languages.datalogmtl.check.split_left import (
    Body,
    alternatives,
    at_some_time,
    next_split,
    split_left,
    splits,
)
from horae.languages.datalogmtl.program import Program, atoms
from horae.languages.datalogmtl.syntax.rename import rename_formula
from horae.languages.datalogmtl.syntax.tree import Binary, Formula, Literal, Modal, Operator, Rule
from horae.rules.terms import Atom, Variable

_TURNED = {Operator.BOX_PLUS: Operator.DIAMOND_MINUS, Operator.BOX_MINUS: Operator.DIAMOND_PLUS}


def normalise(program: Program) -> NormalProgram:
    """The same answers for the predicates of the program, from rules of three shapes."""
    rewriting = _Rewriting()
    for rule in program.rules:
        rewriting.add(rule)
    rules = tuple(rewriting.rules)
    return NormalProgram(program, rules, program.facts, find_components(rules))


@dataclass(slots=True)
class _Rewriting:
    """The rules so far, and the predicate of each subformula that has one."""

    rules: list[NormalRule] = field(default_factory=list)
    names: dict[Formula, str] = field(default_factory=dict)
    last: int = 0

    def add(self, rule: Rule) -> None:
        """The rules of the subformulas, then of the body, then of the boxes of the head."""
        head, bodies = rule.head, self._bodies(rule)
        if not head.boxes:
            for body in bodies:
                self._add_body(head.atom, body, rule)
            return
        held = self._named(bodies, rule)
        *outer, (operator, interval) = head.boxes
        for box, reach in outer:
            held = self._step(self._fresh(head.atom), _TURNED[box], reach, held, rule)
        self._step(head.atom, _TURNED[operator], interval, held, rule)

    # --- bodies

    def _bodies(self, rule: Rule) -> list[Body]:
        """The bodies, one of which holds iff that of the rule does.

        Literals that have to be split are so one by one: each into two rules of a fresh predicate.
        """
        waiting = [literal for literal in rule.body if splits(literal)]
        before = tuple(lit for lit in rule.body if not lit.negated and lit not in waiting)
        negated = tuple(literal for literal in rule.body if literal.negated)
        if len(waiting) < 2:
            return list(split_left(rule.body))
        needed = _names([rule.head.atom, *(a for lit in negated for a in atoms(lit.formula))])
        while len(waiting) > 1:
            literal = next_split(before, waiting, needed)
            if literal is None:
                before = (*before, *map(at_some_time, waiting))
                literal = next_split(before, waiting, needed)
            if literal is None:
                break
            waiting.remove(literal)
            before = self._split(literal, before, waiting, needed, rule)
        return list(split_left((*before, *waiting, *negated)))

    def _split(
        self,
        literal: Literal,
        before: Body,
        waiting: Sequence[Literal],
        needed: frozenset[str],
        rule: Rule,
    ) -> Body:
        """A fresh atom that holds where a literal does and all before it, in two rules."""
        later = needed | _names(a for other in waiting for a in atoms(other.formula))
        bound = bound_by((*before, literal)) & later
        found = {
            name: variable
            for part in (*before, literal)
            for name, variable in _variables(part.formula).items()
            if name in bound
        }
        named = Atom(self._name(), tuple(found.values()), span=literal.span)
        for alternative in alternatives(literal):
            self._add_body(named, (*before, alternative), rule)
        return (replace(literal, formula=named),)

    def _add_body(self, head: Atom, body: Body, rule: Rule) -> None:
        """A lone operator over atoms is a rule in normal form already; else there is a join."""
        lone = _lone(body)
        if lone is not None and not isinstance(lone, Atom):
            self._apply(head, lone, self._operands(lone, rule), rule)
            return
        positive = [self._atom(lit.formula, rule) for lit in body if not lit.negated]
        negative = [self._atom(lit.formula, rule) for lit in body if lit.negated]
        self.rules.append(JoinRule(head, tuple(positive), tuple(negative), rule))

    def _named(self, bodies: Sequence[Body], rule: Rule) -> Atom:
        """An atom that holds where a body does. A lone body of one atom is such an atom."""
        if len(bodies) == 1:
            parts = [self._atom(literal.formula, rule) for literal in bodies[0]]
            if _lone(bodies[0]) is not None:
                return parts[0]
        named = self._fresh(rule.head.atom)
        for body in bodies:
            self._add_body(named, body, rule)
        return named

    # --- formulas

    def _atom(self, formula: Formula, rule: Rule) -> Atom:
        """The formula as an atom: itself, or a predicate with its variables."""
        if isinstance(formula, Atom):
            return formula
        variables = _variables(formula)
        order = {name: f"_{number}" for number, name in enumerate(variables)}
        key = rename_formula(formula, lambda variable: order[variable.name])
        known = self.names.get(key)
        arguments = tuple(variables.values())
        if known is not None:
            return Atom(known, arguments, span=formula.span)
        operands = self._operands(formula, rule)
        atom = Atom(self._name(), arguments, span=formula.span)
        self.names[key] = atom.predicate
        self._apply(atom, formula, operands, rule)
        return atom

    def _operands(self, formula: Modal | Binary, rule: Rule) -> tuple[Atom, ...]:
        if isinstance(formula, Modal):
            return (self._atom(formula.operand, rule),)
        return self._atom(formula.left, rule), self._atom(formula.right, rule)

    def _apply(
        self, head: Atom, formula: Modal | Binary, operands: tuple[Atom, ...], rule: Rule
    ) -> None:
        match formula:
            case Modal(operator, interval):
                self._step(head, operator, interval, operands[0], rule)
            case Binary(binary, interval):
                self.rules.append(Link(head, binary, interval, operands[0], operands[1], rule))
            case _:
                assert_never(formula)

    def _step(
        self, head: Atom, operator: Operator, interval: Interval, body: Atom, rule: Rule
    ) -> Atom:
        self.rules.append(Step(head, operator, interval, body, rule))
        return head

    # --- fresh predicates

    def _fresh(self, atom: Atom) -> Atom:
        """A new predicate over the variables of the atom."""
        variables = tuple(_variables(atom).values())
        return Atom(self._name(), variables, span=atom.span)

    def _name(self) -> str:
        self.last += 1
        return f"~{self.last}"


def _lone(body: Body) -> Formula | None:
    """The formula of a body that is just one positive literal."""
    return body[0].formula if len(body) == 1 and not body[0].negated else None


def _names(found: Iterable[Atom]) -> frozenset[str]:
    return frozenset(name for atom in found for name in atom.variables)


def _variables(formula: Formula) -> dict[str, Variable]:
    """The variables by name, in order, each at its first place."""
    terms = [term for atom in atoms(formula) for term in atom.arguments]
    variables: dict[str, Variable] = {}
    for term in terms:
        if isinstance(term, Variable):
            variables.setdefault(term.name, term)
    return variables


# --- the order of evaluation


def body_atoms(rule: NormalRule) -> tuple[Atom, ...]:
    """The atoms that a rule reads."""
    match rule:
        case Step(body=body):
            return (body,)
        case Link(left=left, right=right):
            return left, right
        case JoinRule(positive=positive, negative=negative):
            return *positive, *negative
        case _:
            assert_never(rule)


def find_components(rules: tuple[NormalRule, ...]) -> tuple[frozenset[str], ...]:
    """The derived predicates that need each other, what is read before what reads it."""
    graph: dict[str, list[str]] = {rule.head.predicate: [] for rule in rules}
    for rule in rules:
        read = graph[rule.head.predicate]
        read += [a.predicate for a in body_atoms(rule) if a.predicate in graph]
    return tuple(frozenset(members) for members in components(graph))
