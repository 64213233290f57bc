"""Promise: neither a shop that is slow nor hundreds that wait for another try hold up what can be told now."""

from collections.abc import Collection, Iterator
from decimal import Decimal
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.engine.deliver import deliver
from app.kinds import QueueName, kinds_in
from app.outbox import queries
from app.outbox.models import Delivery
from app.outbox.state import State
from app.sources.prices.detect import AT_ONCE, detect
from app.sources.prices.models import Adapter, Item, Trigger
from app.sources.prices.shops.offer import FetchFailed, ShopItem, Trouble
from app.sources.prices.watch import watch
from app.sources.prices.wishes import Wished
from app.transaction import Transaction, writing
from tests.bare_app import beside
from tests.factories import all_deliveries, make_tutor, owe_many, soon
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import HOLD
from tests.fakes.shop import FakeShop
from tests.fixtures.background import Background, later, until
from tests.outbox.ledger import quietly
from tests.servers.valkey import ValkeyServer
from tests.sources.prices.town import look, shopper, watching

_TARGET = Decimal(1500)


@pytest.fixture
def quick() -> Iterator[FakeShop]:
    with FakeShop() as fake:
        yield fake


def test_five_hundred_that_wait_for_another_try_stand_before_ten_that_are_ready_and_the_ten_go(
    app: Flask, background: Background, redis: ValkeyServer, line: FakeLine, shop: FakeShop
) -> None:
    tutor = make_tutor()
    with quietly() as tx:
        waiting = owe_many(tx, tutor, 500, kind="price_drop")
        _changed(tx, state=State.RETRY, failure_code="REFETCH_UNREACHABLE", next_attempt_at=soon(20))
    url = shop.sells("kettle", "1400")
    for _ in range(10):
        watching_from_afar(shopper(), url)
    assert look()["owed"] == 10
    ready = {one.id for one in all_deliveries()} - set(waiting)
    with quietly() as tx:
        _changed(tx, ready, state=State.PENDING, queued_at=None)
    redis.flush()
    due = queries.due(kinds_in(QueueName.SLOW), 10)
    assert {row.id for row in due} == ready, "time is asked about before the limit"
    with later(seconds=3):
        background.run()
    assert {one.id for one in all_deliveries() if one.state == State.SENT} == ready
    assert {one.state for one in all_deliveries() if one.id in waiting} == {State.RETRY}


def test_a_shop_that_is_silent_holds_up_neither_the_looks_nor_the_deliveries_of_others(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop, quick: FakeShop
) -> None:
    silent = shop.sells("kettle", "1980")
    waits, gets = shopper(), shopper()
    watching(waits, silent)
    watching(gets, quick.sells("pan", "1980"))
    shop.sells("kettle", "1400")
    quick.sells("pan", "1400")
    with later(seconds=3):
        assert look()["owed"] == 2
    shop.script_for(silent, HOLD)
    with later(seconds=6):
        owed = {one.account_id: one.id for one in all_deliveries()}
        of_silent, of_quick = owed[waits], owed[gets]
        with beside(app, lambda: deliver("price_drop", [of_silent, of_quick], lambda: False)):
            assert shop.holding.wait(20)
            until(lambda: _state(of_quick) == State.SENT, "the other shop's price was told")
            assert _state(of_silent) == State.SENDING
            shop.release()
        assert _state(of_silent) == State.SENT


def test_a_shop_with_many_items_leaves_the_others_their_turns(
    app: Flask, line: FakeLine, shop: FakeShop, quick: FakeShop
) -> None:
    account = shopper()
    many = [shop.sells(f"kettle{number}", "1980") for number in range(3 * AT_ONCE)]
    for url in [*many, quick.sells("pan", "1980")]:
        watching_from_afar(account, url)
    detect()
    assert len(quick.requests) == 1, "it came last, and was not the last to be asked"
    assert 1 <= len(shop.requests) <= 6
    with writing() as tx:
        times = list(tx.session.scalars(select(Item.next_look_at).order_by(Item.next_look_at)))
    assert None not in times
    assert len(set(times)) > 2 * AT_ONCE, "each comes again at its own second"


def test_all_watchers_of_one_item_are_one_request(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    url = shop.sells("kettle", "1980")
    for _ in range(30):
        watching_from_afar(shopper(), url)
    shop.sells("kettle", "1400")
    with later(seconds=3):
        assert look()["owed"] == 30
        with later(seconds=3):
            background.run()
    assert {one.state for one in all_deliveries()} == {State.SENT}
    assert shop.asked_for(url) == 2


def watching_from_afar(account: int, url: str) -> None:
    """Watch a page that was not read yet."""
    silence = FetchFailed(Trouble.UNREACHABLE)
    with writing() as tx:
        item = ShopItem(url, Adapter.PAGE)
        watch(tx, account, item, silence, Wished(Trigger.BELOW_TARGET, target=_TARGET))


def _changed(tx: Transaction, ids: Collection[int] | None = None, **values: Any) -> None:
    """Set columns of these deliveries, or of all."""
    rows = update(Delivery).values(**values)
    tx.session.execute(rows if ids is None else rows.where(Delivery.id.in_(ids)))


def _state(delivery_id: int) -> str:
    return next(one.state for one in all_deliveries() if one.id == delivery_id)
