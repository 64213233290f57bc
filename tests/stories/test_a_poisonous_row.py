"""Promise: a row that breaks its source, or kills its worker, spoils nobody else's delivery."""

from flask import Flask

from app.outbox import queries, transitions
from app.outbox.models import Delivery
from app.outbox.state import State
from app.transaction import writing
from tests.factories import change, delivery, make_delivery, make_tutor
from tests.fakes.kind import Probe
from tests.fakes.line import FakeLine
from tests.fixtures.background import Background, later
from tests.servers.valkey import ValkeyServer


def test_a_broken_recheck_is_a_try_of_that_row_alone(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    tutor = make_tutor()
    good, bad, fine = (make_delivery(tutor) for _ in range(3))
    probe.verdicts[bad] = ZeroDivisionError("the source broke")
    with background.sending("probe", good, bad, fine):
        pass
    assert [delivery(owed).state for owed in (good, bad, fine)] == [State.SENT, State.RETRY, State.SENT]
    broken = delivery(bad)
    assert (broken.failure_code, broken.attempts) == ("SOURCE_ERROR", 1)
    attempt = queries.timeline(bad)[0]
    assert (attempt.outcome, attempt.code, attempt.retry_key) == ("unanswered", "SOURCE_ERROR", None)


def test_a_recheck_that_stays_broken_ends_as_a_dead_letter(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    probe.verdicts[owed] = ZeroDivisionError("the source broke")
    for hours in range(6):
        with later(hours=hours):
            background.run()
    failed = delivery(owed)
    assert (failed.state, failed.failure_code, failed.dead_letter) == (State.FAILED, "SOURCE_ERROR", True)
    assert failed.attempts == 6
    assert line.requests == []


def test_what_recovery_took_back_travels_alone(
    app: Flask, background: Background, redis: ValkeyServer, probe: Probe
) -> None:
    tutor = make_tutor()
    rescued, other = make_delivery(tutor), make_delivery(tutor)
    change(Delivery, rescued, rescues=1)
    with writing() as tx:
        assert [one.id for one in transitions.claim(tx, [rescued, other])] == [other]
    with writing() as tx:
        assert [one.id for one in transitions.claim(tx, [rescued])] == [rescued]


def test_a_row_that_keeps_killing_its_worker_before_any_request_fails_after_the_fifth_time(
    app: Flask, background: Background, redis: ValkeyServer, probe: Probe
) -> None:
    owed = make_delivery()
    for round_ in range(5):
        assert delivery(owed).state != State.FAILED
        with later(minutes=5 * round_):
            with writing() as tx:
                transitions.claim(tx, [owed])
            with later(minutes=3):
                background.recover()
    failed = delivery(owed)
    assert (failed.state, failed.failure_code, failed.dead_letter) == (State.FAILED, "WORKER_LOST", True)
    assert failed.attempts == 0
