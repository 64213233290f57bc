"""Promise: whoever can be reached again gets what is still owed now, and not when the next scan comes by."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from flask import Flask

from app import pulse
from app.accounts.known import NoSuchAccountError
from app.audit import Actor
from app.background.scans import run_slot
from app.background.timetable import timetable
from app.clock import now, slot_of
from app.extensions import broker
from app.kinds import QueueName
from app.operations.access import resume, suspend
from app.operations.people import set_line_user
from app.operations.recipients import set_line_enabled
from app.outbox.state import State
from app.sources.classroom.telling.tell import remind
from app.transaction import Transaction, writing
from tests.factories import (
    all_deliveries,
    line_user,
    make_account,
    make_delivery,
    make_shift,
    make_tutor,
    only_delivery,
)  # fmt: skip
from tests.fakes.kind import Probe, registered
from tests.fakes.line import FakeLine
from tests.fixtures.background import Background, later
from tests.servers.valkey import ValkeyServer

ADMIN = Actor(None, "admin")


def set_active(tx: Transaction, actor: Actor, account_id: int, active: bool) -> bool:
    """Suspend or resume an account."""
    return resume(tx, actor, account_id) if active else suspend(tx, actor, account_id) is not None


def woken() -> list[str]:
    """The jobs of scans that were woken and have not run."""
    registry = broker.queue("urgent").scheduled_job_registry
    regular = len("scan-reminders-20261130T0915")
    return [job for job in registry.get_job_ids() if job.startswith("scan-reminders-") and len(job) > regular]


def wake_in_vain() -> None:
    with writing() as tx:
        tx.wake("reminders")
        set_active(tx, ADMIN, 404, True)


def test_a_scan_that_falls_due_goes_before_what_its_queue_has_to_send(app: Flask, background: Background) -> None:
    with registered(Probe("bulk_probe", QueueName.BULK)):
        background.run()
        for _ in range(3):
            make_delivery(kind="bulk_probe")
        with writing() as tx:
            tx.wake("announcements")
        with later(seconds=3):
            background.tick()
        first, *others = broker.queue("bulk").get_job_ids()
    assert first.startswith("scan-announcements-")
    assert len(others) == 3


@pytest.mark.parametrize("switch", [set_line_enabled, set_active], ids=["line", "account"])
def test_what_was_canceled_for_a_switch_is_owed_again_within_seconds(
    app: Flask, background: Background, line: FakeLine, switch: object
) -> None:
    assert callable(switch)
    tutor = make_tutor()
    background.run()  # the slot of this quarter of an hour is done
    make_shift(tutor)
    remind()
    with writing() as tx:
        switch(tx, ADMIN, tutor, False)
    assert only_delivery().state == State.CANCELED
    with writing() as tx:
        switch(tx, ADMIN, tutor, True)
    with later(seconds=2):
        background.run()
        background.work()
    assert only_delivery().state == State.SENT
    assert len(line.accepted) == 1


def test_whoever_gets_a_line_link_is_reminded_within_seconds(
    app: Flask, background: Background, line: FakeLine
) -> None:
    tutor = make_account()
    make_shift(tutor)
    background.run()
    assert all_deliveries() == []
    with writing() as tx:
        set_line_user(tx, ADMIN, tutor, line_user(1))
    with later(seconds=2):
        background.run()
        background.work()
    assert only_delivery().state == State.SENT


def test_a_scan_that_is_woken_often_runs_once(app: Flask, redis: ValkeyServer) -> None:
    with later(seconds=0):
        for _ in range(5):
            with writing() as tx:
                tx.wake("reminders")
                tx.wake("reminders")
        assert 1 <= len(woken()) <= 2, "one for each second"


def test_a_transaction_that_breaks_off_wakes_nothing(app: Flask, redis: ValkeyServer) -> None:
    with pytest.raises(NoSuchAccountError):
        wake_in_vain()
    assert woken() == []


def test_switching_off_and_what_is_so_already_wake_nothing(app: Flask, redis: ValkeyServer) -> None:
    tutor = make_tutor()
    for switch in (set_line_enabled, set_active):
        with writing() as tx:
            switch(tx, ADMIN, tutor, True)
        with writing() as tx:
            switch(tx, ADMIN, tutor, False)
    with writing() as tx:
        set_line_user(tx, ADMIN, tutor, line_user(2))
    assert woken() == []


def test_without_redis_the_switch_still_works_and_the_next_slot_does_it(
    app: Flask, background: Background, redis: ValkeyServer, line: FakeLine
) -> None:
    tutor = make_tutor()
    background.run()
    make_shift(tutor)
    remind()
    with writing() as tx:
        set_line_enabled(tx, ADMIN, tutor, False)
    redis.kill()
    with writing() as tx:
        set_line_enabled(tx, ADMIN, tutor, True)
    redis.start()
    with later(minutes=15):
        background.restart_clock()
        background.run()
        background.work()
    assert only_delivery().state == State.SENT


def test_a_wake_is_not_lost_to_a_run_under_way(app: Flask) -> None:
    scan, regular = timetable()["reminders"], datetime(2026, 11, 30, 9, 15, tzinfo=UTC)
    with time_machine.travel(regular + timedelta(seconds=40), tick=False):
        with writing() as tx:
            assert pulse.take(tx, scan.name, scan.every, regular, timedelta(minutes=2))
        own = regular + timedelta(seconds=41)
        assert run_slot(scan, own)
        assert not run_slot(scan, own), "once"


def test_after_a_wake_the_timetable_goes_on_as_before(app: Flask, background: Background) -> None:
    background.run()
    with writing() as tx:
        tx.wake("reminders")
    with later(seconds=2):
        background.run()
    with later(minutes=16):
        background.scan_now()
        background.work()
        record = pulse.scans()["reminders"]
        assert record.last_slot == slot_of(now(), timedelta(minutes=15))
