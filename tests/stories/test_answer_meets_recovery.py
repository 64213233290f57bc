"""Promise: a late answer and the recovery of the same row wait for each other in one order, and neither breaks."""

from datetime import timedelta
from threading import Thread

from flask import Flask

from app.clock import now
from app.outbox import queries, transitions
from app.outbox.attempts import AttemptResult
from app.outbox.models import Delivery
from app.outbox.moves import Begin, Ended, Finish
from app.outbox.state import AttemptOutcome
from app.transaction import writing
from tests.factories import change, make_delivery, make_tutor
from tests.fakes.kind import Probe


def test_answers_and_recovery_at_once_do_not_deadlock(app: Flask, probe: Probe) -> None:
    tutor = make_tutor()
    broke: list[str] = []
    for _ in range(10):
        owed = [make_delivery(tutor) for _ in range(8)]
        with writing() as tx:
            held = transitions.claim(tx, "probe", owed)
            attempts = transitions.begin(tx, [Begin(one, b"request", f"key{one.id:033}") for one in held])
        for delivery_id in owed:
            change(Delivery, delivery_id, lease_until=now() - timedelta(seconds=1))
        ends = [Ended(one, attempts[one.id], _accepted()) for one in held]

        def answer(ends: list[Ended] = ends) -> None:
            _guarded(app, broke, lambda: _in_transaction(ends))

        threads = [Thread(target=answer), Thread(target=_guarded, args=(app, broke, _recover))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(queries.timeline(delivery_id)[0].finished_at for delivery_id in owed)
    assert broke == []


def _accepted() -> Finish:
    accepted = AttemptResult(AttemptOutcome.ACCEPTED, may_have_arrived=True)
    return Finish.sent(accepted, "request id", already_accepted=False)


def _in_transaction(ends: list[Ended]) -> None:
    with writing() as tx:
        transitions.finish(tx, ends)


def _recover() -> None:
    with writing() as tx:
        transitions.rescue(tx, 100)


def _guarded(app: Flask, broke: list[str], work: object) -> None:
    assert callable(work)
    with app.app_context():
        try:
            work()
        except Exception as error:
            broke.append(type(error).__name__)
