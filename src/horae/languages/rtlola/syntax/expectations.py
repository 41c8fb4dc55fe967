"""An unexpected token as a diagnostic: found, expected, and help for the usual mistakes."""

from __future__ import annotations

from collections.abc import Sequence

from lark import Token

from horae.frontend.chunks import Chunk
from horae.frontend.expectations import Surprise, TokenGroup, in_words
from horae.frontend.lalr import span_of
from horae.languages.rtlola.syntax import catalogue_syntax as catalogue
from horae.languages.rtlola.syntax.dialects import find_foreign
from horae.languages.rtlola.syntax.tokens import (
    CLAUSE_KEYWORDS,
    DECLARATION_KEYWORDS,
    KEYWORDS,
    STARTERS,
)
from horae.source.diagnostic import Diagnostic
from horae.source.suggest import closest
from horae.source.text import Span

_EXPRESSION = frozenset(
    ("NAME", "TYPE", "INTEGER", "DECIMAL", "STRING", "TRUE", "FALSE", "LPAR", "MINUS", "NOT", "IF")
)
_COMPARISONS = frozenset(("EQUAL", "UNEQUAL", "LESS", "AT_MOST", "MORE", "AT_LEAST"))
_OPERATORS = _COMPARISONS | frozenset(
    ("PLUS", "MINUS", "TIMES", "DIVIDE", "MODULO", "POWER", "AND", "OR", "LSQB", "LPAR", "DOT")
)
_NUMBERS = frozenset(("INTEGER", "DECIMAL"))
_SECTIONS = frozenset(("STATE", "STEP", "COMBINE", "INVERSE", "RESULT"))
_CLAUSES = frozenset(("INVOKE", "EXTEND", "TERMINATE"))
_GROUPS = (
    TokenGroup("an expression", _EXPRESSION, "FALSE"),
    TokenGroup("an operator", _OPERATORS, "AND"),
    TokenGroup("an operator", _OPERATORS, "TIMES"),
    TokenGroup("a clause", _CLAUSES, "EXTEND"),
    TokenGroup("a section", _SECTIONS, "STATE"),
    TokenGroup("a declaration", STARTERS, "OUTPUT"),
    TokenGroup("a number", _NUMBERS, "INTEGER"),
)
_WORDS = {
    "DEFINE": "`:=`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "SEMICOLON": "`;`",
    "DOT": "`.`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "LESS": "`<`",
    "MORE": "`>`",
    "ARROW": "`->`",
    "THEN": "`then`",
    "ELSE": "`else`",
    "NAME": "a name",
    "TYPE": "a type",
    "INTEGER": "a number",
    "DECIMAL": "a number",
    "STRING": "a string",
    "EQUAL": "`=`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "$END": "the next declaration",
}
_KINDS = {
    "NAME": "the name ",
    "TYPE": "the type ",
    "INTEGER": "the number ",
    "DECIMAL": "the number ",
    "STRING": "the string ",
}


class DeclarationSurprise(Surprise):
    """Where the grammar stopped in a declaration, behind its first token."""

    @property
    def before(self) -> Token:
        return self.chunk.tokens[self.index - 1]

    @property
    def span(self) -> Span:
        """At the end of a declaration: just behind it, or the keyword that cut it short."""
        if self.token is not None:
            return span_of(self.token)
        cut_short = cutting_keyword(self.chunk)
        end = span_of(self.before).end
        return span_of(cut_short) if cut_short is not None else Span(end, end)


def cutting_keyword(chunk: Chunk) -> Token | None:
    """A declaration keyword on the same line as what it ends: probably meant as a name."""
    follower = chunk.follower
    if follower is not None and follower.line == chunk.last.end_line:
        return follower
    return None


def explain(surprise: DeclarationSurprise) -> Diagnostic:
    """The most specific diagnostic for the place."""
    foreign = find_foreign(surprise.chunk.tokens, surprise.index, surprise.chunk.follower)
    if foreign is not None:
        return catalogue.OTHER_DIALECT(
            span_of(foreign.token), written=str(foreign.token), help=foreign.help
        )
    if surprise.index == 0:
        return _no_declaration(surprise)
    return (
        _incomplete_if(surprise)
        or _missing_definition(surprise)
        or _unknown_section(surprise)
        or _misspelt_clause(surprise)
        or catalogue.unexpected(
            surprise.span, _found(surprise), _expected(surprise), help=_help(surprise)
        )
    )


# --- the special cases


def _no_declaration(surprise: DeclarationSurprise) -> Diagnostic:
    token = surprise.chunk.first
    meant = closest(str(token), DECLARATION_KEYWORDS)
    help = f"did you mean `{meant}`?" if meant else f"one of {', '.join(DECLARATION_KEYWORDS)}"
    return catalogue.unexpected(span_of(token), _described(token), "a declaration", help=help)


def _incomplete_if(surprise: DeclarationSurprise) -> Diagnostic | None:
    for kind, word in (("THEN", "then"), ("ELSE", "else")):
        if kind in surprise.accepted:
            opening = _open_if(surprise.chunk.tokens[: surprise.index], kind)
            return catalogue.incomplete_if(surprise.span, _found(surprise), word, span_of(opening))
    return None


def _open_if(tokens: Sequence[Token], waiting_for: str) -> Token:
    """The innermost `if` that still waits for its `then` (or its `else`)."""
    opened: list[Token] = []
    for token in tokens:
        if token.type == "IF":
            opened.append(token)
        elif token.type == waiting_for:
            opened.pop()
    return opened[-1]


def _missing_definition(surprise: DeclarationSurprise) -> Diagnostic | None:
    if surprise.token is not None or "DEFINE" not in surprise.accepted:
        return None
    tokens = surprise.chunk.tokens
    name = _output_name(tokens)
    if tokens[0].type != "OUTPUT" or name is None:
        return None
    end = span_of(surprise.before).end
    return catalogue.missing_definition(span_of(name), str(name), Span(end, end))


def _output_name(tokens: Sequence[Token]) -> Token | None:
    """`output x`, `output int x`, `output x: int`."""
    names = [token for token in tokens[1:3] if token.type in ("NAME", "TYPE")]
    return names[-1] if names else None


def _unknown_section(surprise: DeclarationSurprise) -> Diagnostic | None:
    token = surprise.token
    if token is None or token.type != "NAME" or not surprise.accepted & _SECTIONS:
        return None
    return catalogue.unknown_section(span_of(token), str(token))


def _misspelt_clause(surprise: DeclarationSurprise) -> Diagnostic | None:
    """`output x extnd: 1Hz`: the grammar takes `x` for a type, and stops at the colon."""
    token, before = surprise.token, surprise.before
    meant = closest(str(before), CLAUSE_KEYWORDS) if before.type == "NAME" else None
    if token is None or token.type != "COLON" or meant is None:
        return None
    help = f"did you mean `{meant}`?"
    return catalogue.unexpected(span_of(before), _described(before), "a clause", help=help)


# --- what was found, what was expected


def _found(surprise: DeclarationSurprise) -> str:
    if surprise.token is not None:
        return _described(surprise.token)
    keyword = cutting_keyword(surprise.chunk)
    if keyword is not None:
        return _described(keyword)
    last = surprise.chunk.follower is None
    return "the end of the file" if last else "the next declaration"


def _described(token: Token) -> str:
    if token in KEYWORDS:
        return f"the keyword `{token}`"
    return f"{_KINDS.get(token.type, '')}`{token}`"


def _expected(surprise: DeclarationSurprise) -> str:
    if surprise.accepted == {"NAME"} and surprise.before.type in _NUMBERS:
        return "a unit such as `Hz` or `s`"
    if {"PLUS", "FALSE"} <= surprise.accepted:  # only the first part of `a[…]` has a plus sign
        return "an offset or a duration"
    return in_words(surprise.accepted, _GROUPS, _WORDS)


# --- help


def _help(surprise: DeclarationSurprise) -> str:
    before = surprise.before
    if before.type == "NAME" and surprise.accepted == {"NAME", "COLON"}:
        return f"`{before}` needs a type: `int {before}` or `{before}: int`"
    token = surprise.token or cutting_keyword(surprise.chunk)
    if token is None:
        return ""
    return (
        _help_with_keyword(surprise, token)
        or _help_with_name(surprise, token)
        or _help_with_sign(surprise, token)
    )


def _help_with_keyword(surprise: DeclarationSurprise, token: Token) -> str:
    if token not in KEYWORDS:
        return ""
    if token.type == "IF":
        return "put the `if … then … else …` in parentheses"
    if token.type in _CLAUSES and "$END" in surprise.accepted:
        return "the clauses of an output stand before its definition"
    if "NAME" in surprise.accepted:
        return f"`{token}` is a keyword; choose another name"
    return ""


def _help_with_name(surprise: DeclarationSurprise, token: Token) -> str:
    if token.type != "NAME":
        return ""
    starts_line = surprise.before.end_line != token.line
    known = [*CLAUSE_KEYWORDS, *(DECLARATION_KEYWORDS if starts_line else ())]
    meant = closest(str(token), known)
    if meant is not None:
        return f"did you mean `{meant}`?"
    if surprise.before.type in _NUMBERS:
        return "a number with a unit stands only first in `[…]`, and as a rate"
    return ""


def _help_with_sign(surprise: DeclarationSurprise, token: Token) -> str:
    accepted = surprise.accepted
    if token.type in _COMPARISONS and "AND" in accepted:
        return "comparisons do not chain: write `a < b and b < c`"
    if token.type == "DEFINE" and "EQUAL" in accepted:
        return "to compare write `=`; `:=` defines an output"
    if token.type == "LPAR" and surprise.chunk.tokens[surprise.index - 2].type == "DOT":
        return "write `a[-1, 0]` for an earlier value, `a[10s, 0, avg]` for a window"
    if token.type == "SEMICOLON" and "$END" in accepted:
        return "declarations need no separator"
    return ""
