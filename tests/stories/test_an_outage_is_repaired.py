"""Promise: what failed in an outage is repaired by one act, at a rate that was chosen, and nobody is told twice."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from flask import Flask
from sqlalchemy import func, select

from app.audit import AuditEntry
from app.clock import now
from app.codes import FailureCode
from app.extensions import broker, db
from app.kinds import RetryPolicy
from app.operations import deliveries
from app.operations.bulk import NothingToRetryError
from app.operations.bulk_listing import Outcome, get_bulk_retry, outcomes
from app.outbox.models import Delivery
from app.outbox.state import State
from app.transaction import writing
from tests.factories import delivery, make_tutor, owe_many
from tests.fakes.kind import Probe
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import ACCEPT_THEN_500, QUOTA_EXCEEDED
from tests.fixtures.background import Background, until
from tests.operations.bulks import admin, all_failed, begin, items, picked, row, stopped, tally
from tests.servers.valkey import ValkeyServer

NUMBER, FASTEST = 300, 1800


@pytest.fixture
def impatient(probe: Probe) -> Probe:
    """Its deliveries fail at their first try."""
    probe.retry = RetryPolicy(tries=1, first_wait=timedelta(minutes=1), longest_wait=timedelta(minutes=1))
    return probe


def failed_in_an_outage(background: Background, line: FakeLine, number: int = NUMBER) -> list[int]:
    """So many deliveries that LINE refused, but for three: those it accepted, and answered with an error."""
    line.script(*[ACCEPT_THEN_500] * 3, *[QUOTA_EXCEEDED] * (number - 3))
    with writing() as tx:
        made = owe_many(tx, make_tutor(), number)
    background.work()
    assert _states() == {State.FAILED: number}
    return made


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Time goes on, and sometimes leaps."""
    with time_machine.travel(now(), tick=True) as traveller:
        yield traveller


@pytest.fixture
def life(background: Background, clock: time_machine.Traveller) -> "Life":
    return Life(background, clock)


@dataclass(frozen=True)
class Life:
    """What happens by itself as time goes on."""

    background: Background
    clock: time_machine.Traveller

    def goes_on(self, seconds: int = 30) -> None:
        """The clock rings every other second, and a worker answers."""
        for _ in range(seconds // 2):
            self.clock.shift(2)
            self.background.run()

    def leaps(self, minutes: int) -> None:
        """The same clock and workers, so much later."""
        self.clock.shift(60 * minutes)
        self.background.restart_clock()
        self.background.scan_now()
        self.background.work()
        self.background.run()


def test_all_are_sent_once_as_fast_as_was_chosen_and_no_faster(
    app: Flask, background: Background, life: Life, line: FakeLine, impatient: Probe
) -> None:
    failed_in_an_outage(background, line)
    who, chosen = admin(), all_failed()
    bulk_id = begin(chosen, by=who, form="form", rate=FASTEST)
    assert begin(chosen, by=who, form="form", rate=FASTEST) == bulk_id
    for _ in range(15):
        life.goes_on(2)
        assert row(bulk_id).released <= (now() - row(bulk_id).made_at).total_seconds() * FASTEST / 60
    assert _states() == {State.SENT: NUMBER}
    assert len(line.accepted) == NUMBER
    assert _once(line)
    assert _outcomes(bulk_id) == {Outcome.SENT: NUMBER}
    assert row(bulk_id).finished_at is not None
    assert _retries() == NUMBER


def test_two_administrators_who_repair_at_once_repair_each_once(
    app: Flask, background: Background, life: Life, line: FakeLine, impatient: Probe
) -> None:
    mine = failed_in_an_outage(background, line)
    one = begin(picked(*mine[:120]), rate=FASTEST)
    other = begin(rate=FASTEST)
    assert (tally(one), tally(other)) == ({"waiting": 120}, {"waiting": NUMBER - 120, "skipped": 120})
    with pytest.raises(NothingToRetryError):
        begin(rate=FASTEST)
    life.goes_on()
    assert _states() == {State.SENT: NUMBER}
    assert _once(line)
    assert _retries() == NUMBER


def test_stopped_half_way_the_rest_stays_unsent_until_somebody_goes_on(
    app: Flask, background: Background, life: Life, line: FakeLine, impatient: Probe
) -> None:
    failed_in_an_outage(background, line)
    bulk_id = begin(rate=FASTEST)
    life.goes_on(4)
    stopped(bulk_id)
    life.goes_on()
    done = row(bulk_id).released
    assert 0 < done < NUMBER
    assert _states() == {State.SENT: done, State.FAILED: NUMBER - done}
    rest = begin(rate=FASTEST)
    life.goes_on()
    assert row(rest).total == NUMBER - done
    assert _states() == {State.SENT: NUMBER}
    assert _once(line)


def test_killed_while_it_releases_every_item_was_retried_or_waits(
    app: Flask, background: Background, life: Life, line: FakeLine, impatient: Probe
) -> None:
    failed_in_an_outage(background, line)
    bulk_id = begin(rate=300)
    process = background.spawn("--no-clock")

    def releases() -> int:
        background.tick()
        return row(bulk_id).released

    until(releases, "something is released")
    background.kill(process)
    done = row(bulk_id).released
    assert tally(bulk_id) == {"released": done, "waiting": NUMBER - done}
    assert _states()[State.FAILED] == NUMBER - done
    assert _retries() == done
    life.leaps(minutes=3)  # after two minutes nobody believes any more that the dead one is at it
    life.goes_on(10)
    assert _states() == {State.SENT: NUMBER}
    assert _once(line)
    assert _retries() == NUMBER


def test_what_somebody_retried_by_hand_meanwhile_is_left_alone(
    app: Flask, background: Background, life: Life, line: FakeLine, impatient: Probe
) -> None:
    *_others, last = failed_in_an_outage(background, line, 60)
    bulk_id, by_hand = begin(rate=FASTEST), admin()
    with writing() as tx:
        deliveries.retry(tx, by_hand.actor, last, confirmed=False, seen_attempts=1)
    background.work()
    life.goes_on()
    assert items(bulk_id)[last] == ("skipped", State.SENT)
    assert _outcomes(bulk_id) == {Outcome.SENT: 59, Outcome.SKIPPED: 1}
    assert _states() == {State.SENT: 60}
    assert _once(line)
    assert delivery(last).attempts == 2


def test_a_second_round_that_fails_again_is_seen_and_repaired_by_a_third(
    app: Flask, background: Background, life: Life, line: FakeLine, impatient: Probe
) -> None:
    failed_in_an_outage(background, line, 60)
    line.script(*[QUOTA_EXCEEDED] * 60)
    first = begin(rate=FASTEST)
    life.goes_on()
    assert _outcomes(first) == {Outcome.FAILED: 60}
    assert _codes() == {FailureCode.LINE_QUOTA_EXCEEDED: 60}
    second = begin(rate=FASTEST)
    life.goes_on()
    assert _outcomes(second) == {Outcome.SENT: 60}
    assert _once(line)


def test_without_redis_it_begins_all_the_same_and_the_next_slot_releases(
    app: Flask, background: Background, life: Life, line: FakeLine, impatient: Probe, redis: ValkeyServer
) -> None:
    failed_in_an_outage(background, line, 30)
    redis.kill()
    bulk_id = begin(rate=FASTEST)
    redis.start()
    assert tally(bulk_id) == {"waiting": 30}
    life.leaps(minutes=1)
    assert _states() == {State.SENT: 30}
    assert _once(line)


def test_each_second_there_is_one_run_however_many_bulk_retries_there_are(
    app: Flask, background: Background, life: Life, line: FakeLine, impatient: Probe
) -> None:
    mine = failed_in_an_outage(background, line, 10)
    for one in mine:
        begin(picked(one))
    woken = broker.queue("urgent").scheduled_job_registry.get_job_ids()
    assert len([one for one in woken if one.startswith("scan-bulk_retry-")]) <= 3


def _outcomes(bulk_id: int) -> dict[Outcome, int]:
    db.session.rollback()
    line = get_bulk_retry(bulk_id)
    assert line is not None
    return {outcome: number for outcome, number in outcomes(line).items() if number}


def _states() -> dict[str, int]:
    return _count(Delivery.state)


def _codes() -> dict[str | None, int]:
    return _count(Delivery.failure_code)


def _count(column: Any) -> dict[Any, int]:
    db.session.rollback()
    return dict(db.session.execute(select(column, func.count()).group_by(column)).all())


def _retries() -> int:
    """How many retries were written down."""
    db.session.rollback()
    return db.session.scalar(select(func.count()).where(AuditEntry.act == "retry")) or 0


def _once(line: FakeLine) -> bool:
    return max(Counter(one.retry_key for one in line.accepted).values()) == 1
