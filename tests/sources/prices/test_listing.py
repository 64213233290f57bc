"""What pages show of the past of an item."""

from datetime import datetime, timedelta
from decimal import Decimal

from flask import Flask

from app.sources.prices.listing import histories_of, watches_of
from app.sources.prices.models import Adapter, Observation, Trigger
from app.sources.prices.shops.offer import Price, ShopItem
from app.sources.prices.watch import watch
from app.sources.prices.wishes import Wished
from app.transaction import writing
from tests.factories import make_account
from tests.plans import hearing

AT = datetime.fromisoformat("2027-02-01T12:00:00+09:00")


def test_the_newest_readings_of_each_item_come_in_one_statement_the_oldest_first(app: Flask) -> None:
    account = make_account()
    many, few, none = (_item(account, name) for name in ("many", "few", "none"))
    _observed(many, 1000, 900, 800, 700)
    _observed(few, 500)
    with hearing() as asked:
        found = histories_of([many, few, none], 3)
    assert {item: [seen.price for seen in history] for item, history in found.items()} == {
        many: [900, 800, 700],
        few: [500],
        none: [],
    }
    assert len(asked) == 1
    assert histories_of([], 3) == {}


def _item(account: int, name: str) -> int:
    with writing() as tx:
        item = ShopItem(f"https://shop.example/{name}", Adapter.PAGE)
        watch(tx, account, item, Price(Decimal(1), "JPY", name), Wished(Trigger.BACK_IN_STOCK))
    return watches_of(account)[0].item_id


def _observed(item: int, *prices: int) -> None:
    with writing() as tx:
        for number, price in enumerate(prices):
            at = AT + timedelta(hours=number)
            tx.session.add(Observation(item_id=item, at=at, price=Decimal(price), in_stock=True))
