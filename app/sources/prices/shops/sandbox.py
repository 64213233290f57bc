"""The sandbox's shop: its pages are those of any shop, but it is ours, so that nobody need wait for their turn."""

from datetime import timedelta

from app.bounds import Reach
from app.config import SANDBOX_URL
from app.sources.prices.shops.fetching import Document, get_at_once
from app.sources.prices.shops.offer import Reading, ShopItem
from app.sources.prices.shops.page import ACCEPT, read_page

PRODUCTS = f"{SANDBOX_URL}/shop/"


class SandboxShop:
    """Reads the pages of the sandbox."""

    def fetch(self, item: ShopItem, bound: timedelta) -> Reading:
        """What the page says now."""
        answer = get_at_once(item.url, ACCEPT, bound, Reach.PUBLIC_OR_LOOPBACK)
        return read_page(answer, item.currency) if isinstance(answer, Document) else answer
