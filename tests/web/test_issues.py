"""Failures that are alike, and what operators make of them."""

from datetime import timedelta

import pytest
import time_machine
from flask import Flask

from app import audit, i18n
from app.clock import now, slot_of
from app.codes import FailureCode
from app.operations.issues import Standing, issues
from app.outbox.hours import HOUR
from app.outbox.models import Delivery
from app.outbox.state import State
from app.web.issue_words import ISSUE_STANDINGS
from tests.factories import change
from tests.web.ledger import failed, pushed, standing_as
from tests.web.visitor import Visitor, text_of

QUOTA = FailureCode.LINE_QUOTA_EXCEEDED


def mark(visitor: Visitor, standing: str, seen: str = "open", code: str = QUOTA) -> int:
    """Say how the failures of LINE with this code stand; the status of the answer."""
    return visitor.post("/issues/mark", channel="line", code=code, standing=standing, seen=seen).status_code


def standing(app: Flask) -> list[Standing]:
    with app.app_context():
        return [issue.standing for issue in issues()]


def test_the_same_code_on_two_channels_is_two_issues(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        failed(FailureCode.WORKER_LOST)
        pushed(FailureCode.WORKER_LOST)
        found = [(issue.group.channel, issue.group.number) for issue in issues()]
    assert sorted(found) == [("line", 1), ("web_push", 1)]


@pytest.mark.parametrize("wanted", ["acknowledged", "resolved", "ignored"])
def test_an_issue_stands_as_was_said_and_is_open_again_when_that_is_said(
    pages_app: Flask, admin: Visitor, wanted: str
) -> None:
    with pages_app.app_context():
        failed(QUOTA, finished_at=now() - timedelta(hours=1))
    assert mark(admin, wanted) == 303
    assert standing(pages_app) == [wanted]
    told = f"{ISSUE_STANDINGS[wanted]}. LINE: LINE's monthly limit is used up."
    assert told in text_of(admin.get("/overview"))
    assert mark(admin, "open", seen=wanted) == 303
    assert standing(pages_app) == ["open"]


def test_what_was_resolved_and_happens_again_is_open_and_says_so(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        failed(QUOTA, finished_at=now() - timedelta(hours=1))
    mark(admin, "resolved")
    assert "Resolved and ignored: 1" in text_of(admin.get("/overview"))
    with pages_app.app_context():
        failed(QUOTA, finished_at=now() + timedelta(seconds=1))
    assert standing(pages_app) == ["open"]
    assert "It was resolved, and happened again." in text_of(admin.get("/overview"))


def test_what_is_ignored_stays_so_however_often_it_happens(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        failed(QUOTA, finished_at=now() - timedelta(hours=1))
    mark(admin, "ignored")
    with pages_app.app_context():
        failed(QUOTA, finished_at=now() + timedelta(seconds=1))
    assert standing(pages_app) == ["ignored"]


def test_who_sees_to_it_does_so_until_all_that_failed_before_was_sent_again(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        first = failed(QUOTA, finished_at=now() - timedelta(hours=1))
    mark(admin, "acknowledged")
    with pages_app.app_context():
        failed(QUOTA, finished_at=now() + timedelta(seconds=1))
    assert standing(pages_app) == ["acknowledged"]
    with pages_app.app_context():
        change(Delivery, first, state=State.SENT, failure_code=None)
    assert standing(pages_app) == ["open"]


@pytest.mark.parametrize("standing_now", ["acknowledged", "resolved"])
def test_a_repair_leaves_the_issue_as_it_stands(pages_app: Flask, admin: Visitor, standing_now: str) -> None:
    with pages_app.app_context():
        first = failed(QUOTA, finished_at=now() - timedelta(hours=1))
    mark(admin, standing_now)
    assert admin.post(f"/deliveries/{first}/retry", attempts="1").status_code == 303
    for state in (State.PENDING, State.QUEUED, State.SENDING):
        with pages_app.app_context():
            change(Delivery, first, state=state, failure_code=QUOTA)
        assert standing(pages_app) == [standing_now]


def test_of_two_who_say_something_of_the_same_sight_one_is_told_how_it_stands(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        failed(QUOTA)
    assert mark(admin, "acknowledged") == 303
    answer = admin.post("/issues/mark", channel="line", code=QUOTA, standing="ignored", seen="open")
    assert answer.status_code == 409
    assert "Nothing was done" in text_of(answer)
    assert standing(pages_app) == ["acknowledged"]


def test_an_issue_that_is_gone_is_told(admin: Visitor) -> None:
    assert mark(admin, "resolved") == 409


@pytest.mark.parametrize(("wanted", "seen"), [("done", "open"), ("resolved", ""), ("", "open")])
def test_what_is_no_standing_is_refused(pages_app: Flask, admin: Visitor, wanted: str, seen: str) -> None:
    with pages_app.app_context():
        failed(QUOTA)
    assert mark(admin, wanted, seen) == 400
    assert standing(pages_app) == ["open"]


def test_each_is_written_down(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        failed(QUOTA, finished_at=now() - timedelta(hours=1))
    mark(admin, "ignored")
    with pages_app.app_context():
        entries = audit.entries("issue", 1)
    assert [(entry.act, entry.detail["code"]) for entry in entries] == [("ignore_issue", QUOTA)]


def test_what_only_waits_is_an_issue_too(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        standing_as(state=State.RETRY, failure_code=FailureCode.LINE_TIMEOUT)
    assert standing(pages_app) == ["open"]
    page = text_of(admin.get("/overview"))
    assert "1 waiting" in page
    assert "Retry these" not in page


def test_the_chart_shows_what_ended_and_the_figures_stand_below(pages_app: Flask, admin: Visitor) -> None:
    hour = slot_of(now(), HOUR) + timedelta(hours=2)
    with time_machine.travel(hour + timedelta(minutes=30), tick=False):
        with pages_app.app_context():
            failed(finished_at=now() - timedelta(minutes=5))
            for minutes in (10, 20, 70):
                standing_as(state=State.SENT, finished_at=now() - timedelta(minutes=minutes))
            this, before = i18n.moment(hour, "en"), i18n.time(hour - HOUR)
        page = admin.get("/overview")
        assert f"{this}: Sent 2, Not sent (rightly) 0, Failed 1" in text_of(page)
        assert f"{before} 1 0 0" in text_of(page)
        week = admin.get("/overview?period=7d")
        assert 'id="period-7d" href="/overview?period=7d" aria-current="page"' in week.text
        assert admin.get("/overview?period=rubbish").status_code == 200
