"""A guest signs in, or is forgotten, while something else happens to what was theirs: nothing is lost or stuck."""

from datetime import timedelta
from decimal import Decimal

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.accounts.models import Account, BrowserSession
from app.clock import now
from app.extensions import db
from app.operations.guests import forget, forget_idle, take_over
from app.reach.models import Device
from app.sources.prices.detect import take
from app.sources.prices.keep import keep
from app.sources.prices.looking import Look
from app.sources.prices.models import Adapter, Item, Trigger, Watch
from app.sources.prices.shops.offer import Price, ShopItem
from app.sources.prices.watch import watch
from app.sources.prices.wishes import Wished
from app.transaction import Transaction, writing
from tests.factories import change, make_account, make_guest, only_delivery
from tests.inbox.inboxes import make_device
from tests.racing import Act, race

CHEAP, DEAR = (Price(Decimal(amount), "JPY", "kettle") for amount in (1400, 1980))


def watched(account: int, name: str) -> int:
    """A watch for 1,500 yen; its id."""
    item = ShopItem(f"https://a.example/{name}", Adapter.PAGE)
    with writing() as tx:
        return watch(tx, account, item, DEAR, Wished(Trigger.BELOW_TARGET, target=Decimal(1500))).id


def seen(price: Price) -> Look:
    """The only item was looked at."""
    with writing() as tx:
        tx.session.execute(update(Item).values(next_look_at=now()))
        (known,) = take(tx, 1)
    return Look(known, price, now())


def holds(watch_id: int) -> Act:
    """What detection does with watches whose wait is over, one after the other."""
    return lambda tx: tx.session.execute(select(Watch.id).where(Watch.id == watch_id).with_for_update(key_share=True))


def test_what_is_being_found_while_the_guest_signs_in_is_owed_to_the_account(app: Flask) -> None:
    account, (guest, _secret) = make_account(), make_guest()
    make_device(guest)
    watched(guest, "kettle")
    cheap = seen(CHEAP)
    race(app, lambda tx: keep([cheap]), lambda tx: take_over(tx, guest, account))
    owed = only_delivery()
    assert (owed.account_id, owed.reason, owed.finished_at) == (account, None, None)


@pytest.mark.parametrize("act", ["signs in", "is forgotten"])
def test_detection_and_a_guest_who_leaves_never_wait_for_each_other(app: Flask, act: str) -> None:
    account, (guest, _secret) = make_account(), make_guest()
    first, second = watched(guest, "kettle"), watched(guest, "cup")
    change(Watch, first, created_at=now())  # PostgreSQL finds it behind the other from now on

    def leaves(tx: Transaction) -> None:
        take_over(tx, guest, account) if act == "signs in" else forget(tx, guest)

    assert race(app, holds(first), leaves, holds(second)) == []


def test_answers_that_are_noted_and_guests_who_are_forgotten_never_wait_for_each_other(app: Flask) -> None:
    long_ago = now() - timedelta(days=400)
    (first, _secret), (second, _other) = make_guest(), make_guest()
    earlier, later = make_device(second), make_device(first)
    for guest in (first, second):
        change(Account, guest, created_at=long_ago)
    with writing() as tx:
        tx.session.execute(update(BrowserSession).values(seen_at=long_ago))
    race(app, notes(earlier), lambda tx: forget_idle(tx, 2), notes(later))
    assert db.session.scalars(select(Device.id)).all() == []


def notes(device_id: int) -> Act:
    """What noting answers does with devices, one after the other."""

    def note(tx: Transaction) -> None:
        tx.will_write(Device)
        tx.session.execute(select(Device.id).where(Device.id == device_id).with_for_update())

    return note
