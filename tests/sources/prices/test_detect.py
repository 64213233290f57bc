"""Detection: one odd item spoils no other, and what is kept stays small."""

from datetime import datetime, timedelta
from decimal import Decimal

import pytest
import time_machine
from flask import Flask
from sqlalchemy import select

from app.clock import monotonic, now
from app.extensions import db
from app.sources.prices.detect import look as look_by
from app.sources.prices.models import Adapter, Item, Observation, Trigger
from app.sources.prices.shops.offer import FetchFailed, Price, Reading, ShopItem, Trouble, Unavailable
from app.sources.prices.watch import watch
from app.sources.prices.wishes import Wished
from app.transaction import ROWS_PER_TRANSACTION, writing
from tests.factories import all_deliveries, make_account
from tests.sources.announcements.announced import crowd
from tests.sources.prices.town import item_now, number_of, shopper

AT = datetime.fromisoformat("2027-02-01T12:00:00+09:00")


class Scripted:
    """Says what it is told to."""

    def __init__(self) -> None:
        self.says: dict[str, Reading | Exception] = {}

    def fetch(self, item: ShopItem, bound: timedelta) -> Reading:
        """At once."""
        said = self.says[item.url]
        if isinstance(said, Exception):
            raise said
        return said


@pytest.fixture
def shop() -> Scripted:
    return Scripted()


def watched(account: int, url: str) -> None:
    with writing() as tx:
        item = ShopItem(url, Adapter.PAGE)
        wished = Wished(Trigger.BELOW_TARGET, target=Decimal(1500))
        watch(tx, account, item, FetchFailed(Trouble.UNREACHABLE), wished)


def look(shop: Scripted) -> dict[str, int]:
    with writing() as tx:
        for item in tx.session.scalars(select(Item)):
            item.next_look_at = AT - timedelta(days=1)
    return look_by({Adapter.PAGE: shop}, monotonic() + 3)


def test_what_breaks_over_one_item_spoils_no_other(
    app: Flask, shop: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    account = shopper()
    shop.says = {
        "https://a.example/": RuntimeError("secret words"),
        "https://b.example/": Price(Decimal(10) ** 15, "JPY", "what no database holds"),
        "https://c.example/": Price(Decimal(1400), "JPY", "kettle"),
    }
    for url in shop.says:
        watched(account, url)
    with time_machine.travel(AT, tick=True):
        assert look(shop)["owed"] == 1
    assert len(all_deliveries()) == 1
    assert "RuntimeError" in caplog.text
    assert "secret words" not in caplog.text


def test_more_watchers_than_one_transaction_may_write_are_all_found(app: Flask, shop: Scripted) -> None:
    people = crowd(ROWS_PER_TRANSACTION + 5)
    shop.says = {"https://a.example/": Price(Decimal(1400), "JPY", "kettle")}
    with writing() as tx:
        item = ShopItem("https://a.example/", Adapter.PAGE)
        for account in people:
            wished = Wished(Trigger.BELOW_TARGET, target=Decimal(1500))
            watch(tx, account, item, FetchFailed(Trouble.UNREACHABLE), wished)
    last = shopper()
    watched(last, "https://a.example/")
    with time_machine.travel(AT, tick=True):
        assert look(shop)["owed"] == 1
    assert [one.account_id for one in all_deliveries()] == [last]


def test_observations_are_kept_when_something_changed_and_once_a_day(app: Flask, shop: Scripted) -> None:
    watched(make_account(), "https://a.example/")
    with time_machine.travel(AT, tick=True) as traveller:
        for said in ("1980", "1980", "1400", None, None, "1400"):
            reading = Price(Decimal(said), "JPY", "kettle") if said else Unavailable("kettle")
            shop.says = {"https://a.example/": reading}
            look(shop)
            traveller.shift(timedelta(minutes=10))
        assert _observed() == [(1980, True), (1400, True), (None, False), (1400, True)]
        traveller.shift(timedelta(days=1))
        look(shop)
    assert len(_observed()) == 5


def test_what_gives_no_answer_is_looked_at_ever_more_seldom(app: Flask, shop: Scripted) -> None:
    watched(make_account(), "https://a.example/")
    shop.says = {"https://a.example/": FetchFailed(Trouble.UNREACHABLE)}
    waits = []
    with time_machine.travel(AT, tick=True):
        for _ in range(8):
            with writing() as tx:
                tx.session.execute(select(Item)).scalar_one().next_look_at = AT
            began = now()
            look_by({Adapter.PAGE: shop}, monotonic() + 0.3)
            item = item_now()
            assert item.next_look_at is not None
            waits.append((item.next_look_at - began) // timedelta(minutes=1))
    assert waits == [9, 18, 36, 72, 144, 288, 360, 360]
    assert number_of(Observation) == 0


def _observed() -> list[tuple[Decimal | None, bool]]:
    db.session.rollback()
    rows = select(Observation.price, Observation.in_stock).order_by(Observation.at)
    return [(price, in_stock) for price, in_stock in db.session.execute(rows)]
