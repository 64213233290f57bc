"""The list of watches, the page of each, and what a person does with them."""

import re
from datetime import date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from flask import Flask

from app.clock import now
from app.codes import CancelReason, FailureCode
from app.outbox.models import Delivery
from app.outbox.state import State
from app.sources.prices.models import Finding, Item, Said, Watch
from app.transaction import writing
from tests.factories import all_deliveries, change, only_delivery
from tests.fakes.shop import FakeShop
from tests.fixtures.background import later
from tests.inbox.inboxes import make_device
from tests.plans import hearing
from tests.sources.prices.town import item_now, look, watch_now
from tests.web.visitor import Visitor, text_of
from tests.web.watches.shopping import watched


def fell(app: Flask, shop: FakeShop, price: str = "1400", seconds: int = 3) -> None:
    """The shop has the kettle for less, and detection sees it."""
    shop.sells("kettle", price)
    with app.app_context(), later(seconds=seconds):
        look()


def test_whoever_watches_nothing_is_told_how_to_begin(member: Visitor) -> None:
    page = member.get("/watches")
    assert "You watch nothing yet" in text_of(page)
    assert 'href="/watches/new"' in page.text


def test_a_watch_stands_in_the_list_with_its_price_and_what_it_waits_for(
    pages_app: Flask, member: Visitor, shop: FakeShop
) -> None:
    made = watched(pages_app, member, shop)
    fell(pages_app, shop, "1700")
    page = member.get("/watches")
    assert f'href="/watches/{made}"' in page.text
    for words in ("kettle", "¥1,700", "¥1,500 or less", "Watching"):
        assert words in text_of(page)
    assert "<path d=" in page.text
    part = member.part("/watches").text
    assert "<html" not in part
    assert "¥1,700" in part


def test_however_many_are_watched_the_list_asks_as_much(pages_app: Flask, member: Visitor, shop: FakeShop) -> None:
    asked = []
    for name in ("kettle", "pan", "bag"):
        watched(pages_app, member, shop, name=name)
        with pages_app.app_context(), hearing() as heard:
            assert name in member.get("/watches").text
        asked.append(sum(statement.count("SELECT") for statement, _ in heard))
    assert asked[0] == asked[1] == asked[2] <= 12


def test_it_is_read_in_japanese_as_well(pages_app: Flask, shop: FakeShop, member: Visitor) -> None:
    assert member.account_id is not None
    made = watched(pages_app, member, shop)
    reader = Visitor(pages_app, member.account_id, "ja")
    assert "￥1,500以下" in text_of(reader.get("/watches"))
    assert "送信したものと、見送ったもの" in text_of(reader.get(f"/watches/{made}"))


def test_the_history_is_a_picture_with_a_table_behind_it(pages_app: Flask, member: Visitor, shop: FakeShop) -> None:
    made = watched(pages_app, member, shop)
    with pages_app.app_context():
        look_again_with(shop, "1980", 3)
        look_again_with(shop, "1700", 6)
        look_again_with(shop, None, 9)
        look_again_with(shop, "1800", 12)
    page = member.get(f"/watches/{made}").text
    table = re.findall(r'<td class="number">([^<]+)</td>', page)
    assert table == ["¥1,800", "Out of stock", "¥1,700", "¥1,980"]
    assert re.findall(r"<span>(¥[^<]+)</span>", page) == ["¥1,980", "¥1,500"], "from the highest price to the limit"
    assert "Waits for: ¥1,500 or less" in page
    (drawn,) = re.findall(r'</title>\s+<line[^>]+>\s+<path d="([^"]+)"', page)
    assert drawn.count("M") == 2, "there is a gap while it was sold out"
    assert "From ¥1,700 to ¥1,980" in page


def look_again_with(shop: FakeShop, price: str | None, seconds: int) -> None:
    """Some time later it costs this."""
    shop.sells("kettle", price, stock="InStock" if price else "OutOfStock")
    with later(seconds=seconds):
        look()


def test_what_was_sent_and_what_was_rightly_not_sent_stand_on_its_page_with_reasons(
    pages_app: Flask, member: Visitor, shop: FakeShop
) -> None:
    assert member.account_id is not None
    made = watched(pages_app, member, shop)
    with pages_app.app_context():
        make_device(member.account_id, name="Chrome · Android")
    fell(pages_app, shop)
    with pages_app.app_context():
        delivery = only_delivery().id
        ended(delivery, State.CANCELED, cancel_reason=CancelReason.CONDITION_LOST)
    page = text_of(member.get(f"/watches/{made}"))
    assert "Sent: 0. Rightly not sent: 1." in page
    assert "Right before sending, what you wait for was no longer so, or you knew it already." in page
    assert "Chrome · Android" in page
    with pages_app.app_context():
        ended(delivery, State.SENT, cancel_reason=None)
        with writing() as tx:
            finding = tx.session.query(Finding).one().id
            said = Said(delivery_id=delivery, finding_id=finding, price=Decimal(1350), currency="JPY", read_at=now())
            tx.session.add(said)
    page = text_of(member.get(f"/watches/{made}"))
    assert "Sent: 1. Rightly not sent: 0." in page
    assert "It said ¥1,350, as of " in page


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"state": State.CANCELED, "cancel_reason": CancelReason.LISTING_PAUSED}, "You paused the watch before"),
        ({"state": State.CANCELED, "cancel_reason": CancelReason.BY_OPERATOR}, "It was not sent."),
        ({"state": State.FAILED, "failure_code": FailureCode.LINE_UNAUTHORIZED}, "It could not be delivered, or it is"),
        ({"state": State.FAILED, "failure_code": FailureCode.REFETCH_UNREACHABLE}, "The shop could not be asked right"),
    ],
)
def test_why_something_was_not_sent_is_said_to_who_watches_and_not_to_an_operator(
    pages_app: Flask, member: Visitor, shop: FakeShop, values: dict[str, object], says: str
) -> None:
    made, delivery = _told_of(pages_app, member, shop)
    with pages_app.app_context():
        change(Delivery, delivery, finished_at=now(), next_attempt_at=None, **values)
    page = text_of(member.get(f"/watches/{made}"))
    assert says in page
    assert "LINE_CHANNEL_ACCESS_TOKEN" not in page
    assert "operator" not in page
    assert "It goes on at" not in page


def test_what_waits_for_another_try_says_when_it_goes_on(pages_app: Flask, member: Visitor, shop: FakeShop) -> None:
    made, delivery = _told_of(pages_app, member, shop)
    at = now() + timedelta(minutes=4)
    with pages_app.app_context():
        change(Delivery, delivery, state=State.RETRY, failure_code="REFETCH_UNREACHABLE", next_attempt_at=at)
    clock = at.astimezone(ZoneInfo("Asia/Tokyo"))
    page = text_of(member.get(f"/watches/{made}"))
    assert re.search(rf"right before sending\. It goes on at [^.]*{clock:%M}", page)


def test_all_that_was_sent_is_counted_though_only_the_newest_is_listed(
    pages_app: Flask, member: Visitor, shop: FakeShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, first = _told_of(pages_app, member, shop)
    monkeypatch.setattr("app.web.watch.DELIVERIES", 1)
    assert "Here are the newest" not in text_of(member.get(f"/watches/{made}"))
    with pages_app.app_context():
        ended(first, State.SENT, dedup_key="of another day")
        with writing() as tx:
            tx.session.query(Finding).update({"local_day": date(2020, 1, 1)})
        fell(pages_app, shop, "1300", seconds=6)
        second = all_deliveries()[-1].id
        ended(second, State.SENT)
    page = member.get(f"/watches/{made}")
    assert "Sent: 2. Rightly not sent: 0. Here are the newest 1." in text_of(page)
    assert page.text.count('id="delivery-') == 1


def _told_of(app: Flask, member: Visitor, shop: FakeShop) -> tuple[int, int]:
    """A watch, and the delivery that tells of it."""
    assert member.account_id is not None
    made = watched(app, member, shop)
    with app.app_context():
        make_device(member.account_id)
    fell(app, shop)
    with app.app_context():
        return made, only_delivery().id


def ended(delivery: int, state: State, **values: object) -> None:
    """The delivery ended so."""
    change(Delivery, delivery, state=state, finished_at=now(), next_attempt_at=None, **values)


def test_only_who_may_see_deliveries_gets_links_to_them(
    pages_app: Flask, member: Visitor, staff: Visitor, shop: FakeShop
) -> None:
    found = {}
    for visitor in (member, staff):
        assert visitor.account_id is not None
        found[visitor] = watched(pages_app, visitor, shop, name=f"kettle-{visitor.account_id}")
        with pages_app.app_context():
            make_device(visitor.account_id)
    with pages_app.app_context(), later(seconds=3):
        for visitor in found:
            shop.sells(f"kettle-{visitor.account_id}", "1400")
        assert look()["owed"] == 2
    assert 'href="/deliveries/' not in member.get(f"/watches/{found[member]}").text
    assert 'href="/deliveries/' in staff.get(f"/watches/{found[staff]}").text


@pytest.mark.parametrize(
    ("standing", "words"),
    [
        ({"unreadable_since": now(), "unreadable_why": "no_product"}, "Cannot be read"),
        ({"failing_since": now() - timedelta(days=2), "failures": 9}, "Gives no answer"),
        ({"in_stock": False}, "Out of stock"),
        ({"read_at": None, "last_price": None, "in_stock": None}, "Not read yet"),
    ],
)
def test_how_it_stands_is_said(
    pages_app: Flask, member: Visitor, shop: FakeShop, standing: dict[str, object], words: str
) -> None:
    made = watched(pages_app, member, shop)
    with pages_app.app_context():
        change(Item, item_now().id, **standing)
    assert words in text_of(member.get("/watches"))
    assert words in text_of(member.get(f"/watches/{made}"))


def test_why_a_page_cannot_be_read_stands_on_its_page(pages_app: Flask, member: Visitor, shop: FakeShop) -> None:
    made = watched(pages_app, member, shop)
    shop.shows("kettle", b"<h1>A new form</h1>")
    with pages_app.app_context(), later(seconds=3):
        look()
    page = text_of(member.get(f"/watches/{made}"))
    assert "The page does not say in schema.org's words what it sells and for how much." in page
    assert "Watching goes on by itself" in page


def test_a_shop_that_gave_no_answer_once_is_said_so(pages_app: Flask, member: Visitor, shop: FakeShop) -> None:
    made = watched(pages_app, member, shop)
    with pages_app.app_context():
        change(Item, item_now().id, failing_since=now() - timedelta(minutes=2), failures=1)
    page = text_of(member.get(f"/watches/{made}"))
    assert "The shop gave no answer when it was last asked." in page
    assert "Gives no answer" not in page


def test_why_nothing_more_is_sent_today_is_said(pages_app: Flask, member: Visitor, shop: FakeShop) -> None:
    assert member.account_id is not None
    made = watched(pages_app, member, shop)
    with pages_app.app_context():
        make_device(member.account_id)
    fell(pages_app, shop)
    address = f"/watches/{made}"
    with pages_app.app_context():
        ended(only_delivery().id, State.CANCELED, cancel_reason=CancelReason.CONDITION_LOST)
    assert "there is one message a day at most" in text_of(member.get(address))
    with pages_app.app_context():
        change(Finding, 1, local_day=date(2020, 1, 1))
    assert "there is one message a day at most" not in text_of(member.get(address))
    with pages_app.app_context():
        change(Finding, 1, local_day=datetime.now(ZoneInfo("Asia/Tokyo")).date())
    fell(pages_app, shop, "1980")
    assert "there is one message a day at most" not in text_of(member.get(address))


def test_since_when_a_shop_gives_no_answer_stands_on_its_page(
    pages_app: Flask, member: Visitor, shop: FakeShop
) -> None:
    made = watched(pages_app, member, shop)
    with pages_app.app_context():
        change(Item, item_now().id, failing_since=now() - timedelta(days=2), failures=9)
    assert "The shop has given no answer since" in text_of(member.get(f"/watches/{made}"))


def test_what_was_told_last_is_said(pages_app: Flask, member: Visitor, shop: FakeShop) -> None:
    made = watched(pages_app, member, shop)
    with pages_app.app_context():
        told = {"last_notified_price": Decimal(1400), "last_notified_trigger": "below_target"}
        change(Watch, made, last_notified_at=now(), **told)
        change(Item, item_now().id, last_price=Decimal(1400))
    page = text_of(member.get(f"/watches/{made}"))
    assert "Told, and still so" in page
    assert "¥1,400, " in page
    with pages_app.app_context():
        change(Watch, made, target=Decimal(1200))
    assert "Told, and still so" not in text_of(member.get(f"/watches/{made}")), "another wish, which is not so"


def test_pausing_and_resuming_lead_back_to_where_the_button_was(
    pages_app: Flask, member: Visitor, shop: FakeShop
) -> None:
    made = watched(pages_app, member, shop)
    paused = member.post(f"/watches/{made}/pause", place="list")
    assert (paused.status_code, paused.location) == (303, f"/watches#watch-{made}")
    page = text_of(member.get("/watches"))
    assert "The watch is paused." in page
    assert "Resume" in page
    assert "Look now" not in text_of(member.get(f"/watches/{made}"))
    member.post(f"/watches/{made}/pause")
    assert "It was paused." in text_of(member.get("/watches"))
    resumed = member.post(f"/watches/{made}/resume", place="page")
    assert resumed.location == f"/watches/{made}"
    assert "The watch goes on." in text_of(member.get(resumed.location))
    member.post(f"/watches/{made}/resume")
    assert "It was not paused." in text_of(member.get("/watches"))


def test_removing_is_asked_first(pages_app: Flask, member: Visitor, staff: Visitor, shop: FakeShop) -> None:
    made = watched(pages_app, member, shop)
    assert "It cannot be undone" in text_of(member.get(f"/watches/{made}/remove"))
    with pages_app.app_context():
        assert watch_now(made).removed_at is None
    removed = member.post(f"/watches/{made}/remove")
    assert removed.location == "/watches"
    assert "The watch was removed." in text_of(member.get("/watches"))
    assert member.get(f"/watches/{made}").location == "/watches", "a push that told of it leads there"
    assert "you removed the watch" in text_of(member.get("/watches"))
    assert member.part(f"/watches/{made}").status_code == 404
    assert staff.get(f"/watches/{made}").status_code == 404


def test_looking_now_makes_the_item_due(pages_app: Flask, member: Visitor, shop: FakeShop) -> None:
    made = watched(pages_app, member, shop)
    with pages_app.app_context():
        change(Item, item_now().id, next_look_at=now() + timedelta(hours=1))
    assert member.post(f"/watches/{made}/look").location == f"/watches/{made}"
    with pages_app.app_context():
        due = item_now().next_look_at
        assert due is not None
        assert due <= now()


def test_somebody_elses_watch_is_not_there(pages_app: Flask, member: Visitor, admin: Visitor, shop: FakeShop) -> None:
    made = watched(pages_app, member, shop)
    assert "You watch nothing yet" in text_of(admin.get("/watches"))
    assert [admin.get(f"/watches/{made}{end}").status_code for end in ("", "/remove")] == [404, 404]
    acts = ("look", "pause", "resume", "remove")
    assert {admin.post(f"/watches/{made}/{act}").status_code for act in acts} == {404}
    with pages_app.app_context():
        assert watch_now(made).removed_at is watch_now(made).paused_at is None


def test_a_guest_is_not_told_of_line(pages_app: Flask, guest: Visitor, shop: FakeShop) -> None:
    made = watched(pages_app, guest, shop)
    page = text_of(guest.get(f"/watches/{made}"))
    assert "You would not be told: no device of yours gets notifications about prices. What happens to a price" in page


def test_a_watch_that_is_paused_before_it_was_looked_at_promises_no_look(
    pages_app: Flask, member: Visitor, shop: FakeShop
) -> None:
    made = watched(pages_app, member, shop)
    assert "It begins with the first look, within a few minutes." in text_of(member.get(f"/watches/{made}"))
    member.post(f"/watches/{made}/pause")
    assert "It begins with the first look, once you resume the watch." in text_of(member.get(f"/watches/{made}"))


def test_what_nobody_has_read_yet_is_known_by_its_address(pages_app: Flask, member: Visitor, shop: FakeShop) -> None:
    made = watched(pages_app, member, shop)
    with pages_app.app_context():
        change(Item, item_now().id, title=shop.url.removeprefix("http://"))
    assert f"{shop.url.removeprefix('http://')}/kettle" in text_of(member.get("/watches"))
    assert text_of(member.get(f"/watches/{made}"))


def test_whoever_has_a_device_is_not_warned(pages_app: Flask, member: Visitor, shop: FakeShop) -> None:
    assert member.account_id is not None
    made = watched(pages_app, member, shop)
    pages = ("/watches", f"/watches/{made}")
    assert all("You would not be told" in text_of(member.get(page)) for page in pages)
    with pages_app.app_context():
        make_device(member.account_id)
    assert not any("You would not be told" in text_of(member.get(page)) for page in pages)


def test_the_navigation_leads_there(member: Visitor) -> None:
    assert re.search(r'<a href="/watches" aria-current="page">', member.get("/watches").text)
