"""The list of deliveries."""

import re
from datetime import timedelta

import pytest
from flask import Flask

from app.clock import now
from app.codes import CANCELLATIONS, FAILURES, CancelReason, FailureCode
from app.kinds import KINDS
from app.outbox.models import Delivery
from app.outbox.state import State
from app.web import deliveries, words
from tests.factories import change
from tests.web.ledger import SECRET_USER, failed, standing_as
from tests.web.visitor import Visitor, text_of


def shown(page: str) -> list[int]:
    """The ids of the rows of a page, from top to bottom."""
    return [int(number) for number in re.findall(r'<tr id="delivery-(\d+)"', page)]


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
        ("q=花子", ["canceled", "failed"]),
        ("q=nobody", []),
        ("state=failed&code=shift_changed", []),
        ("from=2026-01-01&to=2026-01-31", []),
        ("from=2000-01-01", ["canceled", "failed"]),
    ],
)
def test_filters_stand_in_the_address(pages_app: Flask, admin: Visitor, query: str, finds: list[str]) -> None:
    with pages_app.app_context():
        made = {
            "failed": failed(),
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
    page = admin.get("/deliveries?q=花子&state=sent").text
    assert re.search(r'href="/deliveries\?state=failed&amp;q=%E8%8A%B1%E5%AD%90" id="tab-failed"', page)
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


def test_what_is_new_is_announced_and_not_put_under_the_readers_eyes(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        old = failed()
        opened = now()
        failed()
    part = admin.get("/deliveries", query_string={"seen": opened.isoformat()})
    assert shown(part.text) == [old]
    assert "Show 1 new" in text_of(part)


def test_the_first_delivery_appears_by_itself(pages_app: Flask, admin: Visitor) -> None:
    opened = now()
    with pages_app.app_context():
        made = failed()
    assert shown(admin.get("/deliveries", query_string={"seen": opened.isoformat()}).text) == [made]


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


@pytest.mark.parametrize("seen", ["9999-12-31T23:59:59-10:00", "0001-01-01T00:00:00+10:00", "x"])
def test_an_instant_that_utc_cannot_hold_is_no_fault_of_ours(admin: Visitor, seen: str) -> None:
    assert admin.get("/deliveries", query_string={"seen": seen}).status_code < 500
