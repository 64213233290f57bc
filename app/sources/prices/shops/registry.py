"""Which shop is read by whom."""

from collections.abc import Mapping
from datetime import timedelta

from app.bounds import Reach
from app.config import Settings
from app.sources.prices.models import Adapter
from app.sources.prices.shops.json_endpoint import JsonShop
from app.sources.prices.shops.offer import Price, Reading, Shop, ShopItem, Why, unreadable
from app.sources.prices.shops.pace import host_of
from app.sources.prices.shops.page import PageShop
from app.sources.prices.shops.sandbox import PRODUCTS, SandboxShop

Shops = Mapping[Adapter, Shop]


def shops(settings: Settings) -> Shops:
    """Those of this installation. Only where nothing reaches people anyway may an address lead to this machine, where
    the sandbox's is."""
    if settings.reaches_loopback:
        return _to(Reach.PUBLIC_OR_LOOPBACK) | {Adapter.SANDBOX: SandboxShop()}
    return _to(Reach.PUBLIC)


def adapter_of(url: str, settings: Settings) -> Adapter:
    """How a page at this address is read."""
    ours = settings.reaches_loopback and url.startswith(PRODUCTS)
    return Adapter.SANDBOX if ours else Adapter.PAGE


def read(shops: Shops, item: ShopItem, bound: timedelta) -> Reading:
    """Ask its shop. What is sold in another currency than before cannot be compared; and a database may hold items of
    the sandbox where there is none."""
    shop = shops.get(item.adapter)
    reading = unreadable(Why.INSIDE) if shop is None else shop.fetch(item, bound)
    if isinstance(reading, Price) and item.currency not in (None, reading.currency):
        return unreadable(Why.OTHER_CURRENCY)
    return reading


def waits_on(item: ShopItem) -> str:
    """Whose answer it waits for."""
    return host_of(item.url)


def _to(reach: Reach) -> dict[Adapter, Shop]:
    return {Adapter.PAGE: PageShop(reach), Adapter.JSON: JsonShop(reach)}
