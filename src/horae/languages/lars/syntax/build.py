"""Parse trees of statements into `tree` nodes.

The grammar takes more than the language has (several heads, variables in facts). What is too much
becomes a diagnostic here, and a harmless node takes its place: so one run reports all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from horae.data.intervals import ALWAYS, Interval
from horae.frontend.lalr import span_in
from horae.languages.lars.program import atoms
from horae.languages.lars.syntax import catalogue_syntax as catalogue
from horae.languages.lars.syntax import tree
from horae.languages.lars.syntax.build_values import Group, nodes
from horae.languages.lars.syntax.build_windows import WindowBuilder
from horae.languages.lars.syntax.fact_times import WrittenBound, build_interval, build_point
from horae.rules.terms import Atom, Constant, Variable


@v_args(meta=True)
class Builder(WindowBuilder):
    """One method per rule of the grammar."""

    # --- statements

    def rule(self, meta: Meta, children: list[Any]) -> tree.Rule:
        heads, _, body = children
        return tree.Rule(self._head(heads), self._conjuncts(body), span=span_in(meta))

    def constraint(self, meta: Meta, children: list[Any]) -> tree.Rule:
        return tree.Rule(None, self._conjuncts(children[1]), span=span_in(meta))

    def fact(self, meta: Meta, children: list[Any]) -> tree.Fact | tree.Rule:
        head, span = self._head(children[0]), span_in(meta)
        if len(children) == 1:
            if isinstance(head, Atom) and not head.variables:
                return tree.Fact(head, ALWAYS, span=span)
            return tree.Rule(head, (), span=span)
        return tree.Fact(self._fact_atom(head), self._time(children[2]), span=span)

    def query(self, meta: Meta, children: list[Any]) -> tree.Query:
        predicates = []
        for node in children[1]:
            formula = self.as_formula(node)
            name = next((atom.predicate for atom in atoms(formula)), "p")
            if not isinstance(formula, Atom) or formula.arguments:
                self.diagnostics.append(catalogue.QUERY_NOT_PREDICATE(formula.span, predicate=name))
            predicates.append((name, formula.span))
        return tree.Query(tuple(predicates), span=span_in(meta))

    def _head(self, written: Sequence[Any]) -> tree.Formula:
        for extra in written[1:]:
            self.diagnostics.append(catalogue.SEVERAL_HEADS(extra.span))
        return self.as_formula(written[0])

    # --- facts

    def _fact_atom(self, head: tree.Formula) -> Atom:
        if not isinstance(head, Atom):
            self.diagnostics.append(catalogue.FACT_NOT_ATOM(head.span))
            return Atom("", (), span=head.span)
        for term in head.arguments:
            if isinstance(term, Variable):
                shown = "_" if term.span.end - term.span.start == 1 and term.name[0] == "_" else ""
                self.diagnostics.append(catalogue.fact_not_ground(term.span, shown or term.name))
        return head

    def _time(self, written: Interval | Constant | Variable) -> Interval:
        if isinstance(written, Interval):
            return written
        return build_point(written, self.diagnostics)

    def interval(self, meta: Meta, children: list[Any]) -> Interval:
        return build_interval(children, span_in(meta), self.diagnostics)

    def bound(self, meta: Meta, children: list[Any]) -> WrittenBound:
        last = children[-1]
        return WrittenBound(None if isinstance(last, Token) else last, span=span_in(meta))

    # --- formulas

    def sequence(self, _meta: Meta, children: list[Any]) -> list[Any]:
        return children

    def group(self, meta: Meta, children: list[Any]) -> Group:
        span = span_in(meta)
        if len(children[0]) == 1:
            return Group(children[0][0], span)
        return Group(tree.And(self._conjuncts(children[0]), span=span), span)

    def _conjuncts(self, written: Sequence[Any]) -> tuple[tree.Formula, ...]:
        """`a and b, c` has three; one in parentheses stays whole."""
        found: list[tree.Formula] = []
        for node in written:
            found += node.operands if isinstance(node, tree.And) else [self.as_formula(node)]
        return tuple(found)

    def both(self, meta: Meta, children: list[Any]) -> tree.And:
        return tree.And(self._operands(children), span=span_in(meta))

    def either(self, meta: Meta, children: list[Any]) -> tree.Or:
        return tree.Or(self._operands(children), span=span_in(meta))

    def _operands(self, children: list[Any]) -> tuple[tree.Formula, ...]:
        return tuple(self.as_formula(node) for node in nodes(children))

    def implies(self, meta: Meta, children: list[Any]) -> tree.Implies:
        left, right = self._operands(children)
        return tree.Implies(left, right, span=span_in(meta))

    def negated(self, meta: Meta, children: list[Any]) -> tree.Not:
        return tree.Not(self.as_formula(children[1]), span=span_in(meta))

    def some(self, meta: Meta, children: list[Any]) -> tree.Some:
        return tree.Some(self.as_formula(children[1]), span=span_in(meta))

    def always(self, meta: Meta, children: list[Any]) -> tree.Always:
        return tree.Always(self.as_formula(children[1]), span=span_in(meta))

    def at(self, meta: Meta, children: list[Any]) -> tree.At:
        _, time, operand = children
        return tree.At(time, self.as_formula(operand), span=span_in(meta))

    def windowed(self, meta: Meta, children: list[Any]) -> tree.Window:
        sign, function, operand = children
        choice = tree.Choice.ORIGINAL if sign[-1] in "1₁" else tree.Choice.CURRENT
        return tree.Window(choice, function, self.as_formula(operand), span=span_in(meta))

    def atom(self, meta: Meta, children: list[Any]) -> Atom:
        return Atom(str(children[0]), tuple(nodes(children)), span=span_in(meta))
