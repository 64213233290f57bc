"""The history of a price as a line in steps, as plain numbers for an SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from app.sources.prices.listing import Seen

WIDTH, HEIGHT, EDGE = 720, 144, 8


@dataclass(frozen=True, slots=True)
class Plot:
    """The whole picture. `path` has gaps where there was no price; `limit` is the height of what is waited for.

    It spans the prices and that limit, from `bottom` to `top`.
    """

    path: str
    limit: float | None
    lowest: Decimal
    highest: Decimal
    bottom: Decimal
    top: Decimal
    first_at: datetime
    width: int = WIDTH
    height: int = HEIGHT


def plot(seen: Sequence[Seen], until: datetime, limit: Decimal | None = None) -> Plot | None:
    """The picture of these readings, the oldest first, the last of which holds until then; None without any price."""
    prices = [one.price for one in seen if one.price is not None]
    if not prices:
        return None
    first_at = seen[0].at
    span = max((until - first_at).total_seconds(), 1)
    bounds = [*prices, limit] if limit is not None else prices
    low, high = min(bounds), max(bounds)

    def x(at: datetime) -> float:
        return round(WIDTH * min((at - first_at).total_seconds() / span, 1), 2)

    def y(price: Decimal) -> float:
        share = float((price - low) / (high - low)) if high > low else 0.5
        return round(EDGE + (HEIGHT - 2 * EDGE) * (1 - share), 2)

    steps, drawing = list[str](), False
    for number, one in enumerate(seen):
        if one.price is not None:
            ends = seen[number + 1].at if number + 1 < len(seen) else until
            steps.append(f"{'V' if drawing else f'M{x(one.at)} '}{y(one.price)}H{x(ends)}")
        drawing = one.price is not None
    line = None if limit is None else y(limit)
    return Plot("".join(steps), line, min(prices), max(prices), low, high, first_at)
