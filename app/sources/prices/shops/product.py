"""Which of the products that a page describes it is about, and what is offered of it."""

from collections.abc import Iterator
from typing import Any

from app.sources.prices.shops.things import Described, Thing, listed, text, words

_PRODUCTS = {"Product", "ProductGroup", "IndividualProduct", "ProductModel", "Book", "Vehicle"}
_OF_ALL = ("availability", "priceCurrency")
"""What an aggregate may say for all its offers."""


def on_offer(page: Described) -> list[tuple[str, list[Thing]]]:
    """What the page is about: the name and the offers of each product. What two of them share comes with the first."""
    followed: set[str] = set()
    found = [(text(one.get("name")), list(_offers(page, one, followed))) for one in _products(page)]
    return [(name, offers) for name, offers in found if offers]


def _products(page: Described) -> list[Thing]:
    """Its main entity, if it says which that is; else those that stand on their own. Those that it only mentions are
    others: what goes with it, what a review is of."""
    followed: set[str] = set()
    main = [one for top in page.tops for one in page.things(top.get("mainEntity"), followed) if _is_product(one)]
    return main or [top for top in page.tops if _is_product(top)]


def _is_product(thing: Thing) -> bool:
    return bool(words(thing.get("@type")) & _PRODUCTS)


def _offers(page: Described, product: Thing, followed: set[str]) -> Iterator[Thing]:
    """Its own, or those of its variants. Those of an aggregate come one by one, each with what is said of all."""
    waiting: list[tuple[Any, Thing]] = [(one.get("offers"), {}) for one in _offered(page, product, followed)]
    while waiting:
        given, shared = waiting.pop()
        for one in page.things(given, followed):
            offer = shared | {name: value for name, value in one.items() if listed(value)}
            if inner := offer.get("offers"):
                waiting.append((inner, {name: offer[name] for name in _OF_ALL if name in offer}))
            else:
                yield offer


def _offered(page: Described, product: Thing, followed: set[str]) -> list[Thing]:
    return [product] if listed(product.get("offers")) else list(page.things(product.get("hasVariant"), followed))
