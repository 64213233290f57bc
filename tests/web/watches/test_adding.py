"""Adding a watch: its address, what was read there, and a wish. Bad input gets a clear message, and no watch."""

from datetime import timedelta
from decimal import Decimal
from socket import EAI_NONAME, gaierror
from typing import Any

import pytest
import time_machine
from flask import Flask

from app.clock import now
from tests.fakes.line_answers import TIMEOUT, Answer, reply
from tests.fakes.shop import FakeShop
from tests.fixtures.background import later
from tests.sources.prices.town import item_now, look, watch_now
from tests.web.visitor import Visitor, text_of
from tests.web.watches.shopping import preview, seen_in, watch, watches_there_are


def test_what_the_page_says_is_shown_before_it_is_watched(pages_app: Flask, member: Visitor, shop: FakeShop) -> None:
    page = preview(member, shop.sells("kettle", "1980"))
    assert page.status_code == 200
    assert "kettle" in text_of(page)
    assert "It costs ¥1,980 now." in text_of(page)
    assert 'value="below_target" checked' in page.text
    assert watches_there_are(pages_app) == 0


def test_it_is_watched_from_the_price_that_was_shown_and_the_shop_is_not_asked_again(
    pages_app: Flask, member: Visitor, shop: FakeShop
) -> None:
    kettle = shop.sells("kettle", "1980")
    page = preview(member, kettle)
    shop.sells("kettle", "1000")
    answer = member.post("/watches", seen=seen_in(page), trigger="percent_drop", percent="20")
    assert answer.status_code == 303
    assert shop.asked_for(kettle) == 1
    with pages_app.app_context():
        made = watch_now(int(answer.location.split("/")[-1]))
        assert (made.account_id, made.trigger, made.percent) == (member.account_id, "percent_drop", 20)
        assert made.baseline == item_now().last_price == Decimal(1980)
    shown = text_of(member.get(answer.location))
    assert "It is watched." in shown
    assert "20% less than ¥1,980" in shown


def test_a_target_is_read_as_people_write_it(pages_app: Flask, member: Visitor, shop: FakeShop) -> None:
    answer = watch(member, shop.sells("kettle", "1980"), target="￥1,500(税込)")
    with pages_app.app_context():
        assert watch_now(int(answer.location.split("/")[-1])).target == Decimal(1500)
    assert "¥1,500 or less" in text_of(member.get("/watches"))


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("javascript:alert(1)", "Paste the address of a product page"),
        ("http://10.0.0.1/kettle", "private network"),
    ],
)
def test_an_address_that_is_none_or_leads_inside_is_told_at_its_field_and_kept(
    pages_app: Flask, member: Visitor, written: str, says: str
) -> None:
    page = preview(member, written)
    assert page.status_code == 422
    assert says in text_of(page)
    assert f'value="{written}"' in page.text
    assert 'aria-describedby="url-fault"' in page.text
    assert watches_there_are(pages_app) == 0


@pytest.mark.parametrize("answer", [TIMEOUT, reply(429, retry_after="60")])
def test_a_shop_without_an_answer_can_be_watched_all_the_same(
    pages_app: Flask, member: Visitor, shop: FakeShop, answer: Answer
) -> None:
    kettle = shop.sells("kettle", "1980")
    shop.script_for(kettle, answer)
    page = preview(member, kettle)
    assert page.status_code == 200
    assert "You can watch the page all the same" in text_of(page)
    assert "Read it again now" in text_of(page)
    assert "It costs … percent less than the first price that is read" in text_of(page)
    added = member.post("/watches", seen=seen_in(page), trigger="percent_drop", percent="10")
    assert "10% less than the first price that is read" in text_of(member.get(added.location))
    assert "Not read yet" in text_of(member.get("/watches"))


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (TIMEOUT, "The shop gave no answer just now."),
        (reply(429, retry_after="60"), "The shop wishes to be asked later."),
    ],
)
def test_why_nothing_was_read_is_said_and_our_own_pace_is_not_the_shops_wish(
    member: Visitor, shop: FakeShop, answer: Answer, says: str
) -> None:
    kettle = shop.sells("kettle", "1980")
    shop.script_for(kettle, answer)
    assert says in text_of(preview(member, kettle))
    again = text_of(preview(member, kettle))
    assert "it is not this one's turn yet" in again
    assert says not in again


def test_a_host_that_nobody_knows_is_told_at_the_field(
    pages_app: Flask, member: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise gaierror(EAI_NONAME, "Name or service not known")

    monkeypatch.setattr("app.bounds.getaddrinfo", unknown)
    for _ in range(2):
        page = preview(member, "https://shpo.example/kettle")
        assert page.status_code == 422
        assert "There is no shop of this name." in text_of(page)
    assert watches_there_are(pages_app) == 0


def test_while_nobody_has_read_its_currency_a_target_is_given_with_one(
    pages_app: Flask, member: Visitor, shop: FakeShop
) -> None:
    kettle = shop.sells("kettle", None, stock="OutOfStock")
    page = preview(member, kettle)
    assert "Price, at most, with its currency" in text_of(page)
    bare = member.post("/watches", seen=seen_in(page), trigger="below_target", target="1500")
    assert bare.status_code == 422
    assert "Enter a price and its currency: 1980 JPY, 20 EUR." in text_of(bare)
    assert watches_there_are(pages_app) == 0
    added = member.post("/watches", seen=seen_in(page), trigger="below_target", target="1500 JPY")
    assert "¥1,500 or less" in text_of(member.get(added.location))
    with pages_app.app_context():
        assert item_now().currency == "JPY"


def test_of_what_is_sold_out_now_the_currency_of_its_last_price_is_known(
    pages_app: Flask, member: Visitor, staff: Visitor, shop: FakeShop
) -> None:
    watch(staff, shop.sells("kettle", "19.80", currency="EUR"), target="15")
    with later(seconds=3):
        page = preview(member, shop.sells("kettle", None, stock="OutOfStock"))
        assert "Price in EUR, at most" in text_of(page)
        added = member.post("/watches", seen=seen_in(page), trigger="below_target", target="12.50")
        assert "€12.50 or less" in text_of(member.get(added.location))


def test_a_target_names_the_currency_of_what_was_watched_without_one(
    pages_app: Flask, member: Visitor, shop: FakeShop
) -> None:
    page = preview(member, shop.sells("kettle", None, stock="OutOfStock"))
    member.post("/watches", seen=seen_in(page), trigger="back_in_stock")
    with pages_app.app_context():
        assert item_now().currency is None
    added = member.post("/watches", seen=seen_in(page), trigger="below_target", target="20 EUR")
    assert "€20.00 or less" in text_of(member.get(added.location))


def test_of_what_is_sold_out_its_return_is_offered_first(member: Visitor, shop: FakeShop) -> None:
    page = preview(member, shop.sells("kettle", None, stock="OutOfStock"))
    assert "It is out of stock now." in text_of(page)
    assert 'value="back_in_stock" checked' in page.text


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({"target": "1980"}, "It costs ¥1,980 already. Enter less than that."),
        ({"trigger": "percent_drop", "percent": "100"}, "Enter a number of percent from 1 to 99."),
        ({"trigger": "sometimes"}, "Choose what to wait for."),
    ],
)
def test_what_cannot_be_waited_for_is_told_and_what_was_typed_is_kept(
    pages_app: Flask, member: Visitor, shop: FakeShop, wish: dict[str, str], says: str
) -> None:
    page = watch(member, shop.sells("kettle", "1980"), **wish)
    assert page.status_code == 422
    assert says in text_of(page)
    assert all(f'value="{typed}"' in page.text for typed in wish.values() if typed != "sometimes")
    assert watches_there_are(pages_app) == 0


def test_a_json_endpoint_is_watched_by_its_paths(pages_app: Flask, member: Visitor, shop: FakeShop) -> None:
    api = shop.answers("api", reply(200, {"data": {"price": 1980}}, content_type="application/json"))
    refused = preview(member, api, price_path="data", currency="?")
    assert refused.status_code == 422
    assert "Enter a path such as /data/price." in text_of(refused)
    assert "Enter a currency such as JPY." in text_of(refused)
    page = preview(member, api, price_path="/data/price", currency="jpy")
    assert "It costs ¥1,980 now." in text_of(page)
    assert member.post("/watches", seen=seen_in(page), trigger="below_target", target="1500").status_code == 303
    with pages_app.app_context():
        assert (item_now().price_path, item_now().currency) == ("/data/price", "JPY")


def test_the_same_page_again_is_the_same_watch(pages_app: Flask, member: Visitor, shop: FakeShop) -> None:
    first = watch(member, shop.sells("kettle", "1980"), target="1500")
    with later(seconds=3):
        again = watch(member, f"{shop.url}/kettle?utm_source=mail", target="1200")
        assert again.location == first.location
        assert "You watched this already. What it waits for from now on: ¥1,200 or less" in text_of(
            member.get(again.location)
        )
    assert watches_there_are(pages_app) == 1


def test_a_drop_that_is_wished_again_counts_from_what_it_costs_then(
    pages_app: Flask, member: Visitor, shop: FakeShop
) -> None:
    drop: dict[str, Any] = {"trigger": "percent_drop", "percent": "10"}
    watch(member, shop.sells("kettle", "1980"), **drop)
    with later(seconds=3):
        cheaper = watch(member, shop.sells("kettle", "1700"), **drop)
        assert "What it waits for from now on: 10% less than ¥1,700" in text_of(member.get(cheaper.location))
    with later(seconds=6):
        page = preview(member, shop.sells("kettle", None, stock="OutOfStock"))
        assert "less than the first price that is read" in text_of(page)
        gone = member.post("/watches", seen=seen_in(page), **drop)
        says = "What it waits for from now on: 10% less than the first price that is read"
        assert says in text_of(member.get(gone.location))
    with later(seconds=9):
        shop.sells("kettle", "2500")
        with pages_app.app_context():
            look()
        assert "10% less than ¥2,500" in text_of(member.get(gone.location))


def test_what_was_read_an_hour_ago_is_read_again_and_what_nobody_read_is_refused(
    pages_app: Flask, member: Visitor, shop: FakeShop
) -> None:
    page = preview(member, shop.sells("kettle", "1980"))
    with time_machine.travel(now() + timedelta(minutes=61)):
        old = member.post(
            "/watches", seen=seen_in(page), trigger="below_target", target="1500", url=f"{shop.url}/kettle"
        )
    assert old.status_code == 422
    assert "What was read is more than an hour old." in text_of(old)
    assert f'value="{shop.url}/kettle"' in old.text
    assert member.post("/watches", seen="forged", trigger="below_target", target="1500").status_code == 400
    assert watches_there_are(pages_app) == 0


def test_who_has_nowhere_to_be_told_learns_it_before(member: Visitor, shop: FakeShop) -> None:
    page = preview(member, shop.sells("kettle", "1980"))
    assert "You would not be told" in text_of(page)
    assert 'href="/settings/notifications#here"' in page.text


def test_what_strangers_write_stays_text(member: Visitor, shop: FakeShop) -> None:
    assert "<b>x" not in preview(member, '"><b>x').text
    named = (
        b'<div itemscope itemtype="https://schema.org/Product"><span itemprop="name">x&lt;b&gt;y</span>'
        b'<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="1980">'
        b'<meta itemprop="priceCurrency" content="JPY"><link itemprop="availability" href="https://schema.org/InStock">'
        b"</div></div>"
    )
    page = preview(member, shop.shows("kettle", named))
    assert "x&lt;b&gt;y" in page.text
    assert "<b>y" not in page.text


def test_who_watches_too_much_is_told_and_what_was_typed_is_kept(
    member: Visitor, shop: FakeShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = preview(member, shop.sells("kettle", "1980"))
    monkeypatch.setattr("app.sources.prices.watch.MOST_WATCHES", 0)
    refused = member.post("/watches", seen=seen_in(page), trigger="below_target", target="1500")
    assert refused.status_code == 422
    assert "You watch 0 things already. Remove one first." in text_of(refused)
    assert 'name="target" value="1500"' in refused.text
