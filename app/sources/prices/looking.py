"""What a look at an item makes of it: pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from app.sources.prices.models import Adapter
from app.sources.prices.shops.offer import FetchFailed, Price, Reading, ShopItem, Trouble, Unavailable
from app.sources.prices.triggers import Offer

EVERY = timedelta(minutes=9)
"""A little less than the scan's slots are apart, so that each of them finds it due."""
LONGEST_WAIT = timedelta(hours=6)
"""Between looks at what gives no answer."""
OBSERVED_ANYWAY = timedelta(days=1)
LONGEST_TITLE = 300
_CHANGED = ("title", "currency", "last_price", "in_stock", "read_at", "observed_at", "failures", "unreadable_since",
            "unreadable_why")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Known:
    """An item as it stood before the look, as plain values."""

    id: int
    url: str
    adapter: str
    price_path: str
    stock_path: str
    title: str
    currency: str | None
    last_price: Decimal | None
    in_stock: bool | None
    read_at: datetime | None
    observed_at: datetime | None
    failures: int
    unreadable_since: datetime | None
    unreadable_why: str | None

    @property
    def shop_item(self) -> ShopItem:
        """What its shop needs to know of it."""
        return ShopItem(self.url, Adapter(self.adapter), self.price_path, self.stock_path, self.currency)


@dataclass(frozen=True, slots=True)
class Look:
    """What one look gave, at that moment."""

    item: Known
    reading: Reading
    at: datetime

    @property
    def offer(self) -> Offer | None:
        """What can be compared with what people wait for; None where nothing is known."""
        match self.reading:
            case Price():
                return Offer(self.reading.amount, in_stock=True)
            case Unavailable():
                return Offer(None, in_stock=False)
            case FetchFailed():
                return None

    @property
    def became_unreadable(self) -> bool:
        """Whether it could be read before."""
        failed = isinstance(self.reading, FetchFailed) and self.reading.kind is Trouble.UNREADABLE
        return failed and self.item.unreadable_since is None

    def values(self) -> dict[str, Any]:
        """What the item holds from then on: every column that a look may change."""
        before = {name: getattr(self.item, name) for name in _CHANGED}
        return before | _changes(self) | ({"observed_at": self.at} if self.observation() else {})

    def observation(self) -> dict[str, Any] | None:
        """What is kept of it for the history: what changed, and once a day that nothing did."""
        seen = _seen(self.reading)
        if seen is None:
            return None
        before = (self.item.last_price if self.item.in_stock else None, bool(self.item.in_stock),
                  self.item.unreadable_why)  # fmt: skip
        old = self.item.observed_at is None or self.at - self.item.observed_at >= OBSERVED_ANYWAY
        if seen == before and not old:
            return None
        price, in_stock, why = seen
        return {"item_id": self.item.id, "at": self.at, "price": price, "in_stock": in_stock, "why": why}


def _seen(reading: Reading) -> tuple[Decimal | None, bool, str | None] | None:
    match reading:
        case Price():
            return reading.amount, True, None
        case Unavailable():
            return None, False, None
        case FetchFailed(kind=Trouble.UNREADABLE, why=why):
            return None, False, why
        case FetchFailed():
            return None


def _changes(look: Look) -> dict[str, Any]:
    reading, at = look.reading, look.at
    match reading:
        case Price():
            return _read(reading, at) | {"last_price": reading.amount, "in_stock": True,
                                         "currency": look.item.currency or reading.currency}  # fmt: skip
        case Unavailable():
            return _read(reading, at) | {"in_stock": False}
        case FetchFailed(kind=Trouble.NOT_ASKED):
            return {"next_look_at": at + (reading.after or EVERY)}
        case FetchFailed():
            waits = min(EVERY * 2 ** min(look.item.failures, 10), LONGEST_WAIT)
            failed = {"failures": look.item.failures + 1, "next_look_at": at + max(waits, reading.after or waits)}
            unreadable = {"unreadable_since": look.item.unreadable_since or at, "unreadable_why": reading.why,
                          "in_stock": False}  # fmt: skip
            return failed | (unreadable if reading.kind is Trouble.UNREADABLE else {})


def _read(reading: Price | Unavailable, at: datetime) -> dict[str, Any]:
    well = {"failures": 0, "unreadable_since": None, "unreadable_why": None}
    named = {"title": reading.title[:LONGEST_TITLE]} if reading.title else {}
    return well | named | {"read_at": reading.read_at, "next_look_at": at + EVERY}
