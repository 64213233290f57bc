"""Promise: a row that breaks its source, or kills its worker, spoils nobody else's delivery."""

from flask import Flask
from sqlalchemy import text

from app.audit import Actor
from app.extensions import db
from app.kinds import Send
from app.operations import deliveries as operations
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
        assert [one.id for one in transitions.claim(tx, "probe", [rescued, other])] == [other]
    with writing() as tx:
        assert [one.id for one in transitions.claim(tx, "probe", [rescued])] == [rescued]


def test_a_row_that_keeps_killing_its_worker_before_any_request_fails_after_the_fifth_time(
    app: Flask, background: Background, redis: ValkeyServer, probe: Probe
) -> None:
    owed = make_delivery()
    for round_ in range(5):
        assert delivery(owed).state != State.FAILED
        with later(minutes=5 * round_):
            with writing() as tx:
                transitions.claim(tx, "probe", [owed])
            with later(minutes=3):
                background.recover()
    failed = delivery(owed)
    assert (failed.state, failed.failure_code, failed.dead_letter) == (State.FAILED, "WORKER_LOST", True)
    assert failed.attempts == 0


def test_a_message_that_cannot_be_composed_is_a_try_of_that_row_alone(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    tutor = make_tutor()
    good, bad = make_delivery(tutor), make_delivery(tutor)
    probe.verdicts[bad] = Send({"no": "message that LINE speaks"})
    with background.sending("probe", good, bad):
        pass
    assert [delivery(owed).state for owed in (good, bad)] == [State.SENT, State.RETRY]
    assert delivery(bad).failure_code == "SOURCE_ERROR"


def test_a_wrong_statement_in_a_source_is_its_own_fault_and_spoils_no_neighbour(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    tutor = make_tutor()
    good, bad = make_delivery(tutor), make_delivery(tutor)
    probe.on_each = lambda due: (
        db.session.execute(text("SELECT no_such_column FROM account")) if due.id == bad else None
    )
    with background.sending("probe", good, bad):
        pass
    assert [delivery(owed).state for owed in (good, bad)] == [State.SENT, State.RETRY]


def test_a_source_that_cannot_note_what_was_told_loses_neither_answer_nor_once_ness(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    probe.on_told = _broken
    background.work()
    waiting = delivery(owed)
    assert (waiting.state, waiting.failure_code) == (State.RETRY, "SOURCE_ERROR")
    assert queries.timeline(owed)[0].outcome == "accepted"
    probe.on_told = lambda: None
    with later(minutes=3):
        background.run()
    assert (delivery(owed).state, delivery(owed).already_accepted) == (State.SENT, True)
    assert probe.told_ids == [owed]
    assert len(line.accepted) == 1


def test_retrying_a_delivery_of_a_kind_that_is_gone_breaks_nobody(
    app: Flask, background: Background, redis: ValkeyServer, probe: Probe
) -> None:
    owed = make_delivery()
    change(Delivery, owed, state=State.FAILED, kind="forgotten")
    with writing() as tx:
        operations.retry(tx, Actor(None, "operator"), owed, confirmed=False, seen_attempts=None)
    assert delivery(owed).state == State.PENDING


def _broken() -> None:
    raise ZeroDivisionError("the source broke")
