"""Random CQL files with facts and evaluation times, for comparing engines with the reference.

Values are few, so that joins hit, groups have members and duplicates occur. With `core` only what has a
translation to LARS; without it everything of the language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from tests.strategies.cql_expressions import Term, comparison, condition, value
from tests.strategies.cql_tables import (
    LAST_TIME,
    SMALL,
    Column,
    Scale,
    Table,
    declaration,
    random_facts,
    random_tables,
)
from tests.strategies.shrinking import accepted, thinned_lines

from horae.languages.cql.check.check import load
from horae.source.text import Source


def random_queries(rng: Random, *, core: bool, scale: Scale = SMALL) -> tuple[str, str, list[int]]:
    """A CQL text with one to three queries, the text of the facts, and the evaluation times.

    Rules count a row that comes twice at a time once, so the core has no such rows beside [ROWS n].
    """
    tables = random_tables(rng, core=core)
    lines = [declaration(table) for table in tables]
    writer = _Writer(rng, list(tables), core)
    lines += [writer.query(f"q{number}") for number in range(1, rng.randint(1, 3) + 1)]
    text = "\n".join(lines) + "\n"
    facts = random_facts(rng, tables, duplicates=not (core and "ROWS" in text), scale=scale)
    times = sorted(rng.sample(range(LAST_TIME + 3), rng.randint(4, 7)))
    return text, facts, [scale.start + time for time in times]


def thinned_queries(rng: Random, text: str) -> str:
    """When it is shrunk, without some of its lines."""
    return accepted(load(Source("thinned.cql", thinned_lines(rng, text)))[0]).source.text


@dataclass(frozen=True)
class _Selected:
    """A SELECT: its text, its outputs, and what ORDER BY may name beside them."""

    text: str
    outputs: tuple[Column, ...]
    hidden: tuple[Term, ...]


class _Writer:
    """Writes queries; each one can be read by those after it. Aliases are never used twice."""

    def __init__(self, rng: Random, tables: list[Table], core: bool) -> None:
        self._rng = rng
        self._base = tuple(tables)
        self._tables = tables
        self._core = core
        self._aliases = 0

    def _chance(self, probability: float) -> bool:
        return self._rng.random() < probability

    def query(self, name: str) -> str:
        if self._core:
            selected = self._core_select()
            text = selected.text
        else:
            text, selected = self._body([], self._tables)
            operator = self._rng.choice(
                ("", "", "", "", "RSTREAM", "ISTREAM", "ISTREAM", "DSTREAM")
            )
            text = f"{operator}({text})" if operator else text
        self._tables.append(Table(name, selected.outputs, is_query=True))
        return f"{name}: {text};"

    # --- FROM

    def _sources(self, tables: Sequence[Table], most: int) -> tuple[list[str], list[Term]]:
        """The elements of a FROM clause, and their columns. At most one is a query: rows multiply."""
        elements: list[str] = []
        terms: list[Term] = []
        for _ in range(self._rng.choice((1, 1, 2, 2, 3)[: 2 * most - 1])):
            alias = self._new_alias()
            element, columns = self._source(tables, alias)
            elements.append(element)
            terms += [Term(f"{alias}.{column.name}", column.type) for column in columns]
            tables = [table for table in tables if not table.is_query]
        return elements, terms

    def _new_alias(self) -> str:
        self._aliases += 1
        return f"x{self._aliases}"

    def _source(self, tables: Sequence[Table], alias: str) -> tuple[str, Sequence[Column]]:
        if not self._core and self._chance(0.12):
            text, selected = self._body([], self._base, most=1)
            return f"({text}) AS {alias}", selected.outputs
        queries = [table for table in tables if table.is_query]
        streams = [table for table in tables if table.is_stream]
        table = self._rng.choice(queries or streams if self._chance(0.5) else tables)
        word = self._rng.choice(("AS ", ""))
        return f"{table.name}{self._window(table)} {word}{alias}", table.columns

    def _window(self, table: Table) -> str:
        as_stream = table.is_query and not self._core and self._chance(0.5)
        if not (table.is_stream or as_stream):
            return ""
        number, rng = self._rng.randint(3, 9), self._rng
        some = rng.sample([c.name for c in table.columns], rng.randint(1, len(table.columns)))
        windows = [
            *(f"RANGE {number}", f"RANGE {number} SLIDE {rng.randint(1, min(number, 4))}"),
            *("RANGE UNBOUNDED", f"ROWS {rng.randint(1, 5)}", "NOW"),
            f"PARTITION BY {', '.join(some)} ROWS {rng.randint(1, 2)}",
        ]
        return f" [{rng.choices(windows, (4, 3, 3, 4, 1, 4))[0]}]"

    def _joins(self, terms: Sequence[Term]) -> list[str]:
        """Equalities between columns of different elements, so that rows do not multiply too much."""
        found = []
        aliases = list(dict.fromkeys(_alias(term) for term in terms))
        for before, alias in pairwise(aliases):
            pairs = [
                f"{left.text} = {right.text}"
                for left in terms
                for right in terms
                if (_alias(left), _alias(right)) == (before, alias) and left.type == right.type
            ]
            found += [self._rng.choice(pairs)] if pairs and self._chance(0.9) else []
        return found

    # --- the core

    def _core_select(self) -> _Selected:
        elements, terms = self._sources(self._tables, 3)
        wanted = self._joins(terms)
        outputs = list(dict.fromkeys(self._rng.choices(terms, k=self._rng.randint(1, 3))))
        items = [f"{term.text} AS c{place}" for place, term in enumerate(outputs, 1)]
        columns = [Column(f"c{place}", term.type) for place, term in enumerate(outputs, 1)]
        if self._chance(0.4):
            wanted.append(comparison(self._rng, terms, core=True))
        if self._chance(0.3):
            defined, name = self._definition(terms)
            wanted.append(defined)
            items.append(name.text)
            columns.append(Column(name.text, "int"))
        where = f" WHERE {' AND '.join(wanted)}" if wanted else ""
        text = f"SELECT {', '.join(items)} FROM {', '.join(elements)}{where}"
        return _Selected(text, tuple(columns), ())

    def _definition(self, terms: Sequence[Term]) -> tuple[str, Term]:
        """A condition that gives a new name to the result of an operation."""
        self._aliases += 1
        name = f"N{self._aliases}"
        left, right = (value(self._rng, "int", terms, 0) for _ in range(2))
        return f"{name} = {left} {self._rng.choice('+-*')} {right}", Term(name, "int")

    # --- whole queries

    def _body(
        self,
        around: Sequence[Term],
        tables: Sequence[Table],
        types: Sequence[str] | None = None,
        most: int = 3,
    ) -> tuple[str, _Selected]:
        """`around`: the columns of the SELECTs around it; `types`: those that its outputs must have."""
        selected = self._select(around, tables, types, most)
        text, hidden = selected.text, selected.hidden
        if self._chance(0.2):
            text, hidden = self._combined(selected, around), ()
        if self._chance(0.3):
            text += self._order(selected.outputs, hidden)
            text += f" LIMIT {self._rng.randint(1, 6)}" if self._chance(0.6) else ""
        return text, selected

    def _combined(self, selected: _Selected, around: Sequence[Term]) -> str:
        text = selected.text
        for _ in range(self._rng.choice((1, 1, 2))):
            types = [self._fitting(column.type) for column in selected.outputs]
            operator = self._rng.choice(("UNION", "UNION", "EXCEPT", "INTERSECT"))
            every = self._rng.choice(("", " ALL"))
            text += f" {operator}{every} {self._select(around, self._base, types, 2).text}"
        return text

    def _fitting(self, type: str) -> str:
        """A type for the other side of a set operation: an int becomes a double where one stands."""
        return "int" if type == "double" and self._chance(0.3) else type

    def _order(self, outputs: Sequence[Column], hidden: Sequence[Term]) -> str:
        names = [column.name for column in outputs] + [term.text for term in hidden]
        names += [str(place) for place in range(1, len(outputs) + 1)]
        chosen = self._rng.sample(names, min(len(names), self._rng.randint(1, 2)))
        return " ORDER BY " + ", ".join(
            f"{name}{self._rng.choice(('', ' ASC', ' DESC', ' DESC'))}" for name in chosen
        )

    # --- SELECT

    def _select(
        self,
        around: Sequence[Term],
        tables: Sequence[Table],
        types: Sequence[str] | None,
        most: int,
    ) -> _Selected:
        elements, own = self._sources(tables, most)
        where = self._where(around, own)
        ending, terms = "", own
        is_grouped = self._chance(0.35)
        if is_grouped:
            ending, terms = self._grouping(own)
        items, outputs = self._items(terms, types)
        if not is_grouped and types is None and self._chance(0.15) and _all_columns(own):
            items, outputs = "*", _all_columns(own)
        distinct = "DISTINCT " if self._chance(0.15) else ""
        text = f"SELECT {distinct}{items} FROM {', '.join(elements)}{where}{ending}"
        return _Selected(text, outputs, () if distinct else tuple(terms))

    def _where(self, around: Sequence[Term], own: list[Term]) -> str:
        """Adds the name that the clause defines, if it does, to the columns of the SELECT.

        A name that nothing uses is refused, so the clause itself uses it.
        """
        wanted = self._conditions(around, own)
        if self._chance(0.15):
            defined, name = self._definition(own)
            wanted += [defined, f"{name.text} {self._rng.choice(('<>', '>='))} 1"]
            own.append(name)
        self._rng.shuffle(wanted)
        return f" WHERE {' AND '.join(wanted)}" if wanted else ""

    def _items(
        self, terms: Sequence[Term], types: Sequence[str] | None
    ) -> tuple[str, tuple[Column, ...]]:
        if types is None:
            types = [term.type for term in self._rng.choices(terms, k=self._rng.randint(1, 3))]
        texts = [value(self._rng, type, terms) for type in types]
        names = [f"c{place}" for place in range(1, len(texts) + 1)]
        items = ", ".join(f"{text} AS {name}" for text, name in zip(texts, names, strict=True))
        return items, tuple(Column(*pair) for pair in zip(names, types, strict=True))

    def _conditions(self, around: Sequence[Term], own: Sequence[Term]) -> list[str]:
        """A subquery is tied to the SELECTs around it, if a column fits."""
        wanted = self._joins(own)
        pairs = [f"{a.text} = {b.text}" for a in own for b in around if a.type == b.type]
        if pairs and self._chance(0.8):
            wanted.append(self._rng.choice(pairs))
        if self._chance(0.4):
            subquery = self._subquery if len(around) < 4 else None
            wanted.append(condition(self._rng, [*own, *around], subquery))
        return wanted

    def _subquery(self, around: Sequence[Term], types: Sequence[str] | None) -> str:
        return self._body(around, self._base, types, most=1)[0]

    def _subquery_of_group(self, around: Sequence[Term], types: Sequence[str] | None) -> str:
        """It sees the columns of GROUP BY, but no aggregates."""
        return self._subquery([term for term in around if term.text[0] == "x"], types)

    def _grouping(self, own: Sequence[Term]) -> tuple[str, list[Term]]:
        """GROUP BY and HAVING, and what outputs may be made of: keys and aggregates."""
        keys = self._rng.sample(own, min(len(own), self._rng.choice((0, 1, 1, 2))))
        aggregates = [self._aggregate(own) for _ in range(self._rng.randint(1, 3))]
        terms = [*keys, *aggregates]
        ending = f" GROUP BY {', '.join(key.text for key in keys)}" if keys else ""
        if self._chance(0.3):
            ending += f" HAVING {condition(self._rng, terms, self._subquery_of_group, 1)}"
        return ending, terms

    def _aggregate(self, own: Sequence[Term]) -> Term:
        term = self._rng.choice(own)
        distinct = "DISTINCT " if self._chance(0.2) else ""
        if term.type == "bool" or self._chance(0.3):
            return Term(self._rng.choice(("COUNT(*)", f"COUNT({distinct}{term.text})")), "int")
        if term.type == "string" or self._chance(0.3):
            return Term(f"{self._rng.choice(('MIN', 'MAX'))}({term.text})", term.type)
        if self._chance(0.5):
            return Term(f"AVG({distinct}{term.text})", "double")
        return Term(f"SUM({distinct}{value(self._rng, term.type, own)})", term.type)


def _all_columns(terms: Sequence[Term]) -> tuple[Column, ...]:
    """What `*` stands for, if that can be told from the terms, and later queries can name it."""
    columns = [Column(term.text.partition(".")[2], term.type) for term in terms]
    names = {column.name for column in columns}
    return tuple(columns) if len(names) == len(columns) and "" not in names else ()


def _alias(term: Term) -> str:
    return term.text.partition(".")[0]
