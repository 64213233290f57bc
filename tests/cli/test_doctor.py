"""`flask doctor`: what is well, what is not, and what to do."""

import json
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from app import pulse
from app.background.timetable import timetable
from app.clock import now
from app.reach.models import Device
from app.transaction import writing
from tests.cli.run import run
from tests.factories import change, make_account
from tests.fixtures.background import later
from tests.fixtures.settings import VAPID_KEY
from tests.inbox.browsers import KEY
from tests.inbox.inboxes import make_device
from tests.servers.valkey import ValkeyServer


def findings(app: Flask) -> dict[str, tuple[str, str]]:
    """Level and message of each check."""
    found = json.loads(run(app, "doctor", "--json").stdout)["findings"]
    return {finding["check"]: (finding["level"], finding["message"]) for finding in found}


def levels(app: Flask) -> dict[str, str]:
    return {check: level for check, (level, _message) in findings(app).items()}


def set_to(app: Flask, **settings: Any) -> None:
    """As if the environment said so."""
    app.config["SETTINGS"] = app.config["SETTINGS"].model_copy(update=settings)


def test_a_house_that_lives_is_well(app: Flask) -> None:
    with writing() as tx:
        for role in ("worker", "clock"):
            pulse.beat(tx, f"{role}-1", role, "urgent", now())
        for scan in timetable().values():
            pulse.take(tx, scan.name, scan.every, now(), timedelta(minutes=2))
            pulse.finish(tx, scan.name, {"shifts": 0}, None)
    found = levels(app)
    assert set(found.values()) == {"well", "warning"}
    assert found["line"] == "warning", "the LINE of the tests is a stand-in"
    assert run(app, "doctor").exit_code == 0


def test_what_keeps_deliveries_from_going_out_is_a_fault(app: Flask, redis: ValkeyServer) -> None:
    redis.kill()
    found = levels(app)
    redis.start()
    assert (found["database"], found["migrations"]) == ("well", "well")
    assert found["redis"] == found["worker"] == found["clock"] == "fault"
    assert run(app, "doctor").exit_code == 1


def test_a_scan_that_broke_or_is_overdue_is_a_fault(app: Flask) -> None:
    with writing() as tx:
        pulse.take(tx, "reminders", timedelta(minutes=15), now(), timedelta(minutes=2))
        pulse.finish(tx, "reminders", None, "ZeroDivisionError")
        pulse.take(tx, "recovery", timedelta(minutes=1), now(), timedelta(minutes=2))
        pulse.finish(tx, "recovery", {}, None)
    with later(minutes=10):
        found = levels(app)
    assert (found["scan reminders"], found["scan recovery"]) == ("fault", "fault")


PUBLIC = "https://todoke.example.jp"


@pytest.mark.parametrize(
    ("settings", "level", "says"),
    [
        ({}, "well", "the key of VAPID_PRIVATE_KEY is good, the contact is mailto:nobody@example.com"),
        ({"base_url": "http://localhost:8000"}, "well", "is good"),
        ({"base_url": PUBLIC}, "well", f"the contact is {PUBLIC}"),
        ({"base_url": PUBLIC, "vapid_private_key": None}, "well", "instance/vapid_key is good"),
        ({"base_url": "http://todoke.example.jp"}, "warning", "browsers give pushes to https alone"),
        ({"base_url": "http://192.0.2.7"}, "warning", "BASE_URL is http://192.0.2.7. Put https in front."),
        ({"base_url": "https://todoke.local"}, "warning", "Set VAPID_SUBJECT"),
        ({"base_url": "https://todoke.local", "vapid_subject": "mailto:a@example.jp"}, "well", "mailto:a@example.jp"),
    ],
)
def test_web_push_needs_https_and_a_contact_and_the_key_is_not_printed(
    sqlite_app: Flask, settings: dict[str, Any], level: str, says: str
) -> None:
    set_to(sqlite_app, **settings)
    found, message = findings(sqlite_app)["push"]
    assert (found, says in message) == (level, True), message
    for printed in (run(sqlite_app, "doctor"), run(sqlite_app, "doctor", "--json")):
        assert says in printed.stdout
        assert VAPID_KEY not in printed.output


def test_devices_that_subscribed_with_another_key_are_counted(app: Flask) -> None:
    assert "devices" not in findings(app)
    account = make_account()
    one, two = make_device(account), make_device(account)
    change(Device, one, vapid_key=KEY)
    assert findings(app)["devices"] == (
        "warning",
        "1 of 2 subscribed with another VAPID key, and get nothing until they open Todoke. "
        "Put the old key back if it was not changed on purpose.",
    )
    change(Device, two, vapid_key=KEY)
    assert findings(app)["devices"] == ("well", "2 take pushes")
