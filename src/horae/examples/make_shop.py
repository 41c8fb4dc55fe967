"""The sales of one morning, the same at every call.

Forty products sell now and then. Product 3 sells well but stays below 100 in an hour; 7 and 23 are on
offer for a while. `python -m horae.examples.make_shop` rewrites shop.csv.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

from horae.examples import example

_OPENING = datetime(2024, 11, 29, 8, tzinfo=UTC)
_MORNING = 4 * 3600

# product, sales, from and to in seconds after opening
_OFFERS = (
    (3, 260, 0, _MORNING),
    (7, 190, 5400, 8400),
    (23, 140, 10800, 13200),
)
_EVERYDAY = 1410
_PRODUCTS = 40


def make_sales(seed: int = 7) -> list[tuple[int, int]]:
    """Pairs of seconds after opening and product, in order of time."""
    random = Random(seed)
    sales = [
        (random.randrange(first, last), product)
        for product, count, first, last in _OFFERS
        for _ in range(count)
    ]
    sales += [
        (random.randrange(_MORNING), random.randrange(1, _PRODUCTS + 1)) for _ in range(_EVERYDAY)
    ]
    return sorted(sales)


def to_csv(sales: list[tuple[int, int]]) -> str:
    rows = [f"{_OPENING + timedelta(seconds=s):%Y-%m-%dT%H:%M:%SZ},{p}" for s, p in sales]
    return "\n".join(["ts,prod_id", *rows]) + "\n"


if __name__ == "__main__":
    example("shop.csv").write_text(to_csv(make_sales()), encoding="utf-8")
