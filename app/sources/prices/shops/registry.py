"""Which shop is read by whom."""

from collections.abc import Mapping
from datetime import timedelta
from urllib.parse import urlsplit

from app.bounds import Reach
from app.config import Settings
from app.sources.prices.models import Adapter
from app.sources.prices.shops.json_endpoint import JsonShop
from app.sources.prices.shops.offer import Reading, Shop, ShopItem, Why, unreadable
from app.sources.prices.shops.page import PageShop
from app.sources.prices.shops.sandbox import PRODUCTS, SandboxShop

Shops = Mapping[Adapter, Shop]


def shops(settings: Settings) -> Shops:
    """Those of this installation. Only where nothing reaches people anyway may an address lead to this machine."""
    reach = Reach.PUBLIC_OR_LOOPBACK if settings.reaches_loopback else Reach.PUBLIC
    return {Adapter.PAGE: PageShop(reach), Adapter.JSON: JsonShop(reach), Adapter.SANDBOX: SandboxShop()}


def adapter_of(url: str, settings: Settings) -> Adapter:
    """How a page at this address is read."""
    ours = settings.reaches_loopback and url.startswith(PRODUCTS)
    return Adapter.SANDBOX if ours else Adapter.PAGE


def read(shops: Shops, item: ShopItem, bound: timedelta) -> Reading:
    """Ask its shop. What is sold in another currency than before cannot be compared."""
    reading = shops[item.adapter].fetch(item, bound)
    other = getattr(reading, "currency", item.currency) != item.currency
    return unreadable(Why.OTHER_CURRENCY) if item.currency is not None and other else reading


def waits_on(item: ShopItem) -> str:
    """Whose answer it waits for."""
    return urlsplit(item.url).netloc
