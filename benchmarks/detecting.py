"""What detection itself costs for each item that it looks at, the shop answering at once; whether that grows with the
number of items; and how much memory it takes. Each item has five watches, and one item in a hundred became cheap.
"""

from datetime import timedelta
from decimal import Decimal
from time import monotonic, perf_counter

from sqlalchemy import func, select, update

from app.accounts.models import Account
from app.clock import now
from app.extensions import db
from app.outbox.models import Delivery
from app.reach.models import Device
from app.sources.prices.detect import look
from app.sources.prices.models import Adapter, Item, Watch
from app.sources.prices.shops.offer import Price, Reading, ShopItem
from app.transaction import writing
from benchmarks.filling import filling, instant, put
from benchmarks.house import DATABASES, house
from benchmarks.limits import at_most
from benchmarks.memory import peak_of
from benchmarks.rounds import medians
from benchmarks.table import Bounded, show_bounded
from tests.servers.valkey import ValkeyServer

FEW, MANY, WATCHES_EACH, CHEAP_ONE_IN = 2_000, 20_000, 5, 100
COST, GROWTH = 1.0, 1.3
"""Milliseconds for an item at most, and how many times as long each may take among ten times as many."""


class InstantShop:
    """Every hundredth thing has become cheap today."""

    def fetch(self, item: ShopItem, bound: timedelta) -> Reading:  # noqa: ARG002
        """At once."""
        number = int(item.url.rpartition("/")[2])
        return Price(Decimal(1400 if number % CHEAP_ONE_IN == 0 else 1980), "JPY", f"item {number}")


SHOPS = {Adapter.PAGE: InstantShop()}


def main() -> None:
    """Measure and print."""
    redis = ValkeyServer()
    try:
        for database in DATABASES:
            with house(database, redis.url):
                _fill(FEW)
                (few,) = medians(lambda: _detected(FEW))
            with house(database, redis.url):
                _fill(MANY)
                memory = peak_of(lambda: _detected(MANY))
                (many,) = medians(lambda: _detected(MANY))
                found = db.session.scalar(select(func.count()).select_from(Delivery))
            assert found == MANY // CHEAP_ONE_IN * WATCHES_EACH, f"{found} were found"
            lines = [Bounded("ten times as many", many * 1000, few * 10_000, GROWTH)]
            title = f"Looking at {MANY:,} items, {MANY * WATCHES_EACH:,} watches, {database}"
            show_bounded(title, f"{MANY:,}", f"10 × {FEW:,}", lines)
            at_most("for each item, with its five watches", many / MANY * 1000, COST, "ms")
            print(f"{'memory needed to look at them':60}{memory:10.2f} MB", flush=True)
    finally:
        redis.remove()


def _fill(items: int) -> None:
    since = instant(now().replace(microsecond=0), "0")
    accounts = items
    with filling(Account, Device, Item, Watch) as connection:
        put(connection, Account, accounts, {
            "id": "i", "email": "'a' || i || '@example.jp'", "name": "'name ' || i", "role": "'member'",
            "language": "'ja'", "active": "true", "created_at": since,
        })  # fmt: skip
        put(connection, Device, accounts, {
            "account_id": "i", "endpoint": "'https://push.example/' || i", "endpoint_hash": "'h' || i",
            "gate_key": "'web_push:push.example'", "p256dh": "'p'", "auth": "'a'", "vapid_key": "'v'",
            "name": "'Firefox'", "language": "'ja'", "created_at": since,
        })  # fmt: skip
        put(connection, Item, items, {
            "id": "i", "url": "'https://shop' || (i % 500) || '.example/' || i",
            "adapter": "'page'", "price_path": "''", "stock_path": "''", "title": "'item'", "currency": "'JPY'",
            "named_currency": "'JPY'",
            "failures": "0", "next_look_at": since, "created_at": since,
        })  # fmt: skip
        put(connection, Watch, items * WATCHES_EACH, {
            "id": "i", "account_id": f"1 + i % {accounts}", "item_id": f"1 + i / {WATCHES_EACH} % {items}",
            "trigger": "'below_target'", "target": "15000000", "created_at": since,
        })  # fmt: skip


def _detected(items: int) -> float:
    """Seconds to look at all of them, from when they are due."""
    with writing() as tx:
        tx.session.execute(update(Item).values(next_look_at=now()))
    db.session.close()
    begun, looked = perf_counter(), 0
    while looked < items:
        looked += look(SHOPS, monotonic() + 3)["looked"]
    return perf_counter() - begun


if __name__ == "__main__":
    main()
