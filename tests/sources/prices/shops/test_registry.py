"""Which shop is read by whom, and what none may read."""

from datetime import timedelta

from pydantic import SecretStr

from app.config import SANDBOX_URL, Settings
from app.sources.prices.models import Adapter
from app.sources.prices.shops.offer import ShopItem, Why, unreadable
from app.sources.prices.shops.registry import adapter_of, read, shops

KETTLE = f"{SANDBOX_URL}/shop/kettle"
DEMO = Settings(http_allow_loopback=True)
LIVE = Settings(http_allow_loopback=False, line_channel_access_token=SecretStr("x"))


def test_the_sandbox_is_a_shop_only_where_nothing_reaches_people() -> None:
    assert adapter_of(KETTLE, DEMO) is Adapter.SANDBOX
    assert adapter_of(KETTLE, LIVE) is Adapter.PAGE
    assert set(shops(DEMO)) - set(shops(LIVE)) == {Adapter.SANDBOX}


def test_an_item_of_the_sandbox_leads_inside_where_there_is_none() -> None:
    item = ShopItem(KETTLE, Adapter.SANDBOX, currency="JPY")
    assert read(shops(LIVE), item, timedelta(seconds=1)) == unreadable(Why.INSIDE)
