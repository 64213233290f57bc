"""Promise: who has no account is told on their own browser, and loses nothing by signing in later."""

from decimal import Decimal
from threading import Event
from typing import Any

import pytest
from flask import Flask

from app.operations.guests import forget, take_over
from app.sources.prices import recheck
from app.sources.prices.shops.offer import Price, Reading, ShopItem
from app.sources.prices.shops.registry import Shops
from app.transaction import writing
from tests.factories import all_deliveries, make_account, make_guest, only_delivery
from tests.fakes.line_answers import HOLD
from tests.fakes.push import FakePush
from tests.fakes.shop import FakeShop
from tests.fixtures.background import Background, later
from tests.inbox.browsers import KEY, register
from tests.inbox.inboxes import said as inbox
from tests.sources.prices.town import ends, look, watch_now, watching

TURN = 3
"""Seconds after which the shop's next turn has come."""


def drops(shop: FakeShop, price: str) -> None:
    shop.sells("kettle", price)
    with later(seconds=TURN):
        assert look()["owed"] == 1


def heads(push: FakePush, device: dict[str, Any]) -> list[str]:
    """The titles of what the browser showed."""
    return [one["title"] for one in push.arrived(device)]


def test_a_guest_is_told_on_their_browser(app: Flask, background: Background, push: FakePush, shop: FakeShop) -> None:
    guest, _secret = make_guest("en")
    watching(guest, shop.sells("kettle", "1980"))
    device = push.subscribe(KEY)
    register(guest, device, language="en")
    drops(shop, "1400")
    with later(seconds=2 * TURN):
        background.run()
    assert ends() == [("sent", None)]
    assert heads(push, device) == ["¥1,400: kettle"]
    assert [title for title, _body in inbox(guest)] == ["¥1,400: kettle"]


def test_what_was_owed_to_the_guest_reaches_whoever_signed_in_meanwhile_and_so_does_the_next(
    app: Flask, background: Background, push: FakePush, shop: FakeShop
) -> None:
    (guest, _secret), account = make_guest("en"), make_account(language="en")
    watch = watching(guest, shop.sells("kettle", "1980"))
    device = push.subscribe(KEY)
    register(guest, device, language="en")
    drops(shop, "1400")
    with writing() as tx:
        take_over(tx, guest, account)
    with later(seconds=2 * TURN):
        background.run()
    assert ends() == [("sent", None)]
    assert watch_now(watch).last_notified_price == Decimal(1400)
    with later(days=1):
        drops(shop, "1300")
        with later(seconds=2 * TURN):
            background.run()
    assert heads(push, device) == ["¥1,400: kettle", "¥1,300: kettle"]
    assert [title for title, _body in inbox(account)] == ["¥1,300: kettle", "¥1,400: kettle"]
    assert {one.account_id for one in all_deliveries()} == {account}


@pytest.mark.parametrize("busy", ["shop", "push"])
def test_who_signs_in_while_a_worker_is_busy_with_it_is_told_all_the_same_and_once(
    app: Flask, background: Background, push: FakePush, shop: FakeShop, busy: str
) -> None:
    (guest, _secret), account = make_guest("en"), make_account(language="en")
    watch = watching(guest, url := shop.sells("kettle", "1980"))
    device = push.subscribe(KEY)
    register(guest, device, language="en")
    drops(shop, "1400")
    asked = shop if busy == "shop" else push
    shop.script_for(url, HOLD) if busy == "shop" else push.script(HOLD)
    with later(seconds=2 * TURN), background.sending("price_drop", only_delivery().id):
        assert asked.holding.wait(20)
        with writing() as tx:
            take_over(tx, guest, account)
        asked.release()
    with later(seconds=3 * TURN):
        background.run()
    assert ends() == [("sent", None)]
    assert heads(push, device) == ["¥1,400: kettle"]
    assert watch_now(watch).last_notified_price == Decimal(1400)
    assert [title for title, _body in inbox(account)] == ["¥1,400: kettle"]


def test_two_answers_about_one_delivery_come_at_once_and_the_one_that_counts_is_heard(
    app: Flask, background: Background, push: FakePush, shop: FakeShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker that lost it to the sign-in claims it again, while its former question is still under way."""
    (guest, _secret), account = make_guest("en"), make_account(language="en")
    watching(guest, shop.sells("kettle", "1980"))
    device = push.subscribe(KEY)
    register(guest, device, language="en")
    drops(shop, "1400")
    asked, may_answer = [Event(), Event()], Event()

    def asks(known: Shops, item: ShopItem) -> Reading:
        next(one for one in asked if not one.is_set()).set()
        assert may_answer.wait(20)
        return Price(Decimal(1400), "JPY", "kettle")

    monkeypatch.setattr(recheck, "_reread", asks)
    with background.sending("price_drop", only_delivery().id):
        assert asked[0].wait(20)
        with writing() as tx:
            take_over(tx, guest, account)
        assert asked[1].wait(20)
        may_answer.set()
    assert ends() == [("sent", None)]
    assert heads(push, device) == ["¥1,400: kettle"]


def test_what_the_guest_was_told_is_not_told_again_by_the_accounts_own_watch(
    app: Flask, background: Background, push: FakePush, shop: FakeShop
) -> None:
    (guest, _secret), account = make_guest("en"), make_account(language="en")
    kettle = shop.sells("kettle", "1980")
    own = watching(account, kettle)
    watching(guest, kettle)
    device = push.subscribe(KEY)
    register(guest, device, language="en")
    drops(shop, "1400")
    with later(seconds=2 * TURN):
        background.run()
        with writing() as tx:
            take_over(tx, guest, account)
        with later(days=1):
            assert look()["owed"] == 0
            drops(shop, "1300")
    assert heads(push, device) == ["¥1,400: kettle"]
    assert watch_now(own).last_notified_price == Decimal(1400)


def test_who_was_forgotten_is_told_nothing_any_more(
    app: Flask, background: Background, push: FakePush, shop: FakeShop
) -> None:
    guest, _secret = make_guest("en")
    watching(guest, shop.sells("kettle", "1980"))
    device = push.subscribe(KEY)
    register(guest, device, language="en")
    drops(shop, "1400")
    with writing() as tx:
        forget(tx, guest)
    with later(seconds=2 * TURN):
        background.run()
    assert ends() == [("canceled", "recipient_disabled")]
    assert heads(push, device) == []
