"""Any product page that says in schema.org's words what it sells, for how much, and whether it can be bought."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from app.bounds import Reach
from app.sources.prices.money import read_value
from app.sources.prices.shops.fetching import Document, get
from app.sources.prices.shops.markup import Thing, things, types_of
from app.sources.prices.shops.offer import Price, Reading, ShopItem, Unavailable, Why, unreadable

ACCEPT = "text/html, application/xhtml+xml"
_PRODUCTS = {"Product", "IndividualProduct", "ProductModel", "Book", "Vehicle"}
_IN_STOCK = {"InStock", "LimitedAvailability", "OnlineOnly", "MadeToOrder"}
_AWAY = {"OutOfStock", "SoldOut", "Discontinued", "BackOrder", "PreOrder", "PreSale", "InStoreOnly", "Reserved"}


class PageShop:
    """Reads pages. `reach`: to which addresses a page may lead."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def fetch(self, item: ShopItem, bound: timedelta) -> Reading:
        """What the page says now."""
        answer = get(item.url, ACCEPT, bound, self._reach)
        return read_page(answer, item.currency) if isinstance(answer, Document) else answer


def read_page(page: Document, currency: str | None) -> Reading:
    """What a page says. `currency`: in which this product was sold before."""
    try:
        found = things(page.body, page.headers.get("Content-Type", ""))
        return _reading([one for one in found if types_of(one) & _PRODUCTS and one.get("offers")], currency)
    except _Unclear as unclear:
        return unreadable(unclear.why)


class _Unclear(Exception):  # noqa: N818  # an end that is expected
    """It does not say one thing."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class _Offer:
    """`price` is None for what is out of stock and has none."""

    price: tuple[Decimal, str] | None
    in_stock: bool


def _reading(products: Iterable[Thing], currency: str | None) -> Reading:
    """Of the first product: pages describe others that go with it further down. The same one may stand there twice."""
    product = next(iter(products), None)
    if product is None:
        return unreadable(Why.NO_PRODUCT)
    title = _text(product.get("name"))
    offers = [_offer(one, currency) for one in _plain(product["offers"])]
    if not offers:
        return unreadable(Why.NO_PRODUCT)
    prices = {one.price for one in offers if one.in_stock}
    if not prices:
        return Unavailable(title)
    if len(prices) > 1:
        return unreadable(Why.SEVERAL_PRICES)
    price = prices.pop()
    return unreadable(Why.UNCLEAR_PRICE) if price is None else Price(*price, title)


def _plain(offers: Any) -> list[Thing]:
    """The offers, those of an aggregate one by one."""
    given = [one for one in (offers if isinstance(offers, list) else [offers]) if isinstance(one, dict)]
    return [plain for one in given for plain in (_plain(one["offers"]) if one.get("offers") else [one])]


def _offer(offer: Thing, currency: str | None) -> _Offer:
    in_stock = _in_stock(offer.get("availability"))
    stated = _stated(offer)
    if stated is None:
        if in_stock:
            raise _Unclear(Why.UNCLEAR_PRICE)
        return _Offer(None, in_stock)
    amount, stated_currency = stated
    return _Offer(_price(amount, stated_currency or currency), in_stock)


def _stated(offer: Thing) -> tuple[Any, str | None] | None:
    """The price as it is written, and its currency; of an aggregate only if it is one price."""
    specified = offer.get("priceSpecification")
    for source in (offer, *(specified if isinstance(specified, list) else [specified])):
        if isinstance(source, dict):
            low, high = source.get("lowPrice"), source.get("highPrice")
            if low not in (None, "") and high not in (None, "", low):
                raise _Unclear(Why.SEVERAL_PRICES)
            price = source.get("price") if source.get("price") not in (None, "") else low
            if price not in (None, ""):
                return price, _text(source.get("priceCurrency") or offer.get("priceCurrency")) or None
    return None


def _price(amount: Any, currency: str | None) -> tuple[Decimal, str]:
    found = read_value(amount, currency)
    if found is None:
        raise _Unclear(Why.SEVERAL_PRICES if isinstance(amount, list) else Why.UNCLEAR_PRICE)
    return found


def _in_stock(availability: Any) -> bool:
    """Whether it can be bought; what is offered without a word about it can."""
    if availability in (None, "", []):
        return True
    said = str(availability[0] if isinstance(availability, list) else availability).strip().rstrip("/")
    name = said.rpartition("/")[2].rpartition(":")[2].lower()
    if name in {one.lower() for one in _IN_STOCK}:
        return True
    if name in {one.lower() for one in _AWAY}:
        return False
    raise _Unclear(Why.UNCLEAR_STOCK)


def _text(value: Any) -> str:
    """On one line, without what is no text: JSON may hold control characters and halves of others."""
    one = value[0] if isinstance(value, list) and value else value
    text = str(one) if isinstance(one, str | Decimal) else ""
    return " ".join("".join(sign for sign in text if sign.isprintable() or sign.isspace()).split())
