"""One rule of the fast path over a chunk of evaluation times.

Literals are taken in an order in which their variables are bound: comparisons as soon as possible,
lookups whose window depends on the instance when it is known, negation when nothing is left to bind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

import numpy as np

from horae.kernels.intervals.relation import Relation, empty, relation
from horae.kernels.lars.arithmetic import compare, compute
from horae.kernels.lars.bindings import Bindings, start
from horae.kernels.lars.codes import Codes
from horae.kernels.lars.held import Lookups, Source
from horae.kernels.lars.lookups import View, find, inside, is_early, missing, variables_needed
from horae.kernels.lars.own_keys import OwnKeys
from horae.kernels.lars.time_columns import time_points
from horae.languages.lars.normal import FastRule, Inside, Literal, Lookup, Modality
from horae.languages.rules.arithmetic import Comparator, Comparison, Expression, variables_of
from horae.languages.rules.terms import Constant, Term, Variable


class ExecutableRule:
    """A rule with the order of its literals."""

    def __init__(self, rule: FastRule, own: OwnKeys | None = None) -> None:
        self.rule = rule
        self._own = own
        self._order = order_literals(rule.body)

    def evaluate(self, lookup: Lookups, view: View) -> Relation:
        """All that the rule derives: arguments (and the head's time), evaluation times."""
        return self._head(self._run(self._order, lookup, view), view)

    def evaluate_new(
        self, lookup: Lookups, changed: dict[str, Source], view: View
    ) -> Iterator[Relation]:
        """What follows from changed rows: each of the lookups that read them sees only these, once."""
        for literal in self._order:
            if not isinstance(literal, Lookup) or literal.negated:
                continue
            new = changed.get(literal.atom.predicate)
            if new is None:
                continue
            if literal.modality is Modality.ALWAYS:
                yield self.evaluate(lookup, view)
                return
            order = order_literals(self.rule.body, first=literal)
            yield self._head(self._run(order, lookup, view, (literal, new)), view)

    def _run(
        self,
        order: Sequence[Literal],
        lookup: Lookups,
        view: View,
        new: tuple[Lookup, Source] | None = None,
    ) -> Bindings:
        instances = start(view.chunk)
        for literal in order:
            if len(instances) == 0:
                break
            is_new = new is not None and literal is new[0]
            before = instances.names
            instances = _take(instances, literal, new[1] if is_new and new else None, lookup, view)
            instances = self._keep_own(instances, before, view.codes)
        return instances

    def _keep_own(self, instances: Bindings, before: Sequence[str], codes: Codes) -> Bindings:
        """In a shard: only own keys, from the moment that the key is bound."""
        if self._own is None:
            return instances
        key = self._own.key(self.rule.head)
        if key in before or key not in instances.names:
            return instances
        return instances.take(self._own.among(instances.column(key), codes))

    def _head(self, instances: Bindings, view: View) -> Relation:
        """Only instances that give time points to the variables behind `@`."""
        terms = (*self.rule.head.arguments, *([] if self.rule.when is None else [self.rule.when]))
        if len(instances) == 0:
            return empty(len(terms))
        for name in self.rule.times:
            times = instances.column(name)
            instances = instances.take(time_points(times, view.codes, view.horizon))
        columns, size = instances.columns(), len(instances)
        arguments = [compute(term, columns, size, view.codes).codes for term in terms]
        table = np.stack(arguments, axis=1) if terms else np.empty((size, 0), np.int64)
        return relation(table, instances.rows.lo, instances.rows.hi)


def _take(
    instances: Bindings, literal: Literal, new: Source | None, lookup: Lookups, view: View
) -> Bindings:
    match literal:
        case Lookup(negated=True):
            known = lookup(literal.atom.predicate)
            return missing(instances, literal, known, view)
        case Lookup():
            return find(instances, literal, new or lookup(literal.atom.predicate), view)
        case Inside():
            return inside(instances, literal, view)
        case Comparison():
            return _compare(instances, literal, view.codes)
        case _:
            assert_never(literal)


def _compare(instances: Bindings, comparison: Comparison, codes: Codes) -> Bindings:
    assigned = _assigned(comparison, frozenset(instances.names))
    columns, size = instances.columns(), len(instances)
    if assigned is None:
        return instances.take(compare(comparison, columns, size, codes))
    name, expression = assigned
    computed = compute(expression, columns, size, codes)
    return instances.bind(name, computed.codes).take(computed.exists)


def _assigned(comparison: Comparison, bound: frozenset[str]) -> tuple[str, Expression] | None:
    """`X = e` where only X is not bound yet."""
    if comparison.comparator is not Comparator.EQUAL:
        return None
    for one, other in (
        (comparison.left, comparison.right),
        (comparison.right, comparison.left),
    ):
        if isinstance(one, Variable) and one.name not in bound and _names(other) <= bound:
            return one.name, other
    return None


# --- the order of literals


def order_literals(body: Sequence[Literal], first: Lookup | None = None) -> tuple[Literal, ...]:
    """`first` begins, if its window is known without other literals."""
    waiting = [literal for literal in body if literal is not first]
    if first is not None:
        waiting.insert(0, first)
    order: list[Literal] = []
    bound: frozenset[str] = frozenset()
    while waiting:
        best = min(waiting, key=lambda literal: _rank(literal, bound, literal is first))
        waiting = [literal for literal in waiting if literal is not best]
        order.append(best)
        bound |= _binds(best)
    return tuple(order)


def _rank(literal: Literal, bound: frozenset[str], is_first: bool) -> tuple[int, int]:
    """Lower is sooner; safety means that something is always ready."""
    match literal:
        case Comparison():
            ready = _names_of(literal) <= bound or _assigned(literal, bound) is not None
            return (0 if ready else 9, 0)
        case Inside(place=place, when=when):
            ready = variables_needed(place) | _names(when) <= bound
            return (0 if ready else 9, 0)
        case Lookup(negated=True):
            return (1 if _binds(literal) | variables_needed(literal.place) <= bound else 9, 0)
        case Lookup(place=place):
            if not variables_needed(place) <= bound:
                return (9, 0)
            shared = len(_binds(literal) & bound)
            early = 0 if is_early(place) else 1
            return (2 if is_first else 3 if shared or not bound else 4, early - shared)
        case _:
            assert_never(literal)


def _binds(literal: Literal) -> frozenset[str]:
    match literal:
        case Lookup(atom=atom, when=when):
            return frozenset(atom.variables) | _names(when)
        case Comparison():
            return _names_of(literal)
        case Inside():
            return frozenset()
        case _:
            assert_never(literal)


def _names(expression: Expression | Term | None) -> frozenset[str]:
    if expression is None or isinstance(expression, Constant):
        return frozenset()
    return frozenset(variable.name for variable in variables_of(expression))


def _names_of(comparison: Comparison) -> frozenset[str]:
    return _names(comparison.left) | _names(comparison.right)
