"""Text into facts, or into all that is wrong with the text.

The way: scan, cut into statements (`statements.py`) → per statement the brackets, the grammar, the
fact. A statement with an error does not keep the others from being read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from lark import Lark

from horae.data.clock import SECONDS, Clock
from horae.data.fact_lines import catalogue_lines as catalogue
from horae.data.fact_lines.build import FactBuilder, PlacedFact
from horae.data.fact_lines.expectations import explain_fact
from horae.data.fact_lines.statements import BRACKETS, readable_chunks
from horae.frontend.brackets import check_brackets
from horae.frontend.chunks import Chunk
from horae.frontend.grammars import load_grammar
from horae.frontend.lalr import Stuck, derive
from horae.frontend.scanning import Problems, ScannedText, scan_tokens
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source

_PROBLEMS: Problems = {
    "OPEN_STRING": catalogue.unterminated_string,
    "STRANGE": catalogue.strange_character,
}


@cache
def _grammar() -> Lark:
    """Built once: a grammar takes longer to load than most texts to parse."""
    return load_grammar(__file__)


def scan_statements(source: Source) -> ScannedText:
    return scan_tokens(_grammar(), source, _PROBLEMS)


def parse_facts(
    source: Source, clock: Clock = SECONDS
) -> tuple[list[PlacedFact], list[Diagnostic]]:
    """The facts that could be read, and what is wrong with all else, in source order."""
    scanned = scan_statements(source)
    facts: list[PlacedFact] = []
    diagnostics = list(scanned.diagnostics)
    for chunk in readable_chunks(source, scanned, _is_variable):
        fact, found = _parse(chunk, clock)
        diagnostics += found
        facts += [] if fact is None or found else [fact]
    return facts, sorted(diagnostics, key=lambda d: (d.span.start, d.code))


def _is_variable(name: str) -> bool:
    """Facts have no variables, so a name in capitals is a constant; but nobody is called `_`."""
    return name[0] == "_"


def _parse(chunk: Chunk, clock: Clock) -> tuple[PlacedFact | None, Sequence[Diagnostic]]:
    unbalanced = check_brackets(BRACKETS, chunk.tokens)
    if unbalanced is not None:
        return None, [unbalanced]
    parsed = derive(_grammar(), chunk.tokens)
    if isinstance(parsed, Stuck):
        return None, [explain_fact(chunk, parsed)]
    builder = FactBuilder(clock)
    return builder.transform(parsed), builder.diagnostics
