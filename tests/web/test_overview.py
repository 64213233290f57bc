"""How everything stands, on one page."""

import re
from datetime import timedelta
from html import unescape

import time_machine
from flask import Flask

from app import pulse
from app.clock import now
from app.codes import CancelReason, FailureCode
from app.outbox import gates
from app.outbox.state import State
from app.sources.alerts.watch import watch
from app.transaction import writing
from tests.web.ledger import failed, standing_as
from tests.web.visitor import Visitor, text_of


def alive() -> None:
    """A worker and a clock that have just spoken, and a scan that has just run."""
    with writing() as tx:
        pulse.beat(tx, "worker-1", "worker", "urgent, default", now())
        pulse.beat(tx, "clock-1", "clock", "", now())
        pulse.start(tx, "reminders", timedelta(minutes=15), timedelta(minutes=2))
        pulse.finish(tx, "reminders", {"shifts": 4, "enqueued": 3}, None)


def test_counts_by_state_are_links_to_the_deliveries(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        failed()
        standing_as(state=State.SENT)
    page = admin.get("/overview").text
    assert re.search(r'href="/deliveries\?state=failed"><span class="figure">1</span>', page)
    assert re.search(r'href="/deliveries\?state=queued"><span class="figure zero">0</span>', page)


def test_failures_are_grouped_by_channel_and_code_with_a_sentence_and_links(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        failed(FailureCode.LINE_QUOTA_EXCEEDED)
        failed(FailureCode.LINE_QUOTA_EXCEEDED)
        standing_as(state=State.RETRY, failure_code=FailureCode.LINE_TIMEOUT)
    page = admin.get("/overview")
    assert "LINE's monthly limit is used up. Raise the limit, or retry next month." in text_of(page)
    assert 'href="/deliveries?state=failed&amp;channel=line&amp;code=LINE_QUOTA_EXCEEDED">2 failed</a>' in page.text
    assert 'href="/deliveries?channel=line&amp;code=LINE_TIMEOUT">1 waiting</a>' in page.text
    assert 'href="/bulk-retries/new?state=failed&amp;channel=line&amp;code=LINE_QUOTA_EXCEEDED"' in page.text


def test_what_was_rightly_not_sent_is_counted_by_reason_and_leads_to_those_deliveries(
    pages_app: Flask, admin: Visitor
) -> None:
    with pages_app.app_context():
        for reason in (CancelReason.CONDITION_LOST, CancelReason.CONDITION_LOST, CancelReason.ALREADY_READ):
            standing_as(state=State.CANCELED, cancel_reason=reason, finished_at=now())
        long_ago = now() - timedelta(days=2)
        standing_as(state=State.CANCELED, cancel_reason=CancelReason.EXPIRED, created_at=long_ago, finished_at=now())
    page = admin.get("/overview").text
    links = re.findall(r'id="not-sent-(\w+)" href="([^"]+)">(\d+)<', page)
    assert [(reason, number) for reason, _link, number in links] == [("condition_lost", "2"), ("already_read", "1")]
    assert "no longer what the person waits for" in text_of(admin.get(unescape(links[0][1])))
    week = admin.get("/overview?period=7d").text
    assert 'id="not-sent-expired"' in week


def test_a_quiet_house_has_no_alarm(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        alive()
    page = admin.get("/overview")
    assert 'class="notice problem" role="alert">\n  <ul>' not in page.text
    assert "shifts about to start 4 · newly owed 3" in text_of(page)
    assert "worker-1" in text_of(page)


def test_what_the_watch_found_stands_in_words(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        alive()
        with writing() as tx:
            pulse.start(tx, "alerts", timedelta(minutes=1), timedelta(minutes=2))
            pulse.finish(tx, "alerts", watch(), None)
    assert "alerts begun 0 · alerts ended 0" in text_of(admin.get("/overview"))


def test_silence_is_an_alarm(admin: Visitor) -> None:
    page = text_of(admin.get("/overview"))
    assert "No worker has been heard from lately" in page
    assert "The clock has not been heard from lately" in page


def test_a_scan_that_should_have_run_is_an_alarm(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        alive()
    with time_machine.travel(now() + timedelta(minutes=40)):
        assert "The scan “Reminders” was due at" in text_of(admin.get("/overview"))


def test_a_scan_that_broke_off_is_an_alarm(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        alive()
        with writing() as tx:
            pulse.finish(tx, "reminders", None, "OperationalError")
    assert "The scan “Reminders” broke off: OperationalError." in text_of(admin.get("/overview"))


def test_what_waits_for_redis_is_an_alarm(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        standing_as(state=State.PENDING, failure_code=FailureCode.QUEUE_ENQUEUE_FAILED)
    page = admin.get("/overview")
    assert "Redis does not take deliveries at the moment" in text_of(page)
    assert 'href="/deliveries?state=pending&amp;code=QUEUE_ENQUEUE_FAILED"' in page.text


def test_a_closed_gate_is_an_alarm_by_its_name(pages_app: Flask, admin: Visitor) -> None:
    push = "web_push:fcm.googleapis.com"
    with pages_app.app_context(), writing() as tx:
        gates.close(tx, push, "PUSH_SERVER_ERROR", timedelta(minutes=5))
    told = text_of(admin.get("/overview"))
    assert "Nothing is sent to fcm.googleapis.com: after repeated trouble it is left alone until" in told
    with pages_app.app_context(), writing() as tx:
        gates.pause(tx, push, "holidays")
        gates.close(tx, "line", "LINE_SERVER_ERROR", timedelta(0))
    told = text_of(admin.get("/overview"))
    assert "Nothing is sent to fcm.googleapis.com: an operator paused it." in told
    assert "LINE: after" not in told, "its next delivery goes through"


def test_a_tick_brings_the_live_part_alone(admin: Visitor) -> None:
    part = admin.part("/overview").text
    assert "<html" not in part
    assert "Deliveries by state" in part
