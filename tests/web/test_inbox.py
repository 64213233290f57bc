"""The inbox as a page: by day, by box, page by page, and what a tick brings."""

import re
from base64 import urlsafe_b64encode
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from flask import Flask
from sqlalchemy import event, update

from app.accounts.models import Account
from app.clock import now
from app.extensions import db
from app.inbox.models import Notification
from app.transaction import writing
from tests.factories import change, make_account
from tests.inbox.inboxes import make_device, tell
from tests.web.letters import told
from tests.web.visitor import Visitor, text_of

pytestmark = pytest.mark.usefixtures("greetings")


def titles(page: str) -> list[str]:
    """The titles on a page, from the top down."""
    return re.findall(r'class="visually-hidden">Select: (.*?)</span>', page)


def filled(app: Flask, visitor: Visitor, number: int) -> None:
    """So many notifications, all of one instant."""
    assert visitor.account_id is not None
    with app.app_context():
        for one in range(number):
            tell(make_account(name=f"n{one}"), visitor.account_id)
        with writing() as tx:
            tx.session.execute(update(Notification).values(created_at=now()))


def field(page: str, name: str) -> str:
    """What a hidden field of the list holds."""
    found = re.search(rf'name="{name}" id="{name}" value="([^"]+)"', page)
    return found.group(1) if found else ""


@pytest.mark.parametrize(("language", "days"), [("en", ["Today", "Yesterday", "Sun 15 Nov"]),
                                                ("ja", ["今日", "昨日", "11月15日(日)"])])  # fmt: skip
def test_days_are_those_of_the_house_in_the_readers_language(
    pages_app: Flask, member: Visitor, language: str, days: list[str]
) -> None:
    with time_machine.travel(datetime(2026, 11, 17, 15, 30, tzinfo=UTC), tick=False):  # 00:30 on the 18th in Tokyo
        for ago in (timedelta(minutes=20), timedelta(minutes=40), timedelta(days=3)):
            told(pages_app, member, ago=ago)
        reader = Visitor(pages_app, member.account_id, language)
        assert re.findall(r'<li class="day".*?<h2>(.*?)</h2>', reader.get("/inbox").text) == days


def test_unread_is_bold_with_a_dot_and_a_word_and_counts_on_every_page(pages_app: Flask, staff: Visitor) -> None:
    told(pages_app, staff, "田中")
    told(pages_app, staff, "鈴木", read_at=now())
    page = staff.get("/inbox").text
    assert page.count('class="dot"') == page.count("Unread: </span>") == page.count('class="letter unread"') == 1
    assert "<title>(1) Inbox · Todoke</title>" in page
    assert 'data-unread="1"' in staff.get("/shifts").text
    assert "<title>(1) Shifts" in staff.get("/shifts").text


def test_the_badge_stops_at_ninety_nine(pages_app: Flask, member: Visitor) -> None:
    filled(pages_app, member, 101)
    assert "<title>(99+) Inbox" in member.get("/inbox").text


def test_a_page_asks_once_for_the_badge(pages_app: Flask, member: Visitor) -> None:
    told(pages_app, member)
    asked: list[str] = []

    def heard(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if statement != "BEGIN":
            asked.append(statement)

    with pages_app.app_context():
        event.listen(db.engine, "before_cursor_execute", heard)
    member.get("/inbox")
    assert len([one for one in asked if "count(" in one]) == 1
    assert len(asked) == 5  # who it is, the badge and its kinds, the list, its texts


def test_the_boxes_hold_what_they_say(pages_app: Flask, member: Visitor) -> None:
    told(pages_app, member, "read", read_at=now(), ago=timedelta(minutes=1))
    told(pages_app, member, "waiting", ago=timedelta(minutes=2))
    told(pages_app, member, "away", archived_at=now())
    assert titles(member.get("/inbox").text) == ["read", "waiting"]
    assert titles(member.get("/inbox?box=unread").text) == ["waiting"]
    assert titles(member.get("/inbox?box=archived").text) == ["away"]
    assert titles(member.get("/inbox?q=WAIT").text) == ["waiting"]


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/inbox", "Nothing waits for you Announcements, and notifications about stores"),
        ("/inbox", "Shifts come by LINE."),
        ("/inbox?box=unread", "Everything is read"),
        ("/inbox?box=archived", "Nothing is archived"),
        ("/inbox?q=x", "Nothing matches this search"),
    ],
)
def test_an_empty_list_says_why(member: Visitor, address: str, words: str) -> None:
    assert words in text_of(member.get(address))


def test_an_empty_inbox_leads_to_the_devices_of_whoever_has_none(pages_app: Flask, member: Visitor) -> None:
    offer = "Get these on this phone or computer, too"
    assert offer in text_of(member.get("/inbox"))
    assert offer not in text_of(member.get("/inbox?box=unread"))
    assert member.account_id is not None
    with pages_app.app_context():
        make_device(member.account_id)
    assert offer not in text_of(member.get("/inbox"))


def test_a_search_that_is_too_long_and_a_broken_place_are_explained(member: Visitor) -> None:
    too_long = "Enter at most 200 characters."
    no_place = "The place in the list was not understood. Start at the newest."
    for address, said in ((f"/inbox?q={'x' * 201}", too_long), ("/inbox?cursor=broken", no_place)):
        answer = member.get(address)
        assert answer.status_code == 422
        assert f'<div class="notice problem" role="alert">\n  <p>{said}</p>' in answer.text


@pytest.mark.parametrize("instant", ["0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59+00:00"])
@pytest.mark.parametrize("path", ["/inbox", "/deliveries", "/inquiries", "/conversations"])
def test_a_place_at_an_end_of_the_calendar_is_as_broken_as_any(admin: Visitor, path: str, instant: str) -> None:
    word = urlsafe_b64encode(f"{instant}|1".encode()).decode().rstrip("=")
    for answer in (admin.get(f"{path}?cursor={word}&above=1"), admin.part(f"{path}?cursor={word}&above=1")):
        assert answer.status_code == (422 if path in ("/inbox", "/deliveries") else 400)


def test_pages_of_one_instant_neither_skip_nor_repeat_while_rows_vanish(pages_app: Flask, member: Visitor) -> None:
    filled(pages_app, member, 120)
    page, seen = member.get("/inbox").text, list[str]()
    for _ in range(3):
        seen += titles(page)
        with pages_app.app_context(), writing() as tx:  # the row that the next page begins after is put away
            last = int(re.findall(r'id="n-(\d+)"', page)[-1])
            tx.session.execute(update(Notification).where(Notification.id == last).values(archived_at=now()))
        address = re.search(r'id="load-more" href="([^"]+)"', page)
        if address is not None:
            page = member.get(address.group(1)).text
    assert sorted(seen, key=lambda one: int(one[1:])) == [f"n{one}" for one in range(120)]


def test_more_is_put_under_the_list_without_a_second_heading(pages_app: Flask, member: Visitor) -> None:
    filled(pages_app, member, 60)
    address = re.search(r'id="load-more".*?hx-get="([^"]+)"', member.get("/inbox").text)
    assert address is not None
    more = member.part(address.group(1).replace("&amp;", "&")).text
    assert len(titles(more)) == 10
    assert 'class="day"' not in more
    assert "<html" not in more


def test_a_tick_shows_what_is_on_the_screen_and_announces_the_rest(pages_app: Flask, member: Visitor) -> None:
    filled(pages_app, member, 60)
    page = member.get("/inbox").text
    told(pages_app, member, "new")
    tick = member.part(f"/inbox?seen={field(page, 'seen')}&through={field(page, 'through')}").text
    assert titles(tick) == titles(page)
    assert "Show 1 new" in tick
    assert 'data-unread="61"' in tick
    assert titles(member.part("/inbox").text)[0] == "new"


def test_what_comes_into_an_empty_inbox_is_shown_at_once(pages_app: Flask, member: Visitor) -> None:
    assert field(member.get("/inbox").text, "seen") == ""
    told(pages_app, member, "first")
    assert titles(member.part("/inbox").text) == ["first"]


def test_what_may_no_longer_be_read_leaves_list_badge_and_search(pages_app: Flask, member: Visitor) -> None:
    one = told(pages_app, member, "secret")
    with pages_app.app_context():
        change(Account, db.session.get_one(Notification, one).subject_id, active=False)
    for address in ("/inbox", "/inbox?box=unread", "/inbox?q=secret"):
        page = member.get(address).text
        assert titles(page) == []
        assert 'data-unread=""' in page


def test_the_bar_of_a_phone_keeps_five_places_and_the_inbox_among_them(admin: Visitor) -> None:
    page = admin.get("/inbox").text
    bar = re.findall(r'<li(?: class="(\w+)")?><a href="([^"]+)"', page.partition('class="fold"')[0])
    assert [path for folded, path in bar if not folded] == ["/overview", "/deliveries", "/shifts", "/inbox"]
    assert [path for folded, path in bar if folded] == [
        "/publications", "/inquiries", "/announcements", "/stores", "/watches", "/settings/notifications",
    ]  # fmt: skip
