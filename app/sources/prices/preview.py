"""What a page says before somebody watches it: read while they wait, 3 s at most."""

from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum

from flask import current_app
from flask_babel import gettext as _
from sqlalchemy import select

from app.extensions import db
from app.faults import Fault, InvalidInput
from app.sources.prices.messages import why
from app.sources.prices.models import Adapter, Item
from app.sources.prices.money import is_known
from app.sources.prices.shops.offer import FetchFailed, Gone, Price, Reading, ShopItem, Trouble, Unavailable, Why
from app.sources.prices.shops.registry import adapter_of, read, shops
from app.sources.prices.urls import canonical

BOUND = timedelta(seconds=3)
LONGEST_PATH = 200


class Silence(StrEnum):
    """Why nothing was read yet. It can be watched all the same: the scan reads it later."""

    SLOW = "slow"
    BUSY = "busy"
    """The shop said so."""
    NOT_ITS_TURN = "not_its_turn"
    """It is ours to wait: the shop was asked for something else just now, or has to be left alone for a while."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where in a JSON answer price and stock stand (JSON Pointers; no stock: always there), and the currency."""

    price_path: str
    stock_path: str
    currency: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What is about to be watched, and what was read; `silence` says why nothing was."""

    item: ShopItem
    reading: Reading
    silence: Silence | None = None

    @property
    def currency(self) -> str | None:
        """In which it is sold, as far as that was ever read."""
        return self.reading.currency if isinstance(self.reading, Price) else self.item.currency


def preview(written: str, endpoint: Endpoint | None = None) -> Preview:
    """Read the page, or the JSON endpoint, at an address that a person pasted. Outside any transaction: one that was
    open for reading is ended, so that the database does not wait for a shop.

    Raises InvalidInput, in words for them, for what is no address of a page that says what it sells.
    """
    settings = current_app.config["SETTINGS"]
    url = canonical(written)
    db.session.close()
    item = ShopItem(url, adapter_of(url, settings)) if endpoint is None else _json_item(url, endpoint)
    reading = read(shops(settings), item, BOUND)
    match reading:
        case FetchFailed(kind=Trouble.UNREADABLE, why=code):
            raise InvalidInput(Fault("url", why(code or Why.NO_PRODUCT)))
        case FetchFailed(why=Why.NO_SUCH_HOST):
            raise InvalidInput(Fault("url", why(Why.NO_SUCH_HOST)))
        case Gone():
            raise InvalidInput(Fault("url", _("The shop says that there is no such page.")))
        case FetchFailed(kind=kind):
            return Preview(_as_known(item), reading, _SILENCES[kind])
        case Unavailable():
            return Preview(_as_known(item), reading)
        case Price():
            return Preview(item, reading)


_SILENCES = {
    Trouble.UNREACHABLE: Silence.SLOW,
    Trouble.RATE_LIMITED: Silence.BUSY,
    Trouble.NOT_ASKED: Silence.NOT_ITS_TURN,
}


def _as_known(item: ShopItem) -> ShopItem:
    """With the currency of its last price, if anybody's watch ever had it read."""
    same = (Item.url == item.url, Item.price_path == item.price_path, Item.stock_path == item.stock_path)
    known = select(Item.currency).where(*same, Item.currency.is_not(None)).limit(1)
    return item if item.currency else replace(item, currency=db.session.scalar(known))


def _json_item(url: str, endpoint: Endpoint) -> ShopItem:
    paths = {"price_path": endpoint.price_path.strip(), "stock_path": endpoint.stock_path.strip()}
    currency = endpoint.currency.strip().upper()
    faults = [
        Fault(name, _("Enter a path such as /data/price.")) for name, path in paths.items()
        if (path or name == "price_path") and not (path.startswith("/") and len(path) <= LONGEST_PATH)
    ]  # fmt: skip
    if not is_known(currency):
        faults.append(Fault("currency", _("Enter a currency such as JPY.")))
    if faults:
        raise InvalidInput(*faults)
    return ShopItem(url, Adapter.JSON, **paths, currency=currency)
