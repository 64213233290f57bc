"""Watching: what is watched is what was seen, in its currency, and what was not seen is not taken for anything."""

from decimal import Decimal

import pytest
from flask import Flask
from sqlalchemy import select

from app.clock import now
from app.extensions import db
from app.faults import InvalidInput
from app.sources.prices import watch as verbs
from app.sources.prices.detect import take
from app.sources.prices.keep import keep
from app.sources.prices.looking import Look
from app.sources.prices.models import Adapter, Item, Trigger
from app.sources.prices.shops.offer import FetchFailed, Price, Reading, ShopItem, Trouble, Unavailable
from app.sources.prices.watch import Watched, watch
from app.sources.prices.wishes import Wished
from app.transaction import writing
from tests.factories import all_deliveries
from tests.sources.prices.town import number_of, shopper, watch_now

PAGE = ShopItem("https://a.example/kettle", Adapter.PAGE)
SILENCE = FetchFailed(Trouble.UNREACHABLE)
CHEAP = Wished(Trigger.BELOW_TARGET, target=Decimal(1500))


def watching(account: int, item: ShopItem, reading: Reading, wished: Wished) -> Watched:
    """Watch it."""
    with writing() as tx:
        return watch(tx, account, item, reading, wished)


def endpoint(currency: str) -> ShopItem:
    """The same address, as somebody says it is in this currency."""
    return ShopItem("https://a.example/kettle.json", Adapter.JSON, "/price", "", currency)


def currencies() -> dict[int, str | None]:
    """Of each item that there is."""
    db.session.rollback()
    return dict(db.session.execute(select(Item.id, Item.currency)).all())


def items_of(*watched: Watched) -> list[int]:
    """What each waits for."""
    return [watch_now(one.id).item_id for one in watched]


@pytest.mark.parametrize(("seen", "told"), [(SILENCE, 0), (Unavailable("kettle"), 1)])
def test_only_what_was_seen_to_be_away_comes_back(app: Flask, seen: Reading, told: int) -> None:
    watching(shopper(), PAGE, seen, Wished(Trigger.BACK_IN_STOCK))
    with writing() as tx:
        (known,) = take(tx, 1)
    keep([Look(known, Price(Decimal(1980), "JPY", "kettle"), now())])
    assert len(all_deliveries()) == told


def test_what_is_wished_again_while_it_is_away_has_been_away(app: Flask) -> None:
    account, price = shopper(), Price(Decimal(1980), "JPY", "kettle")
    mine = watching(account, PAGE, price, Wished(Trigger.BACK_IN_STOCK)).id
    with writing() as tx:
        verbs.pause(tx, account, mine)
    watching(account, PAGE, Unavailable("kettle"), Wished(Trigger.BACK_IN_STOCK))
    with writing() as tx:
        (known,) = take(tx, 1)
    keep([Look(known, price, now())])
    assert len(all_deliveries()) == 1


def test_each_currency_that_is_named_for_an_endpoint_is_an_item_of_its_own(app: Flask) -> None:
    wrong, right, again = (watching(shopper(), endpoint(named), SILENCE, CHEAP) for named in ("USD", "JPY", "JPY"))
    in_dollars, in_yen, also_in_yen = items_of(wrong, right, again)
    assert in_yen == also_in_yen
    assert currencies() == {in_dollars: "USD", in_yen: "JPY"}


def test_a_page_that_names_another_currency_to_somebody_else_is_another_item_for_them(app: Flask) -> None:
    here = watching(shopper(), PAGE, Price(Decimal(1980), "JPY", "kettle"), CHEAP)
    there = watching(shopper(), PAGE, Price(Decimal(12), "EUR", "kettle"), CHEAP)
    in_yen, in_euros = items_of(here, there)
    assert currencies() == {in_yen: "JPY", in_euros: "EUR"}


def test_a_page_that_was_not_read_yet_is_in_the_currency_that_is_read_first(app: Flask) -> None:
    unread = watching(shopper(), PAGE, SILENCE, Wished(Trigger.BACK_IN_STOCK))
    read = watching(shopper(), PAGE, Price(Decimal(1980), "JPY", "kettle"), CHEAP)
    unread_too = watching(shopper(), PAGE, SILENCE, Wished(Trigger.BACK_IN_STOCK))
    assert len({*items_of(unread, read, unread_too)}) == 1
    assert list(currencies().values()) == ["JPY"]


def test_what_somebody_only_says_of_a_currency_binds_nobody_else(app: Flask) -> None:
    claimed = Wished(Trigger.BELOW_TARGET, target=Decimal(20), currency="USD")
    unread = watching(shopper(), PAGE, SILENCE, Wished(Trigger.BACK_IN_STOCK))
    said = watching(shopper(), PAGE, SILENCE, claimed)
    unread_too = watching(shopper(), PAGE, SILENCE, Wished(Trigger.BACK_IN_STOCK))
    page, in_dollars, page_too = items_of(unread, said, unread_too)
    assert page == page_too != in_dollars
    assert currencies() == {page: None, in_dollars: "USD"}


def test_whose_list_is_full_may_still_wish_otherwise(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verbs, "MOST_WATCHES", 1)
    account = shopper()
    mine = watching(account, PAGE, SILENCE, CHEAP)
    less = Wished(Trigger.BELOW_TARGET, target=Decimal(1000))
    assert watching(account, PAGE, SILENCE, less) == Watched(mine.id, again=True)
    assert watch_now(mine.id).target == Decimal(1000)
    with pytest.raises(InvalidInput):
        watching(account, PAGE, SILENCE, Wished(Trigger.BACK_IN_STOCK))
    assert number_of(Item) == 1
