"""Any product page that says in schema.org's words what it sells, for how much, and whether it can be bought."""

from datetime import timedelta

from app.bounds import Reach
from app.sources.prices.shops.fetching import Document, get
from app.sources.prices.shops.markup import decoded, described
from app.sources.prices.shops.offer import Price, Reading, ShopItem, Unavailable, Why, unreadable
from app.sources.prices.shops.product import on_offer
from app.sources.prices.shops.stated import Unclear, in_stock, stated_price
from app.sources.prices.shops.tags import is_too_much
from app.sources.prices.shops.things import Described, Thing

ACCEPT = "text/html, application/xhtml+xml"


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
    written = decoded(page.body, page.headers.get("Content-Type", ""))
    if is_too_much(written):
        return unreadable(Why.TOO_LARGE)
    try:
        return _one_reading(described(written), currency)
    except Unclear as unclear:
        return unreadable(unclear.why)


def _one_reading(page: Described, currency: str | None) -> Reading:
    """The same product may be described twice. Which of two that do not cost the same is meant, nobody knows: the first
    would be another one as soon as the page is laid out anew."""
    found = [_reading(page, name, offers, currency) for name, offers in on_offer(page)]
    if not found:
        return unreadable(Why.NO_PRODUCT)
    prices = {(one.amount, one.currency) if isinstance(one, Price) else None for one in found}
    if len(prices) > 1:
        return unreadable(Why.UNCLEAR_STOCK if None in prices else Why.SEVERAL_PRICES)
    return found[0]


def _reading(page: Described, name: str, offers: list[Thing], currency: str | None) -> Price | Unavailable:
    """What is out of stock has no price that counts."""
    prices = {stated_price(page, one, currency) for one in offers if in_stock(one)}
    if len(prices) > 1:
        raise Unclear(Why.SEVERAL_PRICES)
    return Price(*prices.pop(), name) if prices else Unavailable(name)
