"""A shop's JSON endpoint: where in its answer price and stock stand is configured with the item."""

import json
from datetime import timedelta
from decimal import Decimal
from typing import Any

from app.bounds import Reach
from app.sources.prices.money import read_value
from app.sources.prices.shops.fetching import Document, get
from app.sources.prices.shops.offer import Price, Reading, ShopItem, Unavailable, Why, unreadable

ACCEPT = "application/json"
_STOCK_WORDS = {"in_stock": True, "instock": True, "available": True, "true": True, "yes": True, "out_of_stock": False,
                "outofstock": False, "soldout": False, "sold_out": False, "unavailable": False, "false": False,
                "no": False}  # fmt: skip


class JsonShop:
    """Reads JSON. `reach`: to which addresses an endpoint may lead."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def fetch(self, item: ShopItem, bound: timedelta) -> Reading:
        """What the endpoint says now."""
        answer = get(item.url, ACCEPT, bound, self._reach)
        return read_json(answer.body, item) if isinstance(answer, Document) else answer


def read_json(body: bytes, item: ShopItem) -> Reading:
    """What an answer says. Without a path to the stock, whatever has a price can be bought."""
    try:
        said = json.loads(body, parse_float=Decimal, parse_int=Decimal)
    except (ValueError, ArithmeticError, RecursionError):
        return unreadable(Why.NO_PRODUCT)
    in_stock = _stock(at(said, item.stock_path)) if item.stock_path else True
    if in_stock is None:
        return unreadable(Why.UNCLEAR_STOCK)
    if not in_stock:
        return Unavailable("")
    price = at(said, item.price_path)
    if price is None:
        return unreadable(Why.NO_PRODUCT)
    found = read_value(price, item.currency)
    return Price(*found, "") if found else unreadable(Why.UNCLEAR_PRICE)


def at(value: Any, path: str) -> Any:
    """What stands at a JSON Pointer (RFC 6901), such as /data/0/price; None if nothing does."""
    for step in path.removeprefix("/").split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value


def _stock(value: Any) -> bool | None:
    """Whether some are left, of a number, a truth value or one of the usual words; None if that is not certain."""
    if isinstance(value, bool):
        return value
    if isinstance(value, Decimal):
        return value > 0
    return _STOCK_WORDS.get(value.strip().lower().replace(" ", "_")) if isinstance(value, str) else None
