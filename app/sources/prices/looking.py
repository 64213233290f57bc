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
SILENT_FOR = timedelta(days=1)
"""After so long without an answer, people are told of it."""
LONGEST_TITLE = 300
KEPT = ("title", "currency", "last_price", "in_stock", "read_at", "observed_at", "failures", "failing_since",
        "unreadable_since", "unreadable_why", "reported_at", "next_look_at")  # fmt: skip
"""The columns that a look may change."""


@dataclass(frozen=True, slots=True)
class Known:
    """An item as it stood before the look, as plain values; `next_look_at` is the end of the lease of this look."""

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
    failing_since: datetime | None
    unreadable_since: datetime | None
    unreadable_why: str | None
    reported_at: datetime | None
    next_look_at: datetime | None

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
    def is_to_be_reported(self) -> bool:
        """Whether people are to be told, once, that there is no price to read: because the one look before this did
        not find it either, or because there was no answer for a day."""
        item, reading = self.item, self.reading
        if item.reported_at is not None or not isinstance(reading, FetchFailed) or reading.kind is Trouble.NOT_ASKED:
            return False
        if reading.kind is Trouble.UNREADABLE and item.unreadable_since is not None:
            return True
        return item.failing_since is not None and self.at - item.failing_since >= SILENT_FOR

    def fits(self, currency: str | None) -> bool:
        """Whether it is in the currency that the item is known to have by now, if any."""
        return not isinstance(self.reading, Price) or currency in (None, self.reading.currency)

    def values(self) -> dict[str, Any]:
        """What the item holds from then on: all of `KEPT`."""
        before = {name: getattr(self.item, name) for name in KEPT}
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
            waits = max(EVERY * 2 ** min(look.item.failures, 10), reading.after or EVERY)
            failed = {"failures": look.item.failures + 1, "failing_since": look.item.failing_since or at,
                      "next_look_at": at + min(waits, LONGEST_WAIT)}  # fmt: skip
            unreadable = {"unreadable_since": look.item.unreadable_since or at, "unreadable_why": reading.why,
                          "in_stock": False}  # fmt: skip
            return failed | (unreadable if reading.kind is Trouble.UNREADABLE else {})


def _read(reading: Price | Unavailable, at: datetime) -> dict[str, Any]:
    well = {"failures": 0, "failing_since": None, "unreadable_since": None, "unreadable_why": None,
            "reported_at": None}  # fmt: skip
    named = {"title": reading.title[:LONGEST_TITLE]} if reading.title else {}
    return well | named | {"read_at": reading.read_at, "next_look_at": at + EVERY}
