"""The main flow, from a claim to its record."""

from flask import Flask

from app.engine.deliver import deliver
from app.outbox import queries
from app.outbox.state import State
from tests.factories import delivery, make_delivery
from tests.fakes.kind import Probe
from tests.fakes.line import FakeLine


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
