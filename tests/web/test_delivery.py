"""The page of one delivery."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from app import audit
from app.audit import Actor
from app.clock import now
from app.codes import CancelReason, FailureCode
from app.i18n import exact, zone
from app.outbox.models import Delivery
from app.outbox.state import AttemptOutcome, State, Trigger
from app.reach.quiet_hours import set_quiet_hours
from app.transaction import writing
from tests.factories import change, delivery, make_account
from tests.web.ledger import KEY, SECRET_USER, failed, pushed, standing_as, tried
from tests.web.visitor import Visitor, text_of


@pytest.mark.parametrize(
    "number", ["1", "0", "9223372036854775807", "9223372036854775808", "99999999999999999999", "x"]
)
def test_an_unknown_delivery_is_not_found(admin: Visitor, number: str) -> None:
    assert admin.get(f"/deliveries/{number}").status_code == 404


def test_the_timeline_tells_tries_and_acts_in_the_order_they_happened(pages_app: Flask, admin: Visitor) -> None:
    start = now() - timedelta(hours=1)
    with pages_app.app_context():
        one = failed(created_at=start)
        change(Delivery, one, created_at=start)
        tried(one, 1, started_at=start + timedelta(minutes=1), detail="Internal Server Error")
        with writing() as tx:
            audit.note(tx, Actor(None, "Aoki"), "rotate_key", ("delivery", one), {"new_key": True, "may_double": True})
        lost = {"outcome": AttemptOutcome.LOST, "code": FailureCode.WORKER_LOST, "trigger": Trigger.MANUAL}
        tried(one, 2, started_at=now() + timedelta(seconds=1), **lost)
    page = text_of(admin.get(f"/deliveries/{one}")).partition("What happened")[2]
    told = ["The delivery was created.", "Try 1, automatic", "LINE answered with an error of its own",
            "Internal Server Error", "Aoki rotated the key and retried",
            "A second copy was possible, and this was confirmed.",
            "Try 2, by an operator", "It may have arrived."]  # fmt: skip
    assert [page.index(sentence) for sentence in told] == sorted(page.index(sentence) for sentence in told)


def test_what_the_command_line_did_is_told_in_the_language_of_the_page(pages_app: Flask) -> None:
    with pages_app.app_context():
        one = failed()
        with writing() as tx:
            audit.note(tx, audit.COMMAND_LINE, "retry", ("delivery", one))
        reader = Visitor(pages_app, make_account("admin"), "ja")
    assert "コマンドライン" in text_of(reader.get(f"/deliveries/{one}"))


def test_an_open_try_is_under_way(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = standing_as(state=State.SENDING, attempts=1)
        tried(one, outcome=None, finished_at=None, code=None, http_status=None, duration_ms=None)
    assert "It is under way." in text_of(admin.get(f"/deliveries/{one}"))


def test_a_copy_that_line_had_already_is_told_as_sent(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = standing_as(state=State.SENT, already_accepted=True, attempts=2)
        tried(one, 2, outcome=AttemptOutcome.ALREADY_ACCEPTED, code=None, http_status=409)
    page = text_of(admin.get(f"/deliveries/{one}"))
    assert "LINE had already accepted it (409): an earlier try had arrived after all." in page
    assert "there was no second copy" in page


def test_no_page_shows_a_line_id_or_a_whole_retry_key(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed(line_user_id=SECRET_USER)
        tried(one)
    for path in (f"/deliveries/{one}", f"/deliveries/{one}/rotate-key", "/deliveries", "/overview"):
        page = admin.get(path).text
        assert SECRET_USER not in page
        assert KEY not in page
    assert f"…{KEY[-6:]}" in admin.get(f"/deliveries/{one}").text


@pytest.mark.parametrize(
    ("used", "says"),
    [
        (timedelta(hours=1), "LINE recognises it for another 22 hours."),
        (timedelta(hours=23, minutes=30), "LINE recognises it for another 29 minutes."),
        (timedelta(hours=25), "LINE has forgotten it: it is older than 24 hours."),
        (None, "It has not been used yet."),
    ],
)
def test_the_retry_key_says_how_long_it_is_good(
    pages_app: Flask, admin: Visitor, used: timedelta | None, says: str
) -> None:
    with pages_app.app_context():
        one = failed(retry_key_used_at=now() - used - timedelta(seconds=1) if used else None)
    assert says in text_of(admin.get(f"/deliveries/{one}"))


@pytest.mark.parametrize("state", list(State))
def test_each_state_has_its_own_words(pages_app: Flask, admin: Visitor, state: State) -> None:
    with pages_app.app_context():
        code = FailureCode.LINE_RATE_LIMITED if state is State.FAILED else None
        reason = CancelReason.SHIFT_CHANGED if state is State.CANCELED else None
        one = standing_as(state=state, failure_code=code, cancel_reason=reason)
    assert admin.get(f"/deliveries/{one}").status_code == 200


def test_a_delivery_of_an_older_version_is_still_readable(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed()
        change(Delivery, one, kind="no_longer_made", failure_code="NO_LONGER_USED")
    page = text_of(admin.get(f"/deliveries/{one}"))
    assert "no_longer_made" in page
    assert "NO_LONGER_USED" in page


def test_the_page_asks_again_until_the_delivery_has_come_to_rest(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = standing_as(state=State.SENDING)
        assert 'hx-trigger="app:tick from:body"' in admin.part(f"/deliveries/{one}").text
        assert 'id="refresh"' in admin.get(f"/deliveries/{one}").text
        change(Delivery, one, state=State.SENT)
    assert "hx-trigger" not in admin.part(f"/deliveries/{one}").text
    assert 'id="refresh"' not in admin.get(f"/deliveries/{one}").text


PUSH: dict[str, Any] = {"retry_key": None, "http_status": 503, "code": FailureCode.PUSH_SERVER_ERROR}


@pytest.mark.parametrize(
    ("language", "may_have_arrived", "says"),
    [
        ("en", True, "An earlier push may have arrived. Retry sends another, which takes its place on the screen."),
        ("en", False, "No push of it has arrived so far; Retry sends one."),
        ("ja", True, "画面では前の通知と置き換わります。"),
        ("ja", False, "この通知はまだ届いていません。"),
    ],
)
def test_the_page_of_a_push_speaks_of_no_key_and_not_of_line(
    pages_app: Flask, language: str, may_have_arrived: bool, says: str
) -> None:
    with pages_app.app_context():
        one = pushed(key_ambiguous=may_have_arrived)
        tried(one, **PUSH | {"may_have_arrived": may_have_arrived})
        admin = Visitor(pages_app, make_account("admin"), language)
    page = admin.get(f"/deliveries/{one}")
    live = text_of(admin.part(f"/deliveries/{one}"))
    assert says in live
    for word in ("LINE", "key", "キー"):
        assert word not in live.replace("Once-only key", "").replace("重複防止キー", ""), live
    assert "rotate" not in page.text


def test_a_push_is_retried_and_canceled_without_a_word_of_keys(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = pushed(key_ambiguous=True)
    asked = admin.post(f"/deliveries/{one}/retry", attempts="1")
    assert asked.status_code == 303
    question = text_of(admin.get(f"/deliveries/{one}/cancel"))
    assert "An earlier try may already have arrived" in question
    assert "LINE" not in question.partition("Cancel this delivery?")[2]
    assert admin.get(f"/deliveries/{one}/rotate-key").status_code == 409


def test_every_code_has_a_place_on_the_page_of_codes(admin: Visitor) -> None:
    page = admin.get("/help/codes").text
    for code in (*FailureCode, *CancelReason):
        assert f'id="{code}"' in page


@pytest.mark.parametrize("kind", ["alert_began", "shift_reminder"])
@pytest.mark.parametrize("awake_after", [timedelta(hours=2), timedelta(hours=-2)], ids=["quiet now", "awake"])
def test_what_waits_for_the_end_of_quiet_hours_says_so_to_administrators(
    pages_app: Flask, admin: Visitor, staff: Visitor, kind: str, awake_after: timedelta
) -> None:
    with pages_app.app_context():
        until = (now() + awake_after).replace(second=0, microsecond=0)
        one = standing_as(state=State.PENDING, kind=kind, next_attempt_at=now() + timedelta(hours=2))
        reader = delivery(one).account_id
        assert reader is not None
        with writing() as tx:
            set_quiet_hours(tx, reader, _clock(until - timedelta(hours=4)), _clock(until))
        told = f"Held back by the recipient's quiet hours until: {exact(until, 'en')}"
    page = text_of(admin.get(f"/deliveries/{one}"))
    assert (told in page) == ("quiet hours" in page) == (kind == "alert_began" and awake_after > timedelta(0))
    assert "quiet hours" not in text_of(staff.get(f"/deliveries/{one}"))


def _clock(instant: datetime) -> str:
    return f"{instant.astimezone(zone()):%H:%M}"


ENDED = {
    AttemptOutcome.ACCEPTED: ("Accepted", "sent"),
    AttemptOutcome.ALREADY_ACCEPTED: ("Accepted earlier (409)", "sent"),
    AttemptOutcome.TRANSIENT: ("Did not get through", "retry"),
    AttemptOutcome.REJECTED: ("Refused", "failed"),
    AttemptOutcome.GONE: ("Address gone", "canceled"),
    AttemptOutcome.LOST: ("May have arrived", "unsure"),
    AttemptOutcome.UNANSWERED: ("Not sent: unanswered check", "pending"),
    None: ("Under way", "sending"),
}
SURE = (AttemptOutcome.ACCEPTED, AttemptOutcome.ALREADY_ACCEPTED, AttemptOutcome.LOST, None)


@pytest.mark.parametrize("outcome", list(ENDED))
def test_each_end_of_a_try_has_a_word_a_shape_and_a_colour(
    pages_app: Flask, admin: Visitor, outcome: AttemptOutcome | None
) -> None:
    with pages_app.app_context():
        one = failed()
        tried(one, outcome=outcome, code=None, may_have_arrived=outcome in SURE)
    page = admin.get(f"/deliveries/{one}").text
    word, colour = ENDED[outcome]
    assert re.search(rf'<span class="ending {colour}"><svg[^>]*>.*?</svg>{re.escape(word)}</span>', page)
    assert f'<li class="{colour}">' in page


@pytest.mark.parametrize(
    ("outcome", "code", "status"),
    [
        (AttemptOutcome.TRANSIENT, FailureCode.LINE_TIMEOUT, None),
        (AttemptOutcome.TRANSIENT, FailureCode.LINE_SERVER_ERROR, 500),
        (AttemptOutcome.TRANSIENT, FailureCode.LINE_CONNECTION_LOST, None),
        (AttemptOutcome.REJECTED, FailureCode.LINE_CONFLICT, 409),
    ],
)
def test_what_may_have_arrived_is_never_told_as_a_failure(
    pages_app: Flask, admin: Visitor, outcome: AttemptOutcome, code: FailureCode, status: int | None
) -> None:
    with pages_app.app_context():
        one = failed(code)
        tried(one, outcome=outcome, code=code, http_status=status, may_have_arrived=True)
    happened = text_of(admin.get(f"/deliveries/{one}")).partition("What happened")[2]
    assert "May have arrived" in happened
    assert "Refused" not in happened
    assert "Did not get through" not in happened


def test_each_try_says_what_the_check_before_it_found(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed(FailureCode.SOURCE_ERROR)
        tried(one)
        tried(one, 2, outcome=AttemptOutcome.UNANSWERED, code=FailureCode.SOURCE_ERROR, may_have_arrived=False)
    happened = text_of(admin.get(f"/deliveries/{one}")).partition("What happened")[2]
    first, _two, second = happened.partition("Try 2")
    assert "Checked right before: it was still true and still wanted." in first
    assert "Checked right before" not in second
    assert "The check before sending could not be answered; nothing was sent." in second
    assert "The check right before sending broke inside Todoke." in second


@pytest.mark.parametrize(
    ("reason", "detail", "by_the_check"),
    [
        (CancelReason.SHIFT_CHANGED, None, True),
        (CancelReason.ALREADY_READ, None, True),
        (CancelReason.BY_OPERATOR, None, False),
        (CancelReason.EXPIRED, None, False),
        (CancelReason.DEVICE_REMOVED, None, False),
        (CancelReason.RECIPIENT_DISABLED, "in its own words", True),
    ],
)
def test_an_end_without_a_try_says_whether_the_check_found_it(
    pages_app: Flask, admin: Visitor, reason: CancelReason, detail: str | None, by_the_check: bool
) -> None:
    with pages_app.app_context():
        one = standing_as(state=State.CANCELED, cancel_reason=reason, cancel_detail=detail, finished_at=now())
    page = admin.get(f"/deliveries/{one}")
    happened = text_of(page).partition("What happened")[2]
    assert ("The check right before sending found: it is not to be sent." in happened) == by_the_check
    assert (detail or "") in happened
    assert page.text.count(f'href="/help/codes#{reason}"') == 2


@pytest.mark.parametrize(
    ("used", "left", "urgent"),
    [(timedelta(hours=1), 23, False), (timedelta(hours=20, minutes=59), 3, False), (timedelta(hours=22), 2, True)],
)
def test_the_retry_key_shows_its_age_as_a_bar_with_words(
    pages_app: Flask, admin: Visitor, used: timedelta, left: int, urgent: bool
) -> None:
    with pages_app.app_context():
        since = now() - used + timedelta(seconds=30)
        one = failed(retry_key_used_at=since)
        first = exact(since, "en")
    page = admin.get(f"/deliveries/{one}")
    assert f'max="24" low="3" value="{left}">{left} of 24 hours</meter>' in page.text
    assert ('<span class="late">LINE recognises it' in page.text) == urgent
    key = text_of(page).partition("Retry key")[2]
    assert f"First used {first}" in key
    assert "Retry repeats the same key, so LINE delivers it at most once." in key


def test_codes_say_whether_anything_more_happens_by_itself(admin: Visitor) -> None:
    page = text_of(admin.get("/help/codes"))
    for code, says in (
        (FailureCode.LINE_TIMEOUT, "It is tried again by itself, until its tries are used up."),
        (FailureCode.LINE_RATE_LIMITED, "It is not tried again by itself: it waits for a person."),
        (FailureCode.PUSH_GONE, "It is not tried again: the delivery ends as rightly not sent."),
    ):
        assert f"{says} {code} " in page


def test_a_key_that_ended_is_told_as_a_failure_of_its_own_and_not_as_that_of_the_last_try(
    pages_app: Flask, admin: Visitor
) -> None:
    with pages_app.app_context():
        one = failed(FailureCode.RETRY_KEY_EXPIRED)
        tried(one)
    happened = text_of(admin.get(f"/deliveries/{one}")).partition("What happened")[2]
    assert "It failed without another try." in happened
    assert "Its LINE retry key is older than 24 hours" in happened
