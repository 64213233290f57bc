"""The page of gates: how they stand, what a pause would cost, pausing and resuming once."""

from datetime import timedelta

import pytest
from flask import Flask

from app import audit
from app.clock import now
from app.outbox import gates as ledger
from app.outbox.state import State
from app.transaction import writing
from tests.web.ledger import pushed, standing_as
from tests.web.visitor import Visitor, text_of

HOST = "fcm.googleapis.com"
PUSH = f"web_push:{HOST}"


def test_it_lists_line_and_every_push_host_with_what_waits(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        standing_as(state=State.PENDING)
        pushed(None, state=State.PENDING, finished_at=None)
    page = admin.get("/gates")
    assert "LINE Lets everything through" in text_of(page)
    assert f"{HOST} Lets everything through" in text_of(page)
    assert "Resume" not in text_of(page)
    assert "<h1>" not in admin.part("/gates").text


def test_a_pause_is_asked_about_with_what_would_be_too_late(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        for hours in (0.5, 3):
            standing_as(state=State.PENDING, expires_at=now() + timedelta(hours=hours))
    question = text_of(admin.get("/gates/pause?gate=line"))
    assert "2 deliveries wait there now." in question
    assert "Too late after a pause of 1 hour 1 Too late after a pause of 6 hours 2" in question
    assert "what is newly owed piles up meanwhile" in question


def test_pausing_and_resuming_say_who_and_why_and_how_many_go_out(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        standing_as(state=State.PENDING)
    answer = admin.post("/gates/pause", gate="line", why="  LINE is being <b>repaired</b>\r\n")
    assert (answer.status_code, answer.location) == (303, "/gates")
    page = admin.get("/gates")
    told = text_of(page)
    assert "LINE is paused." in told
    assert "Paused by admin Aoki" in told
    assert "LINE is being <b>repaired</b>" in told
    assert "<b>repaired</b>" not in page.text
    assert "1 delivery goes out at once." in told
    assert admin.post("/gates/resume", gate="line").status_code == 303
    assert "LINE is open again. 1 delivery goes out at once." in text_of(admin.get("/gates"))
    with pages_app.app_context():
        acts = audit.entries("gate", 0)
        assert [(act.act, act.why) for act in acts] == [
            ("pause_gate", "LINE is being <b>repaired</b>"),
            ("resume_gate", ""),
        ]


def test_who_comes_too_late_sees_how_it_stands_and_does_nothing(pages_app: Flask, admin: Visitor) -> None:
    assert admin.post("/gates/resume", gate="line").status_code == 409
    assert admin.post("/gates/pause", gate="line", why="first").status_code == 303
    again = admin.post("/gates/pause", gate="line", why="second")
    assert again.status_code == 409
    assert "Nothing was done: LINE has changed since you looked at it." in text_of(again)
    assert "first" in text_of(again)
    assert admin.get("/gates/pause?gate=line").status_code == 409
    with pages_app.app_context():
        assert len(audit.entries("gate", 0)) == 1


def test_what_the_breaker_closed_says_why_and_when_it_is_tested(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context(), writing() as tx:
        ledger.close(tx, PUSH, "PUSH_SERVER_ERROR", timedelta(minutes=5))
    page = admin.get("/gates")
    told = text_of(page)
    assert "Closed after repeated trouble" in told
    assert "Next test:" in told
    assert "The push service answered with an error of its own" in told
    assert 'href="/help/codes#PUSH_SERVER_ERROR"' in page.text
    assert "Pause" in told
    assert admin.post("/gates/resume", gate=PUSH).status_code == 303
    assert "Closed" not in text_of(admin.get("/gates"))


def test_a_reason_that_is_too_long_is_said_at_its_field_and_kept(pages_app: Flask, admin: Visitor) -> None:
    refused = admin.post("/gates/pause", gate="line", why="x" * 301)
    assert refused.status_code == 422
    assert "Write at most 300 characters; these are 301." in text_of(refused)
    assert "x" * 301 in refused.text
    assert "LINE Lets everything through" in text_of(admin.get("/gates"))


@pytest.mark.parametrize("key", ["", "lime", "web_push:nobody.example", "web_push:", "line:x", "\ud83d"])
def test_what_is_no_gate_here_is_not_found(admin: Visitor, key: str) -> None:
    sent = key.encode("utf-8", "replace").decode()
    assert admin.get("/gates/pause", query_string={"gate": sent}).status_code == 404
    assert admin.post("/gates/pause", gate=sent).status_code == 404
    assert admin.post("/gates/resume", gate=sent).status_code == 404


def test_the_page_belongs_to_the_deliveries(admin: Visitor) -> None:
    assert 'href="/deliveries" aria-current="true"' in admin.get("/gates").text
