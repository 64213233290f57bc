"""Promise: a broadcast reaches everybody once, whatever dies, lies down or is switched off in the middle."""

import random
from dataclasses import replace
from datetime import timedelta
from multiprocessing import get_context, synchronize
from threading import Event
from time import sleep

import pytest
from flask import Flask
from sqlalchemy import select

from app import create_app
from app.accounts.models import Account
from app.background import worker
from app.config import Settings
from app.engine import deliver as engine
from app.engine.deliver import deliver
from app.engine.flight import TO_ONE_HOST
from app.engine.handover import hand_over_due
from app.extensions import db
from app.inbox.marks import mark_read
from app.inbox.models import Notification
from app.outbox import queries, transitions
from app.outbox.gates import pause, resume
from app.sources.announcements.fan_out import announce
from app.sources.announcements.progress import progress_of
from app.transaction import writing
from tests.bare_app import beside
from tests.factories import all_deliveries, change, delivery, make_account
from tests.fakes.line_answers import HOLD
from tests.fakes.push import ACCEPT, FakePush
from tests.fixtures.background import Background, later, until
from tests.inbox.browsers import KEY
from tests.servers.valkey import ValkeyServer
from tests.sources.announcements.announced import (
    archived,
    author,
    crowd,
    give_devices,
    leases_over,
    published,
    states,
    tell_everybody,
    told,
)  # fmt: skip

_spawn = get_context("spawn")


def agreeing(push: FakePush, accounts: list[int]) -> list[dict[str, object]]:
    """Each of these accounts has a browser there; the subscriptions."""
    subscriptions = [push.subscribe(KEY) for _ in accounts]
    give_devices(accounts, subscriptions)
    return subscriptions


def finished(announcement_id: int) -> bool:
    """Whether the page says so."""
    db.session.rollback()
    progress = progress_of(announcement_id)
    assert progress is not None
    return progress.finished


def work_on(settings: Settings, ready: synchronize.Event) -> None:
    """What a worker and the clock do, in a process that is going to be killed."""
    app = create_app(settings, pages=False)
    with app.app_context():
        ready.set()
        while True:
            announce()
            hand_over_due()
            worker.work_off(app)


def test_ten_thousand_are_told_once_though_whoever_tells_them_is_killed_five_times(
    app: Flask, background: Background, redis: ValkeyServer, push: FakePush
) -> None:
    moments = random.Random(5)
    people = crowd(10_000)
    subscriptions = agreeing(push, people[::20])
    announcement_id = published()
    left = []
    for seconds in (0, 0.05, 0.15, 0.3, 0.6):
        _killed_after(app, seconds + moments.random() * 0.1)
        leases_over()
        left.append(len(told()))
        assert left[-1] == len(set(told()))
    assert any(0 < number < 10_001 for number in left), "none was killed in the middle"
    tell_everybody()
    _send_the_rest(background)
    assert len(told()) == len(set(told())) == 10_001
    assert (states(), finished(announcement_id)) == ({"sent": 500}, True)
    assert {len({one["tag"] for one in push.arrived(browser)}) for browser in subscriptions} == {1}


def _killed_after(app: Flask, seconds: float) -> None:
    db.session.close()
    ready = _spawn.Event()
    process = _spawn.Process(target=work_on, args=(app.config["SETTINGS"], ready))
    process.start()
    assert ready.wait(60)
    sleep(seconds)
    process.kill()
    process.join()


def _send_the_rest(background: Background) -> None:
    """Whatever workers held or RQ lost is found again, minute after minute."""
    for minutes in range(1, 30):
        with later(minutes=3 * minutes):
            background.recover()
            background.run()
        if set(states()) <= {"sent"}:
            return


def test_two_workers_send_each_push_once(app: Flask, background: Background, push: FakePush) -> None:
    people = crowd(300)
    subscriptions = agreeing(push, people)
    published()
    announce()
    owed = [one.id for one in all_deliveries()]
    with beside(app, lambda: deliver("announcement", owed[:100], lambda: False)):
        deliver("announcement", owed[200:], lambda: False)
    assert states() == {"sent": 300}
    assert {len(push.arrived(browser)) for browser in subscriptions} == {1}
    assert all(len(queries.timeline(one)) == 1 for one in owed)


def test_archived_half_way_nobody_is_told_any_more(
    app: Flask, background: Background, push: FakePush, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "FRESH", 0.0)  # or what was asked just before would still go
    who, people = author(), crowd(300)
    agreeing(push, people)
    announcement_id = published(who)
    announce()
    push.script(*[HOLD] * TO_ONE_HOST)
    with background.sending("announcement", *[one.id for one in all_deliveries()]):
        until(lambda: push.held == TO_ONE_HOST, "as many as may be are under way")
        with writing() as tx:
            assert archived(tx, who, announcement_id)
        push.release()
    announce()
    background.run()
    assert set(states()) == {"sent", "canceled"}
    assert states()["sent"] == TO_ONE_HOST, "no more than were under way"
    assert finished(announcement_id)


def test_who_read_it_in_the_inbox_gets_no_push_and_stays_with_it_read(
    app: Flask, background: Background, push: FakePush
) -> None:
    people = crowd(100)
    subscriptions = agreeing(push, people)
    announcement_id = published()
    announce()
    for one in people[:50]:
        mine = select(Notification.id).where(Notification.account_id == one)
        with writing() as tx:
            assert mark_read(tx, one, tx.session.scalars(mine).all())
    background.run()
    assert states() == {"canceled": 50, "sent": 50}
    assert [len(push.arrived(browser)) for browser in subscriptions] == [0] * 50 + [1] * 50
    tell_everybody()
    db.session.rollback()
    read = select(Notification.account_id).where(Notification.read_at.is_not(None))
    assert sorted(db.session.scalars(read)) == people[:50]
    assert finished(announcement_id)


def test_who_leaves_after_being_told_gets_no_push(app: Flask, background: Background, push: FakePush) -> None:
    people = crowd(4)
    subscriptions = agreeing(push, people)
    published()
    announce()
    change(Account, people[1], active=False)
    late = make_account()
    agreeing(push, [late])
    background.run()
    assert [len(push.arrived(browser)) for browser in subscriptions] == [1, 0, 1, 1]
    assert late not in told()


def test_a_slow_service_is_not_taken_for_a_dead_worker(
    app: Flask, background: Background, push: FakePush, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = crowd(2 * TO_ONE_HOST + 20)
    subscriptions = agreeing(push, people)
    announcement_id = published()
    announce()
    push.script(*[replace(ACCEPT, delay=2)] * len(people))
    monkeypatch.setattr(transitions, "LEASE", timedelta(seconds=4))  # or it would take minutes
    with beside(app, lambda: deliver("announcement", [one.id for one in all_deliveries()], lambda: False)) as sending:
        while sending.is_alive():
            figures = background.recover()
            assert (figures["lost"], figures["released"], figures["failed"]) == (0, 0, 0)
            sending.join(0.2)
    assert states() == {"sent": len(people)}
    assert {len(push.arrived(browser)) for browser in subscriptions} == {1}
    assert finished(announcement_id)


def test_a_gate_that_closes_in_the_middle_and_opens_again_costs_nobody_a_try(
    app: Flask, background: Background, push: FakePush
) -> None:
    people = crowd(300)
    subscriptions = agreeing(push, people)
    announcement_id = published()
    announce()
    first = [one.id for one in all_deliveries()][:100]
    gate = delivery(first[0]).gate_key
    push.script(*[HOLD] * TO_ONE_HOST)
    with background.sending("announcement", *first):
        until(lambda: push.held == TO_ONE_HOST, "as many as may be are under way")
        with writing() as tx:
            pause(tx, gate, "maintenance")
        push.release()
    sent = states()["sent"]
    assert sent < 300
    background.run()
    assert states()["sent"] == sent
    with writing() as tx:
        resume(tx, gate)
    background.run()
    assert (states(), finished(announcement_id)) == ({"sent": 300}, True)
    assert {len(push.arrived(browser)) for browser in subscriptions} == {1}
    assert {one.attempts for one in all_deliveries()} == {1}


def test_redis_flushed_in_the_middle_loses_nobody(
    app: Flask, background: Background, redis: ValkeyServer, push: FakePush
) -> None:
    people = crowd(300)
    subscriptions = agreeing(push, people)
    announcement_id = published()
    announce()
    background.tick()
    first, stop = [one.id for one in all_deliveries()][:100], Event()
    push.script(*[HOLD] * TO_ONE_HOST)
    with beside(app, lambda: deliver("announcement", first, stop.is_set)):
        until(lambda: push.held == TO_ONE_HOST, "as many as may be are under way")
        redis.flush()
        stop.set()
        push.release()
    assert (states()["sent"], finished(announcement_id)) == (TO_ONE_HOST, False)
    assert states()["queued"] >= 100, "RQ had them, and has them no more"
    with later(seconds=61):
        background.recover()
        background.run()
    assert (states(), finished(announcement_id)) == ({"sent": 300}, True)
    assert {len(push.arrived(browser)) for browser in subscriptions} == {1}
