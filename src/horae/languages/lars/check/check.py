"""From the syntax tree to the checked program: the checks, in their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set

from horae.data.intervals import ALWAYS
from horae.data.natural_times import LAST
from horae.languages.lars.check import catalogue_checks as catalogue
from horae.languages.lars.check.check_heads import check_head
from horae.languages.lars.check.check_predicates import (
    check_queries,
    check_spelling,
    check_truth,
    check_use,
)
from horae.languages.lars.check.check_safety import check_safety
from horae.languages.lars.check.check_windows import check_windows
from horae.languages.lars.check.occurrences import (
    atoms_and_patterns,
    children,
    formulas_of,
    name_span,
    variables_in,
)
from horae.languages.lars.program import Program, atoms
from horae.languages.lars.syntax.parse import parse
from horae.languages.lars.syntax.tree import (
    Choice,
    Fact,
    Formula,
    PartitionWindow,
    Query,
    Rule,
    Tree,
    TupleWindow,
    Window,
)
from horae.rules.arities import find_arities
from horae.rules.terms import Atom
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source, Span


def load(source: Source, precision: str | None = None) -> tuple[Program | None, list[Diagnostic]]:
    """Parse and check. There is a program iff no diagnostic is an error.

    Durations are counted in time points of a precision, by default the coarsest that is fine enough.
    """
    tree, found = parse(source, precision)
    return (None, found) if tree is None else check(source, tree)


def check(source: Source, tree: Tree) -> tuple[Program | None, list[Diagnostic]]:
    """Every check reports what it finds, and the next one goes on."""
    rules = tuple(s for s in tree.statements if isinstance(s, Rule))
    arities, report = _check_arities(tree)
    for rule in rules:
        report += [*check_safety(source, rule), *check_head(rule), *check_windows(rule)]
    unknown = list(check_queries(tree))
    report += [*_check_facts(tree), *check_truth(tree), *unknown]
    report += [*_singletons(rules, report), *check_spelling(tree), *_check_sight(tree)]
    report += check_use(tree) if not unknown else ()
    report.sort(key=lambda d: (d.span.start, d.code))
    if any(d.is_error for d in report):
        return None, report
    facts = tuple(s for s in tree.statements if isinstance(s, Fact))
    return Program(
        source, rules, facts, _queries(tree, rules), arities, tree.has_durations, tree.precision
    ), report


def _singletons(rules: tuple[Rule, ...], errors: list[Diagnostic]) -> list[Diagnostic]:
    """A variable that is an error already needs no warning as well."""
    reported = {error.span for error in errors}
    return [d for rule in rules for d in _check_variables(rule) if d.span not in reported]


def _queries(tree: Tree, rules: tuple[Rule, ...]) -> tuple[str, ...]:
    """The predicates of `?-`, else all derived ones, each once, in the order of the text."""
    asked = [p for s in tree.statements if isinstance(s, Query) for p, _ in s.predicates]
    derived = [a.predicate for rule in rules if rule.head is not None for a in atoms(rule.head)]
    return tuple(dict.fromkeys(asked or derived))


# --- a variable that occurs once is often a slip of the pen; `_` and `_name` say that it is none


def _check_variables(rule: Rule) -> Iterator[Diagnostic]:
    """The variables of patterns are not counted: they belong to their window."""
    found = [variable for formula in formulas_of(rule) for variable in variables_in(formula)]
    uses = Counter(variable.name for variable in found)
    for variable in found:
        if variable.name[0] != "_" and uses[variable.name] == 1:
            yield catalogue.singleton(variable.name, variable.span)


# --- a predicate has the same number of arguments everywhere, patterns of windows included


def _check_arities(tree: Tree) -> tuple[dict[str, int], list[Diagnostic]]:
    """The arity of each predicate, from its first use, and every use that differs."""
    arities, clashes = find_arities(atoms_and_patterns(tree))
    return arities, [catalogue.arity(clash) for clash in clashes]


# --- facts of the stream are about input predicates, at time points; background data may be about any


def _check_facts(tree: Tree) -> Iterator[Diagnostic]:
    heads = [s.head for s in tree.statements if isinstance(s, Rule) and s.head is not None]
    derived = {a.predicate: name_span(a) for head in reversed(heads) for a in atoms(head)}
    for fact in tree.statements:
        if not isinstance(fact, Fact) or fact.interval == ALWAYS:
            continue
        if fact.atom.predicate in derived:
            name = fact.atom.predicate
            yield catalogue.fact_about_derived(name, name_span(fact.atom), derived[name])
        if fact.interval.high is not None and fact.interval.high > LAST:
            yield catalogue.too_large(
                catalogue.A_TIME_POINT, Span(fact.atom.span.end, fact.span.end)
            )


# --- windows that count atoms see input atoms only: a derived one in them is never true


def _check_sight(tree: Tree) -> Iterator[Diagnostic]:
    rules = [s for s in tree.statements if isinstance(s, Rule)]
    derived = {a.predicate for rule in rules if rule.head is not None for a in atoms(rule.head)}
    derived -= {s.atom.predicate for s in tree.statements if isinstance(s, Fact)}
    for rule in rules:
        for formula in rule.body:
            yield from _check_counted(formula, derived, is_counting=False)


def _check_counted(formula: Formula, derived: Set[str], is_counting: bool) -> Iterator[Diagnostic]:
    match formula:
        case Atom(predicate) if is_counting and predicate in derived:
            yield catalogue.NEVER_SEEN(name_span(formula), predicate=predicate)
        case Window(function=PartitionWindow(pattern=pattern)) if pattern.predicate in derived:
            yield catalogue.NEVER_COUNTED(name_span(pattern), predicate=pattern.predicate)
            return
        case Window(choice=choice, function=function):
            counts = isinstance(function, TupleWindow | PartitionWindow)
            is_counting = counts or (is_counting and choice is Choice.CURRENT)
        case _:
            pass
    for child in children(formula):
        yield from _check_counted(child, derived, is_counting)
