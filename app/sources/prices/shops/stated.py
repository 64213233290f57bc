"""What an offer states: whether it can be had, and the one price that is paid for it."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from app.sources.prices.money import read_value
from app.sources.prices.shops.offer import Why
from app.sources.prices.shops.things import Described, Thing, listed, text, words

_IN_STOCK = {"instock", "limitedavailability", "onlineonly", "madetoorder"}
_AWAY = {"outofstock", "soldout", "discontinued", "backorder", "preorder", "presale", "instoreonly", "reserved"}
_PAID = {"PriceSpecification", "UnitPriceSpecification", "CompoundPriceSpecification"}
"""Other specifications are of what comes on top: delivery, the way to pay."""


class Unclear(Exception):  # noqa: N818  # an end that is expected
    """It does not say one thing."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why = why


def in_stock(offer: Thing) -> bool:
    """Whether it can be bought; what is offered without a word about it can. Raises Unclear."""
    given = listed(offer.get("availability"))
    said = {word.lower() for word in words(given)}
    if not given or (said and said <= _IN_STOCK):
        return True
    if said and said <= _AWAY:
        return False
    raise Unclear(Why.UNCLEAR_STOCK)


def stated_price(page: Described, offer: Thing, currency: str | None) -> tuple[Decimal, str]:
    """What is paid for it. `currency`: what is known of it, should the offer name none. Raises Unclear."""
    found: set[tuple[Decimal, str]] = set()
    for amount, named in _amounts(page, offer):
        price = read_value(amount, named or currency)
        if price is None:
            raise Unclear(Why.UNCLEAR_PRICE)
        found.add(price)
        if len(found) > 1:
            raise Unclear(Why.SEVERAL_PRICES)
    if not found:
        raise Unclear(Why.UNCLEAR_PRICE)
    return found.pop()


def _amounts(page: Described, offer: Thing) -> Iterator[tuple[Any, str]]:
    """Everything that is said to be its price, with the currency that is named there."""
    specified = [one for one in page.things(offer.get("priceSpecification"), set()) if _is_paid(one)]
    prices = [(price, one) for one in (offer, *specified) for price in listed(one.get("price"))]
    lowest, highest = listed(offer.get("lowPrice")), listed(offer.get("highPrice"))
    if not prices and bool(lowest) != bool(highest) and text(offer.get("offerCount")) != "1":
        raise Unclear(Why.SEVERAL_PRICES)
    for price, one in (*prices, *((bound, offer) for bound in (*lowest, *highest))):
        yield price, _currency(one) or _currency(offer)


def _is_paid(specification: Thing) -> bool:
    """Not what it cost before, what members pay, or what 100 g of it cost."""
    kinds = words(specification.get("@type"))
    return (
        (not kinds or bool(kinds & _PAID))
        and words(specification.get("priceType")) <= {"SalePrice"}
        and not listed(specification.get("validForMemberTier"))
        and not any(_is_measure(one) for one in listed(specification.get("referenceQuantity")))
    )


def _is_measure(quantity: Any) -> bool:
    """Whether things are compared by it. A quantity that is itself compared with another is that of what is sold."""
    return not (isinstance(quantity, dict) and listed(quantity.get("valueReference")))


def _currency(thing: Thing) -> str:
    named = {text(one) for one in listed(thing.get("priceCurrency"))}
    if len(named) > 1:
        raise Unclear(Why.UNCLEAR_PRICE)
    return named.pop() if named else ""
