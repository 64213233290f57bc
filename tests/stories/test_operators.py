"""Promise: an operator's act is guarded by what stands in the ledger, and audited."""

from threading import Barrier, Thread

import pytest
from flask import Flask

from app.audit import Actor, entries
from app.extensions import db
from app.operations import deliveries as operations
from app.operations.deliveries import ConflictError, NoSuchDeliveryError
from app.outbox.state import State
from app.transaction import writing
from tests.factories import delivery, make_account, make_delivery
from tests.fakes.kind import Probe
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import HOLD, RATE_LIMITED
from tests.fixtures.background import Background, until
from tests.servers.valkey import ValkeyServer


def test_two_admins_who_press_retry_at_once_make_one_new_try(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    line.script(RATE_LIMITED)
    background.work()
    admins = [Actor(make_account("admin", name=name), name) for name in ("青木", "馬場")]
    together, conflicts = Barrier(2), []

    def press(admin: Actor) -> None:
        with app.app_context():
            together.wait()
            try:
                with writing() as tx:
                    operations.retry(tx, admin, owed, confirmed=False, seen_attempts=1)
            except ConflictError as conflict:
                conflicts.append(conflict)
            db.session.remove()

    _at_once(*(Thread(target=press, args=(admin,)) for admin in admins))
    background.run()
    assert len(conflicts) == 1
    assert delivery(owed).attempts == 2
    assert len(entries("delivery", owed)) == 1


def test_a_late_click_on_a_page_that_shows_an_older_try_makes_none(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    line.script(RATE_LIMITED, RATE_LIMITED)
    background.work()
    _retry(owed, seen_attempts=1)
    background.work()
    with pytest.raises(ConflictError):
        _retry(owed, seen_attempts=1)
    assert delivery(owed).attempts == 2


def test_a_retry_begins_a_new_round(app: Flask, background: Background, line: FakeLine, probe: Probe) -> None:
    owed = make_delivery()
    line.script(RATE_LIMITED)
    background.work()
    _retry(owed, seen_attempts=1)
    again = delivery(owed)
    assert (again.attempts, again.round_attempts, again.next_trigger) == (1, 0, "manual")
    assert again.finished_at is None


def test_what_is_being_sent_cannot_be_canceled(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    line.script(HOLD)
    owed = make_delivery()
    with background.sending("probe", owed):
        until(line.holding.is_set, "LINE has the request")
        with pytest.raises(ConflictError) as conflict, writing() as tx:
            operations.cancel(tx, Actor(None, "operator"), owed)
        line.release()
    assert conflict.value.state is State.SENDING
    assert delivery(owed).state == State.SENT
    assert entries("delivery", owed) == []


def test_a_canceled_delivery_is_not_sent(
    app: Flask, background: Background, redis: ValkeyServer, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    with writing() as tx:
        operations.cancel(tx, Actor(None, "operator"), owed)
    background.run()
    canceled = delivery(owed)
    assert (canceled.state, canceled.cancel_reason) == (State.CANCELED, "by_operator")
    assert line.requests == []
    assert [entry.act for entry in entries("delivery", owed)] == ["cancel"]


def test_an_unknown_delivery_is_named_as_such(app: Flask) -> None:
    with pytest.raises(NoSuchDeliveryError), writing() as tx:
        operations.cancel(tx, Actor(None, "operator"), 404)


def _retry(owed: int, *, seen_attempts: int) -> None:
    with writing() as tx:
        operations.retry(tx, Actor(None, "operator"), owed, confirmed=False, seen_attempts=seen_attempts)


def _at_once(*threads: Thread) -> None:
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
