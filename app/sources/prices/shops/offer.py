"""What asking a shop may end with."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Protocol

from app.clock import now
from app.sources.prices.models import Adapter


@dataclass(frozen=True, slots=True)
class ShopItem:
    """What is to be read, as plain values. `currency` is what is known of it already."""

    url: str
    adapter: Adapter
    price_path: str = ""
    stock_path: str = ""
    currency: str | None = None


class Why(StrEnum):
    """Why a shop's answer says no price. Kept with the item, and said in words by `messages.WHY`."""

    NO_PRODUCT = "no_product"
    SEVERAL_PRICES = "several_prices"
    UNCLEAR_PRICE = "unclear_price"
    OTHER_CURRENCY = "other_currency"
    UNCLEAR_STOCK = "unclear_stock"
    TOO_LARGE = "too_large"
    NOT_ALLOWED = "not_allowed"
    INSIDE = "inside"
    NO_SUCH_HOST = "no_such_host"
    LEADS_AWAY = "leads_away"
    REFUSED = "refused"


class Trouble(StrEnum):
    """What sort of trouble it was."""

    RATE_LIMITED = "rate_limited"
    UNREACHABLE = "unreachable"
    UNREADABLE = "unreadable"
    NOT_ASKED = "not_asked"
    """It was not this one's turn: nothing was asked, and nothing is known."""


@dataclass(frozen=True, slots=True)
class Price:
    """It can be bought for this."""

    amount: Decimal
    currency: str
    title: str
    read_at: datetime = field(default_factory=now)


@dataclass(frozen=True, slots=True)
class Unavailable:
    """It cannot be bought now. `title` is empty where the shop names none."""

    title: str
    read_at: datetime = field(default_factory=now)


@dataclass(frozen=True, slots=True)
class Gone(Unavailable):
    """The shop has no such page: not any more, or not yet again."""

    title: str = ""


@dataclass(frozen=True, slots=True)
class FetchFailed:
    """There was no price to read. `after`: for how long the shop should be left alone; `why` if UNREADABLE,
    or where there is no such host."""

    kind: Trouble
    after: timedelta | None = None
    why: Why | None = None
    at: datetime = field(default_factory=now, compare=False)


Reading = Price | Unavailable | FetchFailed


def unreadable(why: Why) -> FetchFailed:
    """The shop answered, but not with this product's price."""
    return FetchFailed(Trouble.UNREADABLE, why=why)


class Shop(Protocol):
    """One way to read shops."""

    def fetch(self, item: ShopItem, bound: timedelta) -> Reading:
        """Ask now; over within `bound`. Needs no database and no application: any thread may call it."""
