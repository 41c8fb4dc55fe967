"""An unexpected token as a diagnostic: found, expected, and help for the usual mistakes."""

from __future__ import annotations

from collections.abc import Sequence

from lark import Token

from horae.data.fact_lines import catalogue_lines as shared
from horae.data.fact_lines.expectations import (
    conjunction_inside,
    described_token,
    help_with,
    statement_not_ended,
    time_with_unit,
    unexpected_token,
)
from horae.frontend.chunks import Chunk
from horae.frontend.expectations import Surprise
from horae.frontend.lalr import Stuck, span_of
from horae.languages.datalogmtl.syntax import catalogue_syntax as catalogue
from horae.languages.datalogmtl.syntax.keywords import OPERATORS
from horae.languages.datalogmtl.syntax.tree import Operator
from horae.source.diagnostic import Diagnostic
from horae.source.suggest import closest

_DUALS = {
    Operator.BOX_MINUS: Operator.DIAMOND_MINUS,
    Operator.DIAMOND_MINUS: Operator.BOX_MINUS,
    Operator.BOX_PLUS: Operator.DIAMOND_PLUS,
    Operator.DIAMOND_PLUS: Operator.BOX_PLUS,
}
_WORD_OPERATORS = ("Boxminus", "Diamondminus", "Boxplus", "Diamondplus", "Since", "Until")
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
        or conjunction_inside(surprise)
        or _time_in_rule(surprise)
        or time_with_unit(surprise)
        or _chained(surprise)
        or _date_as_distance(surprise)
        or _other_logic(surprise)
        or _misspelt_operator(surprise)
        or statement_not_ended(surprise)
        or unexpected_token(surprise, help_with(surprise) or _help(surprise))
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
    return catalogue.chained_operators(span_of(token), str(token)) if is_behind_formula else None


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
    """`Boxmines[0,5] p`, `p Sinc[0,5] q`: the grammar takes the word for a predicate."""
    token, before = surprise.token, surprise.before
    if token is None or before is None:
        return None
    if token.type == "INTERVAL_START" and before.type == "PREDICATE":
        return _misspelt(before)
    return _misspelt(token) if statement_not_ended(surprise) is not None else None


def _misspelt(word: Token) -> Diagnostic | None:
    meant = closest(word, _WORD_OPERATORS)
    if meant is None:
        return None
    help = f"did you mean `{meant}`?"
    return shared.unexpected(span_of(word), described_token(word), "an operator", help=help)


# --- help


def _help(surprise: Surprise) -> str:
    kinds = [token.type for token in surprise.chunk.tokens[: surprise.index]]
    if surprise.token is None:
        return ""
    if surprise.token.type == "IMPLIES" and "IMPLIES" in kinds:
        return _help_with_second_rule(surprise)
    if surprise.accepted == {"NUMBER", "INFINITE"} and surprise.before == "(":
        return "a parenthesis behind an operator opens its interval: `Boxminus(0,5] p(X)`"
    return ""


def _help_with_second_rule(surprise: Surprise) -> str:
    """A line that ends with a comma goes on with the next rule."""
    token = surprise.token
    lines = [t for t in surprise.chunk.tokens[: surprise.index] if token and t.line != token.line]
    if lines and lines[-1].type == "COMMA":
        return f"line {lines[-1].line} ends with `,`, so its rule goes on here"
    return "a rule has one `:-`; end the one before with `.` or its line"
