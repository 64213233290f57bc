"""`flask doctor`: what is well, what is not, and what to do."""

import json
from datetime import timedelta

from flask import Flask

from app import pulse
from app.background.timetable import timetable
from app.clock import now
from app.transaction import writing
from tests.cli.run import run
from tests.fixtures.background import later
from tests.servers.valkey import ValkeyServer


def levels(app: Flask) -> dict[str, str]:
    findings = json.loads(run(app, "doctor", "--json").stdout)["findings"]
    return {finding["check"]: finding["level"] for finding in findings}


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
