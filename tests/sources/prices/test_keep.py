"""Storing looks while people act: whoever wants a look gets it, and nobody waits for anybody for ever."""

from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.clock import now
from app.extensions import db
from app.inbox.models import Notification
from app.inbox.notify import Event, put
from app.sources.prices import observations, report
from app.sources.prices.detect import take
from app.sources.prices.keep import keep
from app.sources.prices.looking import Known, Look
from app.sources.prices.models import Adapter, Finding, Item, Observation, Trigger, Watch
from app.sources.prices.shops.offer import FetchFailed, Price, Reading, ShopItem, Trouble, Why, unreadable
from app.sources.prices.watch import look_now, pause, resume, watch
from app.sources.prices.wishes import Wished
from app.transaction import ROWS_PER_TRANSACTION, Transaction, writing
from tests.factories import all_deliveries, make_account
from tests.racing import race
from tests.sources.announcements.announced import crowd
from tests.sources.prices.town import item_now, number_of, shopper, watch_now

KETTLE = ShopItem("https://a.example/kettle", Adapter.PAGE)
SILENCE = FetchFailed(Trouble.UNREACHABLE)
CHEAP, DEAR = (Price(Decimal(amount), "JPY", "kettle") for amount in (1400, 1980))
CHANGED = unreadable(Why.NO_PRODUCT)


def watched(account: int, reading: Reading = SILENCE) -> int:
    """A watch for 1,500 yen; its id."""
    with writing() as tx:
        return watch(tx, account, KETTLE, reading, Wished(Trigger.BELOW_TARGET, target=Decimal(1500))).id


def taken() -> Known:
    """The only item, taken to be looked at."""
    with writing() as tx:
        tx.session.execute(update(Item).values(next_look_at=now()))
        (known,) = take(tx, 1)
    return known


def look(reading: Reading) -> int:
    """Look at it; how many deliveries that made."""
    return keep([Look(taken(), reading, now())])


def test_who_wants_a_look_while_one_is_under_way_gets_another(app: Flask) -> None:
    account = shopper()
    mine = watched(account)
    under_way = taken()
    with writing() as tx:
        look_now(tx, account, mine)
    keep([Look(under_way, DEAR, now())])
    item = item_now()
    assert item.next_look_at is not None
    assert item.next_look_at <= now()
    assert item.last_price == Decimal(1980), "what was seen is kept all the same"


def test_a_lease_that_ran_out_leaves_the_next_one_alone(app: Flask) -> None:
    watched(shopper())
    late, later = taken(), taken()
    keep([Look(late, DEAR, now())])
    assert item_now().next_look_at == later.next_look_at


def test_what_is_resumed_while_a_look_is_stored_is_looked_at(app: Flask) -> None:
    account = shopper()
    mine = watched(account)
    under_way = taken()
    with writing() as tx:
        pause(tx, account, mine)
    race(
        app,
        first=lambda tx: resume(tx, account, mine),
        second=lambda tx: keep([Look(under_way, DEAR, now())]),
    )
    assert item_now().next_look_at is not None


@pytest.mark.parametrize("paused", [False, True])
def test_whoever_acts_on_a_watch_and_a_look_that_is_stored_never_wait_for_each_other(app: Flask, paused: bool) -> None:
    account = shopper()
    mine = watched(account)
    if paused:
        with writing() as tx:
            pause(tx, account, mine)

    def holds_the_item(tx: Transaction) -> None:
        tx.session.execute(select(Item.id).with_for_update())

    def acts(tx: Transaction) -> None:
        (resume if paused else look_now)(tx, account, mine)

    def notes_that_it_is_over(tx: Transaction) -> None:
        tx.session.execute(update(Watch).values(false_since=now()))

    race(app, holds_the_item, acts, notes_that_it_is_over)
    assert watch_now(mine).false_since is not None
    assert item_now().next_look_at is not None


def test_two_detections_at_once_make_one(app: Flask) -> None:
    watched(shopper())
    looks = [Look(taken(), CHEAP, now()) for _ in range(2)]
    race(app, lambda tx: keep(looks[:1]), lambda tx: keep(looks[1:]))
    assert (len(all_deliveries()), number_of(Finding)) == (1, 1)


def test_a_look_in_another_currency_than_somebody_has_named_meanwhile_is_not_compared(app: Flask) -> None:
    account = shopper()
    watched(account)
    under_way = taken()
    watched(shopper(), DEAR)
    assert keep([Look(under_way, Price(Decimal(12), "USD", "kettle"), now())]) == 0
    assert (item_now().currency, item_now().last_price) == ("JPY", DEAR.amount)
    assert all_deliveries() == []


def test_what_somebody_just_saw_is_what_they_find_and_an_older_reading_changes_nothing(app: Flask) -> None:
    watched(shopper(), DEAR)
    newer = replace(CHEAP, read_at=now())
    watched(shopper(), newer)
    assert item_now().last_price == newer.amount
    watched(shopper(), replace(DEAR, read_at=now() - timedelta(hours=1)))
    assert item_now().last_price == newer.amount


def test_a_look_that_failed_forgets_no_currency(app: Flask) -> None:
    watched(shopper())
    under_way = taken()
    watched(shopper(), DEAR)
    keep([Look(under_way, SILENCE, now())])
    assert item_now().currency == "JPY"


def test_no_more_readings_are_kept_than_are_shown_and_what_a_day_adds(app: Flask) -> None:
    watched(make_account())
    begun, known = now(), taken()
    kept = []
    for number in range(observations.MOST_KEPT + 3):
        at = begun + timedelta(days=number)
        with writing() as tx:
            observations.observe(tx, [Look(known, Price(Decimal(1000 + number), "JPY", "kettle"), at)])
        known = replace(known, observed_at=at)
        kept.append(number_of(Observation))
    assert kept[-4:] == [observations.MOST_KEPT] * 4
    newest = select(Observation.price).order_by(Observation.at.desc()).limit(1)
    assert db.session.scalar(newest) == Decimal(1000 + observations.MOST_KEPT + 2)


def test_more_watchers_than_one_transaction_may_write_are_told_that_it_cannot_be_read(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = crowd(ROWS_PER_TRANSACTION + 5)
    with writing() as tx:
        for account in people:
            watch(tx, account, KETTLE, SILENCE, Wished(Trigger.BACK_IN_STOCK))
    told: list[int] = []

    def put_once(tx: Transaction, event: Event, to: Collection[int]) -> list[int]:
        if told:
            raise KeyboardInterrupt
        told.extend(put(tx, event, to))
        return told

    look(CHANGED)
    with monkeypatch.context() as killed:
        killed.setattr(report, "put", put_once)
        with pytest.raises(KeyboardInterrupt):
            look(CHANGED)
    assert number_of(Notification) == ROWS_PER_TRANSACTION
    look(CHANGED)
    look(CHANGED)
    assert number_of(Notification) == len(people), "the next look told the others"
    assert item_now().reported_at is not None
