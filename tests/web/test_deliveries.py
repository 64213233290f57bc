"""The list of deliveries."""

import re
from datetime import timedelta
from html import unescape
from urllib.parse import unquote

import pytest
from flask import Flask, url_for
from werkzeug.test import TestResponse

from app.clock import now
from app.codes import CANCELLATIONS, FAILURES, CancelReason, FailureCode
from app.kinds import KINDS
from app.outbox.models import Delivery
from app.outbox.state import State
from app.web import deliveries, words
from tests.factories import change
from tests.web.ledger import SECRET_USER, failed, shown, standing_as
from tests.web.visitor import Visitor, text_of


def test_each_row_says_what_for_whom_how_it_stands_and_why(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        failed(FailureCode.LINE_QUOTA_EXCEEDED, line_user_id=SECRET_USER)
    page = admin.get("/deliveries")
    for words_of_it in ("Probe", "髙橋 花子", "Failed", "LINE's monthly limit is used up.", "Retry"):
        assert words_of_it in text_of(page)
    assert SECRET_USER not in page.text


def test_every_state_reason_kind_and_scan_has_words() -> None:
    assert words.STATES.keys() == set(State) == words.MEANINGS.keys()
    assert FAILURES.keys() == set(FailureCode)
    assert CANCELLATIONS.keys() == set(CancelReason)
    assert words.KINDS.keys() >= KINDS.keys() - {"probe"}


@pytest.mark.parametrize(
    ("query", "finds"),
    [
        ("state=failed", ["failed"]),
        ("state=canceled", ["canceled"]),
        ("code=LINE_SERVER_ERROR", ["failed"]),
        ("code=shift_changed", ["canceled"]),
        ("kind=probe&channel=line", ["canceled", "failed"]),
        ("q=nobody", []),
        ("q=花子", []),
        ("dead=1", ["failed"]),
        ("scope=classroom:7", ["failed"]),
        ("scope=store:7", []),
        ("order=oldest", ["failed", "canceled"]),
        ("state=failed&code=shift_changed", []),
        ("from=2026-01-01&to=2026-01-31", []),
        ("from=2000-01-01", ["canceled", "failed"]),
    ],
)
def test_filters_stand_in_the_address(pages_app: Flask, admin: Visitor, query: str, finds: list[str]) -> None:
    with pages_app.app_context():
        made = {
            "failed": failed(dead_letter=True, scope="classroom:7"),
            "canceled": standing_as(state=State.CANCELED, cancel_reason=CancelReason.SHIFT_CHANGED),
        }
    page = admin.get(f"/deliveries?{query}")
    assert page.status_code == 200
    assert shown(page.text) == [made[name] for name in finds]


def test_the_last_day_of_a_period_belongs_to_it(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        made = failed()
    today = (now() + timedelta(hours=9)).date()
    assert shown(admin.get(f"/deliveries?from={today}&to={today}").text) == [made]


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("state=lost", "There is no state called lost."),
        ("kind=x", "Choose one of the list."),
        ("channel=x", "Choose one of the list."),
        ("code=X", "Choose one of the list."),
        ("from=yesterday", "Enter a date such as 2026-11-30."),
        ("to=99999-01-01", "Enter a date such as 2026-11-30."),
        ("from=0001-01-01", "Enter a date such as 2026-11-30."),
        ("from=2026-11-30&to=2026-11-29", "The last day is before the first."),
        ("dead=2", "Choose one of the list."),
        ("order=newest", "Choose one of the list."),
        ("scope=anywhere", "Choose one of the list."),
        ("person=somebody", "Whose deliveries to show was not understood."),
        ("group=0", "Whose deliveries to show was not understood."),
        ("seen=broken", "The place in the list was not understood."),
        ("cursor=broken", "The place in the list was not understood."),
        ("cursor=%F0%9F%8D%A3", "The place in the list was not understood."),
        ("cursor=MjAyNi0xMS0zMHwx", "The place in the list was not understood."),
        ("cursor=MjAyNi0xMS0zMFQwMDowMDowMCswMDowMHw5OTk5OTk5OTk5OTk5OTk5OTk5OQ", "The place in the list"),
        (f"q={'x' * 201}", "Enter at most 200 characters."),
    ],
)
def test_a_filter_that_cannot_be_read_is_explained_and_kept(
    pages_app: Flask, admin: Visitor, query: str, says: str
) -> None:
    with pages_app.app_context():
        failed()
    page = admin.get(f"/deliveries?{query}&q=kept" if "q=" not in query else f"/deliveries?{query}")
    assert page.status_code == 422
    assert says in text_of(page)
    assert shown(page.text) == []
    assert "kept" in page.text or "q=" in query


def test_a_nul_in_a_field_is_refused(admin: Visitor) -> None:
    assert admin.get("/deliveries?q=%00").status_code == 400


def test_pages_follow_each_other_without_gap_or_repetition(
    pages_app: Flask, admin: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "ROWS_PER_PAGE", 2)
    with pages_app.app_context():
        made = [failed() for _ in range(5)]
        for one in made:
            change(Delivery, one, created_at=now() - timedelta(minutes=1))
    seen, address = [], "/deliveries?state=failed"
    while address:
        page = admin.get(address).text
        seen += shown(page)
        older = re.search(r'id="older" href="([^"]+)"', page)
        address = older.group(1).replace("&amp;", "&") if older else ""
        assert not address or "state=failed" in address
    assert seen == made[::-1]


def test_tabs_count_each_state_and_keep_the_rest_of_the_filter(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        failed()
        standing_as(state=State.SENT)
    page = admin.get("/deliveries?kind=probe&state=sent").text
    assert re.search(r'href="/deliveries\?state=failed&amp;kind=probe" id="tab-failed"', page)
    assert re.search(r'id="tab-sent" aria-current="page".*?Sent <span class="figure">1<', page, re.DOTALL)
    assert re.search(r'id="tab-all".*?All <span class="figure">2<', page, re.DOTALL)


def test_an_empty_list_says_whether_nothing_was_ever_owed_or_nothing_matches(pages_app: Flask, admin: Visitor) -> None:
    assert "Nothing has been owed yet" in text_of(admin.get("/deliveries?q=x"))
    with pages_app.app_context():
        failed()
    assert "Nothing matches this filter" in text_of(admin.get("/deliveries?q=x"))


def test_a_tick_brings_the_list_alone(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        made = failed()
    part = admin.part("/deliveries")
    assert shown(part.text) == [made]
    assert "<html" not in part.text
    assert '<form class="filters"' not in part.text
    assert "HX-Request" in part.headers["Vary"]


def test_a_page_fetched_for_the_history_is_whole(admin: Visitor) -> None:
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in admin.get("/deliveries", headers=headers).text


def tick_of(page: TestResponse) -> str:
    """The address that a page asks at its next tick."""
    return tick_of_page(page.text)


def tick_of_page(page: str) -> str:
    found = re.search(r'id="deliveries" data-live hx-get="([^"]+)"', page)
    assert found is not None
    return unescape(found.group(1))


def test_what_is_new_is_announced_and_not_put_under_the_readers_eyes(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        old = failed()
    tick = tick_of(admin.get("/deliveries?state=failed"))
    assert 'id="new"' not in admin.part(tick).text
    with pages_app.app_context():
        failed()
        standing_as(state=State.SENT)
    part = admin.part(tick)
    assert shown(part.text) == [old]
    assert "Show 1 new" in text_of(part)


def test_the_first_delivery_appears_by_itself(pages_app: Flask, admin: Visitor) -> None:
    tick = tick_of(admin.get("/deliveries?kind=probe&state=failed"))
    with pages_app.app_context():
        made = failed()
    part = admin.part(tick)
    assert shown(part.text) == [made]
    assert "Show 1 new" not in text_of(part)


def test_a_row_that_has_moved_on_stays_where_it_was_and_says_so(
    pages_app: Flask, admin: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "ROWS_PER_PAGE", 3)
    with pages_app.app_context():
        made = [failed() for _ in range(4)]
    tick = tick_of(admin.get("/deliveries?state=failed"))
    with pages_app.app_context():
        change(Delivery, made[2], state=State.SENT)
    part = admin.part(tick)
    assert shown(part.text) == made[:0:-1]
    assert part.text.count("It has moved on.") == 1
    assert re.search(rf'id="delivery-{made[2]}" class="left"', part.text)
    assert 'id="older"' in part.text
    assert shown(admin.get("/deliveries?state=failed").text) == [made[3], made[1], made[0]]


@pytest.mark.parametrize("order", ["", "&order=oldest"])
def test_from_a_later_page_the_one_before_it_is_one_step_away(
    pages_app: Flask, admin: Visitor, monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    monkeypatch.setattr(deliveries, "ROWS_PER_PAGE", 2)
    with pages_app.app_context():
        for _one in range(7):
            failed()

    def step(page: str, which: str) -> str:
        link = re.search(rf'id="{which}" href="([^"]+)"', page)
        assert link is not None
        return admin.get(unescape(link.group(1))).text

    pages = [admin.get(f"/deliveries?state=failed{order}").text]
    for _one in range(3):
        pages.append(step(pages[-1], "older"))
    page = pages[-1]
    for expected in (pages[2], pages[1], pages[0]):
        page = step(page, "previous")
        assert shown(page) == shown(expected)
    assert 'id="previous"' not in pages[0]
    assert shown(admin.part(tick_of_page(page)).text) == shown(page)


def test_the_oldest_first_goes_on_to_the_newer_ones(
    pages_app: Flask, admin: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "ROWS_PER_PAGE", 2)
    with pages_app.app_context():
        made = [failed() for _ in range(3)]
    first = admin.get("/deliveries?order=oldest")
    assert shown(first.text) == made[:2]
    assert shown(admin.part(tick_of(first)).text) == made[:2]
    newer = re.search(r'id="older" href="([^"]+)"', first.text)
    assert newer is not None
    assert shown(admin.get(unescape(newer.group(1))).text) == made[2:]


def test_acts_stand_only_where_they_are_allowed(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        rows = {
            "failed": failed(),
            "old key": failed(retry_key_used_at=now() - timedelta(hours=25)),
            "retry": standing_as(state=State.RETRY),
            "queued": standing_as(state=State.QUEUED),
            "sending": standing_as(state=State.SENDING),
            "sent": standing_as(state=State.SENT),
        }
    page = admin.get("/deliveries").text
    acts = {name: (f'id="retry-{one}"' in page, f'id="cancel-{one}"' in page) for name, one in rows.items()}
    assert acts == {
        "failed": (True, False), "old key": (True, False), "retry": (True, True), "queued": (False, True),
        "sending": (False, False), "sent": (False, False),
    }  # fmt: skip
    assert page.count("Retry with a new key") == 1


def test_the_addresses_of_a_row_are_those_of_the_delivery(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one, other = failed(), standing_as(state=State.RETRY)
    with pages_app.test_request_context():
        page, retry = (url_for(name, delivery_id=one) for name in ("delivery.show", "delivery_acts.retry"))
        back = f"/deliveries#delivery-{other}"
        cancel = url_for("delivery_acts.ask_cancel", delivery_id=other, next=back)
    addresses = [unescape(found) for found in re.findall(r'(?:href|action)="([^"]+)"', admin.get("/deliveries").text)]
    for address in (page, retry):
        assert address in addresses
    assert unquote(cancel) in map(unquote, addresses)


def test_a_search_goes_on_working_on_every_tab_whatever_else_narrows_it(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        made = failed(dead_letter=True)
    for tab in State:
        page = admin.get(f"/deliveries?q={made}&dead=1&state={tab}")
        assert page.status_code == 200, tab
        assert shown(page.text) == ([made] if tab is State.FAILED else [])


def test_what_comes_after_the_first_delivery_is_announced_and_not_put_under_the_readers_eyes(
    pages_app: Flask, admin: Visitor
) -> None:
    """A list that was empty when it was opened, as that of failures is before an outage."""
    page = admin.get("/deliveries?kind=probe&state=failed")
    tick = tick_of(page)
    with pages_app.app_context():
        first = failed()
    part = admin.part(tick)
    assert shown(part.text) == [first]
    with pages_app.app_context():
        failed()
    part = admin.part(tick_of(part) if "data-live" in part.text else tick)
    assert shown(part.text) == [first]
    assert "Show 1 new" in text_of(part)


def test_what_fails_late_and_was_made_before_the_last_row_slips_neither_in_nor_out_under_a_finger(
    pages_app: Flask, admin: Visitor
) -> None:
    """A short list of failures in an outage: those made half an hour ago run out of tries while it is looked at."""
    with pages_app.app_context():
        older = [
            standing_as(state=State.RETRY, created_at=now() - timedelta(minutes=minutes)) for minutes in (30, 20, 10)
        ]
        first = failed()
    tick = tick_of(admin.get("/deliveries?state=failed"))
    for one in older:
        with pages_app.app_context():
            change(Delivery, one, state=State.FAILED, failure_code=FailureCode.LINE_TIMEOUT, finished_at=now())
        assert shown(admin.part(tick).text) == [first]
