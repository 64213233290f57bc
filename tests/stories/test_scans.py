"""Promise: scans run whatever happens to queue and clocks, and missed ones are caught up once."""

from datetime import UTC, datetime, timedelta
from threading import Thread

from flask import Flask

from app import pulse
from app.background.clock import Clock
from app.background.scans import run_slot
from app.background.timetable import timetable
from app.clock import now, slot_of
from app.extensions import broker, db
from app.outbox.state import State
from app.sources.classroom.telling.tell import remind
from app.transaction import writing
from tests.factories import all_deliveries, delivery, make_shift, make_tutor, only_delivery
from tests.fakes.line import FakeLine
from tests.fixtures.background import Background, later
from tests.servers.valkey import ValkeyServer


def test_the_clock_alone_brings_a_reminder_from_the_shift_to_the_tutor(
    app: Flask, background: Background, line: FakeLine
) -> None:
    make_shift(make_tutor())
    background.run()
    background.run()
    assert only_delivery().state == State.SENT
    assert len(line.accepted) == 1
    figures = pulse.scans()["reminders"].figures
    assert figures is not None
    assert figures["enqueued"] == 1


def test_two_clocks_register_each_slot_once(app: Flask, background: Background, redis: ValkeyServer) -> None:
    other = Clock(app)
    for _ in range(3):
        background.tick()
        other.tick()
    registered = [job for name in ("urgent", "default", "bulk", "slow") for job in broker.queue(name).get_job_ids()]
    assert len(registered) == len(set(registered))
    assert len([job for job in registered if job.startswith("scan-reminders-")]) == 1


def test_after_hours_of_silence_a_scan_is_caught_up_once(app: Flask, background: Background, line: FakeLine) -> None:
    background.run()
    first = pulse.scans()["reminders"].last_slot
    db.session.close()
    tutor = make_tutor()
    with later(hours=5):
        make_shift(tutor)
        make_shift(tutor, starts_in=timedelta(minutes=-10))
        background.restart_clock()
        for _ in range(3):
            background.run()
        caught_up = pulse.scans()["reminders"].last_slot
        assert caught_up == slot_of(now(), timedelta(minutes=15)) != first
    assert len(line.accepted) == 1, "late is better than never, but never after the start"


def test_a_flush_of_redis_loses_no_scan(app: Flask, background: Background, redis: ValkeyServer) -> None:
    background.run()
    redis.flush()
    with later(minutes=16):
        background.restart_clock()
        background.run()
        assert pulse.scans()["reminders"].last_slot == slot_of(now(), timedelta(minutes=15))


def test_while_no_worker_lives_scans_do_not_pile_up(app: Flask, background: Background, redis: ValkeyServer) -> None:
    for minute in range(10):
        with later(minutes=minute):
            background.scan_now()
    waiting = broker.queue("urgent").get_job_ids()
    assert len(waiting) == len({job.split("-")[1] for job in waiting}), "one of each scan"


def test_a_clock_that_was_ahead_once_does_not_stop_the_scans(
    app: Flask, background: Background, line: FakeLine
) -> None:
    with later(days=30):
        background.run()
    background.restart_clock()
    make_shift(make_tutor())
    background.run()
    background.run()
    assert len(line.accepted) == 1


def test_a_slot_of_another_time_is_refused(app: Flask) -> None:
    scan = timetable()["reminders"]
    for slot in (now() + timedelta(days=1), datetime(9999, 12, 31, 23, 59, tzinfo=UTC), now() - timedelta(hours=1)):
        assert not run_slot(scan, slot)
    assert pulse.scans() == {}


def test_a_slot_is_done_once_whoever_comes_late(app: Flask) -> None:
    scan, slot = timetable()["reminders"], slot_of(now(), timedelta(minutes=15))
    assert run_slot(scan, slot)
    assert not run_slot(scan, slot)
    assert not run_slot(scan, slot - scan.every)


def test_overlapping_scans_owe_each_reminder_once(app: Flask, redis: ValkeyServer) -> None:
    tutor = make_tutor()
    for _ in range(5):
        make_shift(tutor)
    db.session.close()

    def scan() -> None:
        with app.app_context():
            remind()

    together = [Thread(target=scan) for _ in range(6)]
    for thread in together:
        thread.start()
    for thread in together:
        thread.join()
    assert len(all_deliveries()) == 5


def test_a_scan_whose_process_died_is_run_again_when_its_lease_is_over(app: Flask, background: Background) -> None:
    scan, slot = timetable()["recovery"], slot_of(now(), timedelta(minutes=1))
    with writing() as tx:
        assert pulse.take(tx, scan.name, scan.every, slot, timedelta(minutes=2))
    with later(minutes=1):
        assert not run_slot(scan, slot + timedelta(minutes=1))
    with later(minutes=3):
        assert run_slot(scan, slot + timedelta(minutes=3))


def test_an_owed_reminder_is_not_owed_again_after_it_was_sent(
    app: Flask, background: Background, line: FakeLine
) -> None:
    make_shift(make_tutor())
    remind()
    background.work()
    owed = only_delivery().id
    with later(minutes=15):
        remind()
        background.run()
    assert delivery(owed).state == State.SENT
    assert len(line.accepted) == 1
