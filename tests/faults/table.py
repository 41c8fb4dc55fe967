"""What all kills together did, as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.faults.lives import Death, Report

REPORTS: list[Report] = []
"""Of all streams that were run to their end."""


def show(reports: Sequence[Report]) -> list[str]:
    kills: Counter[Death] = sum((report.kills for report in reports), Counter())
    points = [f"  {point:<28}{count:>6}" for point, count in sorted(kills.items())]
    streams = [
        f"  {r.name:<20}{r.seed:>6}{r.kills.total():>7}{r.lost:>6}{r.twice:>7}" for r in reports
    ]
    lost, twice = sum(r.lost for r in reports), sum(r.twice for r in reports)
    return [
        f"  {'killed':<28}{'kills':>6}",
        *points,
        "",
        f"  {'stream':<20}{'seed':>6}{'kills':>7}{'lost':>6}{'twice':>7}",
        *streams,
        f"  {'in all':<26}{kills.total():>7}{lost:>6}{twice:>7}",
    ]
