"""Programs of the whole language turned towards the past: with Since and negation, for streams."""

from __future__ import annotations

from random import Random

from tests.strategies.datalogmtl_programs import random_program

_TURNED = {
    "Boxplus": "Boxminus",
    "⊞": "⊟",
    "Diamondplus": "Diamondminus",
    "◇⁺": "◇⁻",
    "Until": "Since",
}


def random_past_program(rng: Random) -> str:
    return "\n".join(map(_turn, random_program(rng, "full").splitlines())) + "\n"


def _turn(statement: str) -> str:
    """`Boxminus[1] p :- q Until[0,2] r.` → `Boxplus[1] p :- q Since[0,2] r.`"""
    head, arrow, body = statement.partition(":-")
    for ahead, back in _TURNED.items():
        body = body.replace(ahead, back)
    for ahead, back in (("Boxplus", "Boxminus"), ("⊞", "⊟")):
        head = head.replace(back, ahead)
    return head + arrow + body
