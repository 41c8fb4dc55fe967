"""One rule of the fast path over a chunk of evaluation times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

import numpy as np

from horae.languages.lars import catalogue
from horae.languages.lars.check.bindings import VariableNames
from horae.languages.lars.check.normal import BodyLiteral, FastRule, Inside, Lookup, Modality
from horae.languages.lars.kernel.arithmetic import compare, compute
from horae.languages.lars.kernel.bindings import Bindings, start
from horae.languages.lars.kernel.codes import Codes
from horae.languages.lars.kernel.held import AtomSource, Lookups
from horae.languages.lars.kernel.literal_order import (
    OrderHints,
    Step,
    assigned,
    names_in,
    order_steps,
)
from horae.languages.lars.kernel.lookups import View, find, inside, missing
from horae.languages.lars.kernel.own_keys import OwnKeys
from horae.languages.lars.kernel.time_columns import are_time_points_until
from horae.languages.lars.syntax.print_statement import print_statement
from horae.rules.arithmetic import Comparison
from horae.rules.intervals.join import TooManyPairsError
from horae.rules.intervals.relation import Relation, empty, relation
from horae.source.errors import InputError


class TooManyInstancesError(Exception):
    """A rule has more instances at once than there is room for: fewer evaluation times may do."""

    def __init__(self, rule: FastRule, most: int) -> None:
        self.rule = rule
        self.most = most
        super().__init__(f"more than {most:,} instances")

    def at(self, time: int) -> InputError:
        """The error of one evaluation time alone."""
        return catalogue.TOO_MANY_INSTANCES(
            rule=print_statement(self.rule.of), most=self.most, time=str(time)
        )


class ExecutableRule:
    """A rule with the orders of its literals."""

    def __init__(self, rule: FastRule, own: OwnKeys | None = None) -> None:
        self.rule = rule
        self._own = own
        terms = (*rule.head.arguments, *(() if rule.when is None else (rule.when,)))
        self._terms = terms
        self._kept: VariableNames = frozenset().union(*map(names_in, terms))
        self._orders: dict[tuple[object, ...], tuple[Step, ...]] = {}

    def evaluate(self, lookup: Lookups, view: View) -> Relation:
        """All that the rule derives: arguments (and the head's time), evaluation times."""
        return self._derive(self._order(lookup), lookup, view)

    def evaluate_new(
        self, lookup: Lookups, changed: dict[str, AtomSource], view: View
    ) -> Iterator[Relation]:
        """What follows from changed rows: each of the lookups that read them sees only these, once."""
        for literal in self.rule.lookups:
            new = None if literal.negated else changed.get(literal.atom.predicate)
            if new is None:
                continue
            if literal.modality is Modality.ALWAYS:
                yield self.evaluate(lookup, view)
                return
            yield self._derive(self._order(lookup, literal), lookup, view, (literal, new))

    def _order(self, lookup: Lookups, first: Lookup | None = None) -> tuple[Step, ...]:
        """Remembered as long as predicates are of a similar size."""
        sources = {lo.atom.predicate: lookup(lo.atom.predicate) for lo in self.rule.lookups}
        sizes = {name: source.size.bit_length() for name, source in sources.items()}
        background = frozenset(name for name, source in sources.items() if len(source.static))
        key = (id(first), background, *sizes.values())
        if key not in self._orders:
            known = OrderHints(sizes, background)
            self._orders[key] = order_steps(self.rule.body, self._kept, known, first)
        return self._orders[key]

    def _derive(
        self,
        order: Sequence[Step],
        lookup: Lookups,
        view: View,
        new: tuple[Lookup, AtomSource] | None = None,
    ) -> Relation:
        try:
            return self._head(self._run(order, lookup, view, new), view)
        except TooManyPairsError as error:
            raise TooManyInstancesError(self.rule, error.most) from None

    def _run(
        self,
        order: Sequence[Step],
        lookup: Lookups,
        view: View,
        new: tuple[Lookup, AtomSource] | None,
    ) -> Bindings:
        instances = start(view.chunk)
        for step in order:
            if len(instances) == 0:
                break
            is_new = new is not None and step.literal is new[0]
            before = instances.names
            source = new[1] if is_new and new else None
            instances = _take(instances, step.literal, source, lookup, view)
            instances = self._keep_own(instances, before, view.codes)
            instances = self._drop(instances, step.needed, view)
        return instances

    def _keep_own(self, instances: Bindings, before: Sequence[str], codes: Codes) -> Bindings:
        """In a shard: only own keys, from the moment that the key is bound."""
        if self._own is None:
            return instances
        key = self._own.key(self.rule.head)
        if key in before or key not in instances.names:
            return instances
        return instances.take(self._own.among(instances.column(key), codes))

    def _drop(self, instances: Bindings, needed: VariableNames, view: View) -> Bindings:
        """Only the variables that are needed; those behind `@` have had to be time points."""
        if needed.issuperset(instances.names):
            return instances
        gone = self.rule.times.intersection(instances.names) - needed
        return _at_time_points(instances, gone, view).only(needed)

    def _head(self, instances: Bindings, view: View) -> Relation:
        """Only instances that give time points to the variables behind `@`."""
        if len(instances) == 0:
            return empty(len(self._terms))
        times = self.rule.times.intersection(instances.names)
        instances = _at_time_points(instances, times, view)
        columns, size = instances.columns(), len(instances)
        arguments = [compute(term, columns, size, view.codes).codes for term in self._terms]
        table = np.stack(arguments, axis=1) if arguments else np.empty((size, 0), np.int64)
        return relation(table, instances.rows.lo, instances.rows.hi)


def _at_time_points(instances: Bindings, names: VariableNames, view: View) -> Bindings:
    for name in names:
        times = instances.column(name)
        instances = instances.take(are_time_points_until(times, view.codes, view.horizon))
    return instances


def _take(
    instances: Bindings, literal: BodyLiteral, new: AtomSource | None, lookup: Lookups, view: View
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
    binding = assigned(comparison, frozenset(instances.names))
    columns, size = instances.columns(), len(instances)
    if binding is None:
        return instances.take(compare(comparison, columns, size, codes))
    name, expression = binding
    computed = compute(expression, columns, size, codes)
    return instances.bind(name, computed.codes).take(computed.exists)
