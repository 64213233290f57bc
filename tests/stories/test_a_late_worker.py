"""Promise: a worker that lost its lease changes nothing; what LINE accepted from it is recognised by its key."""

from flask import Flask

from app.outbox import queries
from app.outbox.state import State
from tests.factories import delivery, make_delivery
from tests.fakes.kind import Probe
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import HOLD
from tests.fixtures.background import Background, later, until


def test_a_late_answer_changes_no_state_but_stays_on_its_attempt(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    line.script(HOLD)
    owed = make_delivery()
    with background.sending("probe", owed):
        until(line.holding.is_set, "LINE has the request")
        with later(seconds=121):
            assert background.recover()["lost"] == 1
        assert (delivery(owed).state, delivery(owed).failure_code) == (State.QUEUED, "WORKER_LOST")
        assert delivery(owed).key_ambiguous
        line.release()
    assert delivery(owed).state == State.QUEUED, "the late answer moved nothing"
    assert queries.timeline(owed)[0].outcome == "accepted"
    assert probe.told_ids == []

    background.run()
    sent = delivery(owed)
    assert (sent.state, sent.already_accepted) == (State.SENT, True)
    assert len(line.accepted) == 1
    assert [attempt.trigger for attempt in queries.timeline(owed)] == ["auto", "recovery"]
    assert probe.told_ids == [owed]


def test_a_worker_whose_lease_ran_out_before_its_request_makes_none(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()

    def sleep_too_long() -> None:
        probe.on_recheck = lambda: None
        with later(seconds=121):
            background.recover()

    probe.on_recheck = sleep_too_long
    with background.sending("probe", owed):
        pass
    assert line.requests == []
    assert delivery(owed).state in (State.PENDING, State.QUEUED)
    assert delivery(owed).rescues == 1
