"""Bad input: a clear message, and no watch. And the way on when a shop is slow."""

from decimal import Decimal

import pytest
from flask import Flask

from app.faults import InvalidInput
from app.sources.prices.models import Item, Trigger, Watch
from app.sources.prices.preview import Endpoint, Silence, preview
from app.sources.prices.shops.offer import Price, Unavailable
from app.sources.prices.urls import canonical
from app.sources.prices.watch import MOST_WATCHES, NoSuchWatchError, look_now, pause, remove, resume, watch
from app.sources.prices.wishes import Wished, read_wish
from app.transaction import writing
from tests.factories import make_account
from tests.fakes.line_answers import TIMEOUT, reply
from tests.fakes.shop import FakeShop
from tests.fixtures.background import later
from tests.sources.prices.town import item_now, look, number_of, shopper, watch_now, watching


@pytest.mark.parametrize(
    ("written", "url"),
    [
        (" HTTPS://Shop.Example:443/a b?utm_source=x&id=1&gclid=y#part ", "https://shop.example/a%20b?id=1"),
        ("http://shop.example", "http://shop.example/"),
        ("http://shop.example:8080/%E3%81%82", "http://shop.example:8080/%E3%81%82"),
        ("https://shop.example/?q=%8F%A4&UTM_x=1", "https://shop.example/?q=%8F%A4&UTM_x=1"),
        ("https://shop.example/?flag&utm_medium=a&&a=1;b=2&c=x+y%20z", "https://shop.example/?flag&&a=1;b=2&c=x+y%20z"),
        ("https://shop.example/?fbclid=1", "https://shop.example/"),
        ("https://shop.example/?q=商品 1", "https://shop.example/?q=%E5%95%86%E5%93%81%201"),
        ("https://例え.jp/商品", "https://xn--r8jz45g.jp/%E5%95%86%E5%93%81"),
    ],
)
def test_one_page_has_one_address(written: str, url: str) -> None:
    assert canonical(written) == url
    assert canonical(url) == url


@pytest.mark.parametrize(
    "written",
    ["", "kettle", "ftp://shop.example/", "javascript:alert(1)", "//shop.example/", "https://", "http://u:p@shop.example/",
     "http://shop.example:x/", "http://shop.example:99999/", "http://[::1/", "https://shop.example/" + "a" * 2000,
     "https://\ud800.example/", "https://shop.example/\ud800", "https://shop.example/?\ud800",
     "https://" + "a" * 70 + ".example/"],
)  # fmt: skip
def test_what_is_no_address_of_a_page_is_refused(sqlite_app: Flask, written: str) -> None:
    assert _refused(written).startswith("Paste the address")


@pytest.mark.parametrize(
    "written", ["http://10.0.0.1/", "http://169.254.169.254/x", "http://0x0a.1/", "http://[fd00::1]/"]
)
def test_an_address_that_points_inside_is_refused(sqlite_app: Flask, written: str) -> None:
    assert "private network" in _refused(written)


def test_a_page_that_leads_inside_or_is_no_product_is_refused(sqlite_app: Flask, shop: FakeShop) -> None:
    inside = shop.answers("inside", reply(302, location="http://192.168.1.1/"))
    assert "private network" in _refused(inside)
    with later(seconds=3):
        assert "schema.org" in _refused(shop.shows("news", b"<h1>News</h1>"))
    with later(seconds=6):
        assert "no such page" in _refused(f"{shop.url}/gone")
    with later(seconds=9):
        assert "more than one way" in _refused(shop.sells("kettle", "1.980", currency="EUR"))
    assert number_of(Item) == number_of(Watch) == 0


def test_a_json_endpoint_is_watched_by_its_paths(app: Flask, shop: FakeShop) -> None:
    url = shop.answers("api", reply(200, {"data": {"price": 1980, "left": 3}}, content_type="application/json"))
    account, endpoint = shopper(), Endpoint("/data/price", "/data/left", "jpy")
    seen = preview(url, endpoint)
    with writing() as tx:
        watch(tx, account, seen.item, seen.reading, Wished(Trigger.BELOW_TARGET, target=Decimal(1500)))
    shop.answers("api", reply(200, {"data": {"price": 1400, "left": 0}}, content_type="application/json"))
    with later(seconds=3):
        assert look()["owed"] == 0, "none is left"
    shop.answers("api", reply(200, {"data": {"price": 1400, "left": 1}}, content_type="application/json"))
    with later(seconds=6):
        assert look()["owed"] == 1


@pytest.mark.parametrize("stock", ["json", "microdata"])
def test_what_is_sold_out_and_has_no_name_can_be_watched(app: Flask, shop: FakeShop, stock: str) -> None:
    endpoint = Endpoint("/price", "/left", "JPY") if stock == "json" else None
    if stock == "json":
        url = shop.answers("api", reply(200, {"price": 1980, "left": 0}, content_type="application/json"))
    else:
        url = shop.shows("kettle", SOLD_OUT)
    seen = preview(url, endpoint)
    assert (type(seen.reading), seen.silence) == (Unavailable, None)
    assert seen.currency == ("JPY" if stock == "json" else None)


SOLD_OUT = (
    b'<div itemscope itemtype="https://schema.org/Product"><p itemprop="offers" itemscope>'
    b'<link itemprop="availability" href="https://schema.org/SoldOut"></p></div>'
)


def test_paths_and_currency_of_an_endpoint_must_be_some(sqlite_app: Flask) -> None:
    with pytest.raises(InvalidInput) as refused:
        preview("https://shop.example/api", Endpoint("price", "stock", "?"))
    assert [fault.field for fault in refused.value.faults] == ["price_path", "stock_path", "currency"]


def test_a_shop_that_is_slow_can_be_watched_all_the_same_and_is_read_later(app: Flask, shop: FakeShop) -> None:
    url = shop.sells("kettle", "1980")
    shop.script_for(url, TIMEOUT)
    seen = preview(url)
    assert seen.silence is Silence.SLOW
    account = shopper()
    with writing() as tx:
        wished = read_wish("percent_drop", "", "25 %", seen.reading, None)
        made = watch(tx, account, seen.item, seen.reading, wished).id
    assert (item_now().last_price, watch_now(made).baseline) == (None, None)
    with later(minutes=1):
        look()
    assert (item_now().last_price, item_now().title, watch_now(made).baseline) == (
        Decimal(1980),
        "kettle",
        Decimal(1980),
    )


def test_the_same_wish_again_is_the_same_watch(app: Flask, shop: FakeShop) -> None:
    account, url = shopper(), shop.sells("kettle", "1980")
    first = watching(account, url, target="1500")
    with later(seconds=3):
        assert watching(account, url + "?utm_source=mail", target="1200") == first
    assert (watch_now(first).target, number_of(Watch), number_of(Item)) == (Decimal(1200), 1, 1)


@pytest.mark.parametrize(
    ("trigger", "target", "percent", "field"),
    [
        ("sometimes", "", "", "trigger"), ("below_target", "", "", "target"), ("below_target", "cheap", "", "target"),
        ("below_target", "0", "", "target"), ("below_target", "1980", "", "target"),
        ("below_target", "15.50", "", "target"), ("percent_drop", "", "0", "percent"),
        ("percent_drop", "", "100", "percent"), ("percent_drop", "", "ten", "percent"),
    ],
)  # fmt: skip
def test_what_cannot_be_waited_for_is_refused(
    sqlite_app: Flask, trigger: str, target: str, percent: str, field: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_wish(trigger, target, percent, Price(Decimal(1980), "JPY", "kettle"), "JPY")
    assert [fault.field for fault in refused.value.faults] == [field]


def test_somebody_elses_watch_is_none(app: Flask, shop: FakeShop) -> None:
    mine = watching(shopper(), shop.sells("kettle", "1980"))
    other = make_account()
    for verb in (pause, resume, remove, look_now):
        with pytest.raises(NoSuchWatchError), writing() as tx:
            verb(tx, other, mine)


def test_there_is_an_end_to_watching(app: Flask, shop: FakeShop) -> None:
    account = shopper()
    seen = preview(shop.sells("kettle", "1980"))
    with writing() as tx:
        for number in range(MOST_WATCHES):
            item = type(seen.item)(f"https://shop.example/{number}", seen.item.adapter)
            watch(tx, account, item, seen.reading, Wished(Trigger.BACK_IN_STOCK))
    with pytest.raises(InvalidInput), writing() as tx:
        watch(tx, account, seen.item, seen.reading, Wished(Trigger.BACK_IN_STOCK))


def _refused(written: str) -> str:
    with pytest.raises(InvalidInput) as refused:
        preview(written)
    return refused.value.faults[0].message
