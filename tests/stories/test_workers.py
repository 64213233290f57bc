"""Promise: workers share what is owed, one has time for what is urgent, and whoever is ended leaves in order."""

import signal
import subprocess
from collections import Counter

from flask import Flask
from rq.registry import StartedJobRegistry
from rq.serializers import JSONSerializer
from sqlalchemy import func, select

from app.background.worker import ALL, make_worker
from app.clock import now
from app.engine.flight import TO_ONE_HOST
from app.engine.handover import JOB_TIMEOUT, JOBS_PER_QUEUE
from app.extensions import broker, db
from app.kinds import QueueName
from app.outbox.models import Delivery
from app.outbox.state import State
from app.sources.classroom.telling.tell import remind
from app.transaction import writing
from tests.factories import delivery, line_user, make_shift, make_tutor, owe_many
from tests.fakes.kind import Probe, registered
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import HOLD
from tests.fixtures.background import Background, later, until
from tests.servers.valkey import ValkeyServer

MANY, HELD = 400, 2 * TO_ONE_HOST
SLOW_USER = line_user(999)


def test_two_share_what_is_owed_and_when_ended_finish_what_they_began_and_give_back_the_rest(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    pool, tutor = _pool(background), make_tutor(line_user_id=SLOW_USER)
    _owe(tutor, probe)
    until(lambda: _states() == {State.SENT: MANY}, "all are sent")
    line.script_for(SLOW_USER, *[HOLD] * HELD)
    _owe(tutor, probe)
    until(lambda: line.held == HELD, "each of the two has made as many requests as may go to one host")
    assert _states()[State.SENDING] > HELD, "and holds some that are not begun"

    pool.send_signal(signal.SIGTERM)
    until(lambda: _states()[State.SENDING] == HELD, "they gave back what was not begun")
    line.release()
    assert pool.wait(timeout=5) == 0, "within honcho's five seconds"
    assert _states()[State.SENT] == MANY + HELD
    assert State.SENDING not in _states()

    background.run()
    assert _states() == {State.SENT: 2 * MANY}
    assert set(Counter(one.retry_key for one in line.requests).values()) == {1}


def test_one_of_two_is_free_for_what_is_urgent_whatever_the_other_sends_in_bulk(
    app: Flask, background: Background, line: FakeLine
) -> None:
    with registered(Probe("bulk_probe", QueueName.BULK)) as bulk:
        _owe(make_tutor(line_user_id=SLOW_USER), bulk)
        line.script_for(SLOW_USER, *[HOLD] * MANY)
        _pool(background)
        until(lambda: line.held == TO_ONE_HOST, "the second one has its hands full")
        urgent = _remind()
        until(lambda: delivery(urgent).state == State.SENT, "the reminder is sent")
        assert line.held == TO_ONE_HOST, "and the first one has left the others alone"


def test_a_burst_ends_when_nothing_is_owed_although_there_was_no_room_for_it_at_first(
    app: Flask, background: Background, line: FakeLine
) -> None:
    for _ in range(JOBS_PER_QUEUE):
        broker.queue(QueueName.URGENT).enqueue("app.background.jobs.deliver", kwargs={"kind": "shift_table", "ids": []})
    owed = _remind()
    assert delivery(owed).state == State.PENDING
    assert background.spawn("--burst").wait(timeout=30) == 0
    assert delivery(owed).state == State.SENT


def test_what_a_killed_worker_left_in_rq_is_cleaned_up(
    app: Flask, background: Background, redis: ValkeyServer, line: FakeLine
) -> None:
    line.script(HOLD)
    _remind()
    killed = background.spawn("--no-clock")
    until(line.holding.is_set, "LINE has the request")
    background.kill(killed)
    assert _started() == 1
    with later(seconds=JOB_TIMEOUT + 61):
        background.work()
        assert _started() == 0


def test_an_idle_worker_comes_to_clean_up_about_once_a_minute(app: Flask, redis: ValkeyServer) -> None:
    worker = make_worker(app, ALL, broker.for_worker())
    worker.last_cleaned_at = now()  # type: ignore[assignment]  # RQ declares it as None
    assert worker.dequeue_timeout <= 45
    with later(seconds=61):
        assert worker.should_run_maintenance_tasks


def _owe(tutor: int, kind: Probe) -> None:
    with writing() as tx:
        owe_many(tx, tutor, MANY, kind=kind.name)


def _pool(background: Background) -> subprocess.Popen[bytes]:
    return background.spawn("--processes", "2", "--no-clock", program=("-m", "tests.fakes.workers"))


def _remind() -> int:
    make_shift(make_tutor())
    remind()
    return db.session.scalars(select(Delivery.id).where(Delivery.kind == "shift_reminder")).one()


def _started() -> int:
    queue = broker.queue(QueueName.URGENT)
    registry = StartedJobRegistry(queue=queue, serializer=JSONSerializer)
    return registry.get_job_count(cleanup=False)


def _states() -> dict[str, int]:
    db.session.rollback()
    return dict(db.session.execute(select(Delivery.state, func.count()).group_by(Delivery.state)).all())
