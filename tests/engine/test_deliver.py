"""The main flow, from a claim to its record."""

from contextlib import ExitStack
from threading import Event
from time import monotonic

from flask import Flask
from sqlalchemy import event

from app.engine.deliver import MARKING_TAKES, deliver
from app.extensions import db
from app.outbox import queries, transitions
from app.outbox.state import State
from app.transaction import writing
from tests.bare_app import beside
from tests.factories import delivery, make_delivery, make_tutor, owe
from tests.fakes.kind import Probe
from tests.fakes.line import FakeLine
from tests.outbox.ledger import quietly


def test_what_is_owed_is_sent_once_and_told(app: Flask, line: FakeLine, probe: Probe) -> None:
    owed = make_delivery()
    deliver("probe", [owed], lambda: False)
    deliver("probe", [owed], lambda: False)
    sent = delivery(owed)
    assert sent.state == State.SENT
    assert sent.provider_request_id == line.accepted[0].request_id
    assert len(line.accepted) == 1
    assert probe.told_ids == [owed]
    assert [attempt.outcome for attempt in queries.timeline(owed)] == ["accepted"]


def test_a_job_that_comes_while_its_delivery_is_being_marked_waits_for_the_mark(
    app: Flask, line: FakeLine, probe: Probe
) -> None:
    tutor, looked = make_tutor(), Event()
    with quietly() as tx:
        owed = owe(tx, tutor)
    event.listen(db.engine, "commit", lambda _connection: looked.set())
    with ExitStack() as until_it_ended, writing() as tx:
        transitions.hand_over(tx, [owed])
        until_it_ended.enter_context(beside(app, lambda: deliver("probe", [owed], lambda: False)))
        if db.engine.dialect.name == "postgresql":  # on SQLite it waits for whoever writes
            assert looked.wait(10), "it passed by what is held"
    assert delivery(owed).state == State.SENT


def test_a_job_whose_delivery_is_in_other_hands_waits_for_nobody(app: Flask, line: FakeLine, probe: Probe) -> None:
    owed = make_delivery()
    with quietly() as tx:
        transitions.claim(tx, "probe", [owed])
    began = monotonic()
    deliver("probe", [owed], lambda: False)
    assert monotonic() - began < MARKING_TAKES
    assert line.requests == []
