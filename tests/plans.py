"""Plans in words, as far as tests look at them."""

from __future__ import annotations

from horae.engine.plan import Plan
from horae.engine.report.plan_section import plan_section

_LABELS = ("reads", "requires", "why")


def in_words(plan: Plan) -> list[str]:
    """Per stage its title, then what it reads, what it requires, and why it is in one shard."""
    lines: list[str] = []
    for entry in plan_section(plan).entries:
        lines.append(entry.title)
        lines += [f"  {label} {text}" for label, text in entry.points if label in _LABELS]
    return lines
