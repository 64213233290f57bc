"""Promise: a try that the provider cannot have seen because we failed is not a try."""

from datetime import timedelta
from threading import Event, Thread

import pytest
from flask import Flask
from sqlalchemy import QueuePool
from sqlalchemy.exc import OperationalError

from app.clock import now
from app.codes import FailureCode
from app.engine.deliver import deliver
from app.engine.flight import TO_ONE_HOST
from app.extensions import db
from app.kinds import Ask, Due, FinalVerdict, Hold, TryLater
from app.outbox.state import State
from tests.factories import delivery, make_delivery, make_tutor, soon
from tests.fakes.kind import Probe
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import HOLD
from tests.fixtures.background import Background, later, until


def test_our_database_failing_in_the_recheck_gives_the_row_back_without_a_try(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    probe.verdicts[owed] = OperationalError("SELECT", {}, Exception("gone"))
    with pytest.raises(OperationalError):
        deliver("probe", [owed], lambda: False)
    assert (delivery(owed).state, delivery(owed).attempts) == (State.PENDING, 0)
    probe.verdicts.clear()
    background.run()
    assert delivery(owed).state == State.SENT


def test_sigterm_in_the_middle_waits_for_what_was_begun_and_gives_back_the_rest(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    tutor = make_tutor()
    owed = [make_delivery(tutor) for _ in range(TO_ONE_HOST + 2)]
    line.script(*[HOLD] * TO_ONE_HOST)
    stop = Event()

    def work() -> None:
        with app.app_context():
            deliver("probe", owed, stop.is_set)

    worker = Thread(target=work)
    worker.start()
    until(lambda: line.held == TO_ONE_HOST, "LINE has as many requests as one host gets at once")
    stop.set()
    line.release()
    worker.join()
    assert [delivery(one).state for one in owed] == [State.SENT] * TO_ONE_HOST + [State.PENDING] * 2
    assert {(delivery(one).attempts, delivery(one).lease_token) for one in owed[TO_ONE_HOST:]} == {(0, None)}


def test_held_back_is_not_a_try(app: Flask, background: Background, line: FakeLine, probe: Probe) -> None:
    owed = make_delivery()
    morning = soon(minutes=600)
    probe.verdicts[owed] = Hold(morning)
    background.run()
    held = delivery(owed)
    assert (held.state, held.attempts, held.next_attempt_at) == (State.PENDING, 0, morning)
    probe.verdicts.clear()
    with later(minutes=599):
        background.run()
        assert delivery(owed).state == State.PENDING
    with later(minutes=601):
        background.run()
        assert delivery(owed).state == State.SENT


def test_a_recheck_that_could_not_be_answered_is_a_try_and_its_wait_is_only_lengthened(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    patient, hasty = make_delivery(), make_delivery()
    probe.verdicts[patient] = TryLater(FailureCode.SOURCE_ERROR, after=timedelta(minutes=30))
    probe.verdicts[hasty] = TryLater(FailureCode.SOURCE_ERROR, after=timedelta(seconds=1))
    background.run()
    waits = [delivery(owed).next_attempt_at for owed in (patient, hasty)]
    assert waits[0] is not None
    assert waits[1] is not None
    assert waits[0] - now() > timedelta(minutes=29)
    assert waits[1] - now() > timedelta(minutes=1, seconds=55)


def test_a_question_to_the_network_is_asked_outside_any_transaction_and_judged(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    pool = db.engine.pool
    assert isinstance(pool, QueuePool)
    in_use: list[int] = []

    def question() -> str:
        in_use.append(pool.checkedout())
        return "still cheap"

    probe.verdicts[owed] = Ask(question, "shop.example")
    answers: list[object] = []

    def judge(due: Due, answer: object) -> FinalVerdict:
        answers.append(answer)
        return probe.send(due)

    probe.on_judge = judge
    background.run()
    assert (in_use, answers) == ([0], ["still cheap"])
    assert delivery(owed).state == State.SENT
