"""An unexpected token as a diagnostic: found, expected, and help for the usual mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lark import Token

from horae.data.rationals import is_readable, read_number, write_number
from horae.frontend.chunks import Chunk
from horae.frontend.expectations import Surprise, TokenGroup, in_words
from horae.frontend.lalr import Stuck, span_of
from horae.languages.datalogmtl.syntax import catalogue_syntax as catalogue
from horae.languages.datalogmtl.syntax.keywords import OPERATORS, reserved_kind
from horae.languages.datalogmtl.syntax.tree import Operator
from horae.source.diagnostic import Diagnostic
from horae.source.suggest import closest
from horae.source.text import Span

_GROUPS = (
    TokenGroup("a formula", frozenset(("PREDICATE", "OPERATOR", "LPAR", "NOT")), "PREDICATE"),
    TokenGroup(
        "a variable or a constant",
        frozenset(("VARIABLE", "CONSTANT", "NUMBER", "STRING", "MOMENT")),
        "STRING",
    ),
    TokenGroup("a number", frozenset(("NUMBER", "INFINITE", "MOMENT")), "INFINITE"),
    TokenGroup("an operator", frozenset(("SINCE", "UNTIL", "AND")), "SINCE"),
)
_WORDS = {
    "IMPLIES": "`:-`",
    "AT": "`@`",
    "COMMA": "`,`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "INTERVAL_START": "an interval",
    "INTERVAL_END": "`]` or `)`",
    "NUMBER": "a time",
    "MOMENT": "a time",
    "QUERY": "`?-`",
    "AND": "`and`",
    "$END": "the end of the statement",
}
_KINDS = {
    "PREDICATE": "the name ",
    "VARIABLE": "the variable ",
    "CONSTANT": "the constant ",
    "NUMBER": "the number ",
    "STRING": "the string ",
    "INFINITE": "the number ",
    "MOMENT": "the date ",
}
_DUALS = {
    Operator.BOX_MINUS: Operator.DIAMOND_MINUS,
    Operator.DIAMOND_MINUS: Operator.BOX_MINUS,
    Operator.BOX_PLUS: Operator.DIAMOND_PLUS,
    Operator.DIAMOND_PLUS: Operator.BOX_PLUS,
}
_WORD_OPERATORS = ("Boxminus", "Diamondminus", "Boxplus", "Diamondplus", "Since", "Until")
_UNITS = {
    **dict.fromkeys(("ns",), Fraction(1, 10**9)),
    **dict.fromkeys(("us", "µs"), Fraction(1, 10**6)),
    **dict.fromkeys(("ms",), Fraction(1, 1000)),
    **dict.fromkeys(("s", "sec", "second", "seconds"), Fraction(1)),
    **dict.fromkeys(("min", "minute", "minutes"), Fraction(60)),
    **dict.fromkeys(("h", "hour", "hours"), Fraction(3600)),
    **dict.fromkeys(("d", "day", "days"), Fraction(86400)),
}
_ONCE = "at some time from 5 to 0 ago is `Diamondminus[0,5]`"
_HISTORICALLY = "at all times from 5 to 0 ago is `Boxminus[0,5]`"
_EVENTUALLY = "at some time from 0 to 5 from now on is `Diamondplus[0,5]`"
_GLOBALLY = "at all times from 0 to 5 from now on is `Boxplus[0,5]`"
_CAPITALS = "; `{}[-5,0]` and `{}[0,5]` stand in capitals"
_OTHER_LOGICS = {
    **dict.fromkeys(("once", "past", "previously", "p", "o", "diamond_minus"), _ONCE),
    **dict.fromkeys(("historically", "h", "box_minus"), _HISTORICALLY),
    **dict.fromkeys(("eventually", "finally", "f", "diamond_plus"), _EVENTUALLY),
    **dict.fromkeys(("globally", "henceforth", "g", "box_plus"), _GLOBALLY),
    "always": f"{_HISTORICALLY}; {_GLOBALLY}{_CAPITALS.format('ALWAYS', 'ALWAYS')}",
    "box": f"{_HISTORICALLY}; {_GLOBALLY}",
    **dict.fromkeys(
        ("sometime", "sometimes"),
        f"{_ONCE}; {_EVENTUALLY}{_CAPITALS.format('SOMETIME', 'SOMETIME')}",
    ),
    "diamond": f"{_ONCE}; {_EVENTUALLY}",
    **dict.fromkeys(("next", "x"), "time is dense; 1 from now on is `Diamondplus[1]`"),
    **dict.fromkeys(("previous", "yesterday", "y"), "time is dense; 1 ago is `Diamondminus[1]`"),
}


def explain(chunk: Chunk, stuck: Stuck) -> Diagnostic:
    """The most specific diagnostic for the place."""
    surprise = Surprise(chunk, stuck.index, stuck.accepted)
    return (
        _missing_interval(surprise)
        or _negation_inside(surprise)
        or _conjunction_inside(surprise)
        or _time_in_rule(surprise)
        or _unit(surprise)
        or _chained(surprise)
        or _date_as_distance(surprise)
        or _other_logic(surprise)
        or _misspelt_operator(surprise)
        or _not_ended(surprise)
        or catalogue.unexpected(
            surprise.span, _found(surprise), _expected(surprise), help=_help(surprise)
        )
    )


# --- the special cases


def _missing_interval(surprise: Surprise) -> Diagnostic | None:
    before = surprise.before
    if before is None or surprise.accepted != {"INTERVAL_START"}:
        return None
    return catalogue.MISSING_INTERVAL(span_of(before), operator=str(before))


def _negation_inside(surprise: Surprise) -> Diagnostic | None:
    token = surprise.token
    if token is None or token.type != "NOT" or "PREDICATE" not in surprise.accepted:
        return None
    operator = _enclosing_operator(surprise.chunk.tokens[: surprise.index])
    dual = _DUALS[operator] if operator else ""
    return catalogue.negation_inside(span_of(token), operator or "", dual)


def _enclosing_operator(tokens: Sequence[Token]) -> Operator | None:
    """`Boxminus[0,5] not …`: the operator just before, over its interval."""
    if not tokens or tokens[-1].type != "INTERVAL_END":
        return None
    sign = next((t for t in reversed(tokens) if t.type in ("OPERATOR", "SINCE", "UNTIL")), None)
    return OPERATORS.get(sign.lower()) if sign is not None else None


def _conjunction_inside(surprise: Surprise) -> Diagnostic | None:
    token = surprise.token
    if token is None or token.type not in ("COMMA", "AND"):
        return None
    is_group = "RPAR" in surprise.accepted and "COMMA" not in surprise.accepted
    return catalogue.CONJUNCTION_INSIDE(span_of(token)) if is_group else None


def _time_in_rule(surprise: Surprise) -> Diagnostic | None:
    token = surprise.token
    kinds = [t.type for t in surprise.chunk.tokens]
    if token is None or token.type not in ("AT", "IMPLIES") or "IMPLIES" not in kinds:
        return None
    if "AT" not in kinds[: surprise.index + 1] or kinds.count("IMPLIES") > 1:
        return None
    return catalogue.TIME_IN_RULE(span_of(surprise.chunk.tokens[kinds.index("AT")]))


def _chained(surprise: Surprise) -> Diagnostic | None:
    token = surprise.token
    if token is None or token.type not in ("SINCE", "UNTIL") or surprise.index == 0:
        return None
    is_behind_formula = bool(surprise.accepted & {"RPAR", "COMMA", "$END"})
    return (
        catalogue.CHAINED_OPERATORS(span_of(token), operator=str(token))
        if is_behind_formula
        else None
    )


def _unit(surprise: Surprise) -> Diagnostic | None:
    """`Boxminus[0,5s]`, `p@3ms`: a name just behind a number, where none can stand."""
    token, before = surprise.token, surprise.before
    if token is None or before is None or before.type != "NUMBER" or not token.isalpha():
        return None
    number, unit = span_of(before), span_of(token)
    if number.end != unit.start and "INTERVAL_END" not in surprise.accepted:
        return None
    worth = _UNITS.get(token.lower())
    value = read_number(before) if worth is not None and is_readable(before) else None
    seconds = "" if value is None or worth is None else write_number(value * worth)
    span = Span(number.start, unit.end)
    return catalogue.bound_with_unit(span, str(before), str(token), seconds)


def _date_as_distance(surprise: Surprise) -> Diagnostic | None:
    token = surprise.token
    if token is None or token.type != "MOMENT" or "INFINITE" not in surprise.accepted:
        return None
    return catalogue.DATE_AS_DISTANCE(span_of(token), text=str(token))


def _other_logic(surprise: Surprise) -> Diagnostic | None:
    """`ONCE[0,5] p`: the grammar takes the word for a predicate, and stops at the bracket."""
    token, before = surprise.token, surprise.before
    if token is None or token.type != "INTERVAL_START" or before is None:
        return None
    help = _OTHER_LOGICS.get(before.lower()) if before.type == "PREDICATE" else None
    if help is None:
        return None
    return catalogue.OPERATOR_OF_OTHER_LOGICS(span_of(before), name=str(before), help=help)


def _misspelt_operator(surprise: Surprise) -> Diagnostic | None:
    """`Boxmines[0,5] p`: the grammar takes the word for a predicate, and stops at the bracket."""
    token, before = surprise.token, surprise.before
    if token is None or token.type != "INTERVAL_START" or before is None:
        return None
    meant = closest(before, _WORD_OPERATORS) if before.type == "PREDICATE" else None
    help = f"did you mean `{meant}`?" if meant else "an interval stands behind an operator or `@`"
    found, span = (_described(before), span_of(before)) if meant else ("`[`", span_of(token))
    expected = "an operator" if meant else in_words(surprise.accepted, _GROUPS, _WORDS)
    return catalogue.unexpected(span, found, expected, help=help)


def _not_ended(surprise: Surprise) -> Diagnostic | None:
    """Two statements on one line, or a word where none can stand."""
    token = surprise.token
    if token is None or token.type not in ("PREDICATE", "OPERATOR", "QUERY"):
        return None
    if surprise.index == 0 or "$END" not in surprise.accepted:
        return None
    meant = closest(token, _WORD_OPERATORS)
    if meant is not None:
        help = f"did you mean `{meant}`?"
        return catalogue.unexpected(span_of(token), _described(token), "an operator", help=help)
    return catalogue.STATEMENT_NOT_ENDED(span_of(token), found=_described(token))


# --- what was found, what was expected


def _found(surprise: Surprise) -> str:
    if surprise.token is not None:
        return _described(surprise.token)
    if surprise.chunk.end is not None:
        return "`.`"
    return "the end of the line" if surprise.chunk.follower is not None else "the end of the file"


def _described(token: Token) -> str:
    if reserved_kind(token) and token.isalpha():
        return f"the keyword `{token}`"
    return f"{_KINDS.get(token.type, '')}`{token}`"


def _expected(surprise: Surprise) -> str:
    return "a statement" if surprise.index == 0 else in_words(surprise.accepted, _GROUPS, _WORDS)


# --- help


def _help(surprise: Surprise) -> str:
    token, before = surprise.token, surprise.before
    kinds = [t.type for t in surprise.chunk.tokens[: surprise.index]]
    if token is None:
        return ""
    if token.type == "IMPLIES" and "IMPLIES" in kinds:
        return _help_with_second_rule(surprise)
    if surprise.accepted == {"NUMBER", "INFINITE"} and before == "(":
        return "a parenthesis behind an operator opens its interval: `Boxminus(0,5] p(X)`"
    if token.type == "OPERATOR" and "VARIABLE" in surprise.accepted:
        return "the arguments of an atom are variables and constants"
    if token.type == "STRING" and "MOMENT" in surprise.accepted:
        return "a date stands without quotes: `p(a)@2026-11-16T09:53:30`"
    if token.type == "NOT" and before is not None and before.type == "NOT":
        return "leave both `not` out"
    if reserved_kind(token) and "PREDICATE" in surprise.accepted:
        return f"`{token}` is a keyword; choose another name"
    return ""


def _help_with_second_rule(surprise: Surprise) -> str:
    """A line that ends with a comma goes on with the next rule."""
    token = surprise.token
    lines = [t for t in surprise.chunk.tokens[: surprise.index] if token and t.line != token.line]
    if lines and lines[-1].type == "COMMA":
        return f"line {lines[-1].line} ends with `,`, so its rule goes on here"
    return "a rule has one `:-`; end the one before with `.` or its line"
