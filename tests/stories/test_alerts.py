"""Promise: what begins to go wrong is told to the admins once, and once more when it is over."""

from datetime import timedelta
from threading import Thread

import pytest
from flask import Flask

from app import pulse
from app.accounts.models import Account, Role
from app.clock import now
from app.codes import CancelReason, FailureCode
from app.extensions import db
from app.inbox.queries import unread
from app.kinds import Reader
from app.outbox import gates
from app.outbox.models import Delivery
from app.outbox.state import State
from app.sources.alerts.watch import watch
from app.transaction import writing
from tests.factories import all_deliveries, change, make_account, make_delivery
from tests.fakes.kind import Probe
from tests.fixtures.background import Background, later, until
from tests.inbox.inboxes import make_device, said, titles


@pytest.fixture
def working(app: Flask) -> None:
    """A worker that spoke just now."""
    with writing() as tx:
        pulse.beat(tx, "worker-1", "worker", "urgent", now())


def failed(code: str = FailureCode.LINE_UNAUTHORIZED, dead_letter: bool = False) -> int:
    """A delivery that failed just now."""
    one = make_delivery()
    change(Delivery, one, state=State.FAILED, failure_code=code, dead_letter=dead_letter, finished_at=now())
    return one


def test_a_new_kind_of_failure_is_told_once_and_once_more_when_it_is_over(
    app: Flask, probe: Probe, working: None
) -> None:
    admin, staff = make_account("admin"), make_account("staff")
    one = failed()
    assert watch() == {"began": 1, "over": 0}
    failed()
    assert watch() == {"began": 0, "over": 0}
    assert said(admin) == [
        ("1 delivery failed", "LINE did not accept the channel access token (401). "
         "Set a valid LINE_CHANNEL_ACCESS_TOKEN, restart, then retry. (LINE_UNAUTHORIZED)"),
    ]  # fmt: skip
    assert titles(staff) == []
    for failure in (one, one + 1):
        change(Delivery, failure, state=State.CANCELED, cancel_reason=CancelReason.BY_OPERATOR)
    assert watch() == {"began": 0, "over": 1}
    assert said(admin)[0] == (
        "No failed deliveries are left for this reason",
        "The reason was: LINE did not accept the channel access token (401). (LINE_UNAUTHORIZED) "
        "Failures older than a day no longer count.",
    )
    failed()
    assert watch() == {"began": 1, "over": 0}, "beginning again is another alert"


def test_tries_that_ran_out_are_told_apart_from_refusals(app: Flask, probe: Probe, working: None) -> None:
    admin = make_account("admin")
    failed(FailureCode.LINE_TIMEOUT, dead_letter=True)
    watch()
    assert titles(admin) == ["1 delivery has used up its tries"]


def test_a_failure_that_nobody_repaired_for_a_day_is_over(app: Flask, probe: Probe, working: None) -> None:
    make_account("admin")
    failed()
    watch()
    with later(hours=25):
        with writing() as tx:
            pulse.beat(tx, "worker-1", "worker", "urgent", now())
        assert watch()["over"] == 1


def test_a_silent_scan_and_its_return_are_told(app: Flask, working: None) -> None:
    admin = make_account("admin")
    with writing() as tx:
        pulse.take(tx, "reminders", timedelta(minutes=15), now() - timedelta(hours=1), timedelta(minutes=2))
        pulse.finish(tx, "reminders", {}, None)
    watch()
    assert titles(admin) == ["“Reminders” has not run when it should have"]
    with writing() as tx:
        pulse.take(tx, "reminders", timedelta(minutes=15), now(), timedelta(minutes=2))
        pulse.finish(tx, "reminders", {}, None)
    watch()
    assert said(admin)[0] == ("“Reminders” runs again", "What waited for it is looked for again.")


def test_the_clock_itself_tells_that_no_worker_is_running(app: Flask, background: Background) -> None:
    admin = make_account("admin")
    background.restart_clock(inline_after=0.2)
    background.tick()
    assert titles(admin) == [], "the workers may only be restarting"

    def told() -> bool:
        background.scan_now()
        return titles(admin) == ["No worker is running"]

    until(told, "the clock ran the watch by itself")


def test_ten_watches_at_once_tell_one_thing_once(app: Flask, probe: Probe, working: None) -> None:
    admin = make_account("admin")
    make_device(admin)
    failed()

    def look() -> None:
        with app.app_context():
            watch()
            db.session.remove()

    db.session.close()
    threads = [Thread(target=look) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(titles(admin)) == 1
    assert len([one for one in all_deliveries() if one.kind == "alert_began"]) == 1


def test_who_is_no_admin_any_more_sees_no_alert(app: Flask, probe: Probe, working: None) -> None:
    admin = make_account("admin")
    failed()
    watch()
    assert unread(Reader(admin, "admin")) == 1
    change(Account, admin, role=Role.STAFF)
    assert (titles(admin), unread(Reader(admin, "staff"))) == ([], 0)


def test_a_gate_that_the_breaker_closed_is_told_and_its_opening_too(app: Flask, probe: Probe, working: None) -> None:
    admin = make_account("admin")
    with writing() as tx:
        gates.close(tx, "web_push:fcm.googleapis.com", FailureCode.PUSH_SERVER_ERROR, timedelta(minutes=1))
        gates.pause(tx, "line", "an operator knows what they do")
    assert watch() == {"began": 1, "over": 0}
    assert titles(admin) == ["Sending to fcm.googleapis.com is on hold"]
    with writing() as tx:
        gates.note_health(tx, "web_push:fcm.googleapis.com")
    assert watch() == {"began": 0, "over": 1}
    assert titles(admin)[0] == "Sending to fcm.googleapis.com goes on"
