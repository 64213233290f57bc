"""Promise: a provider that is ill is left alone until it is well, and that costs nobody a try."""

from datetime import timedelta

import pytest
from flask import Flask

from app.clock import now
from app.engine.deliver import deliver
from app.engine.gate import REFUSALS, TROUBLES
from app.extensions import db
from app.outbox.gates import pause, resume
from app.outbox.queries import Standing, standings
from app.outbox.state import State
from app.transaction import writing
from tests.factories import delivery, make_delivery
from tests.fakes.kind import Probe
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import HOLD, Answer, reply
from tests.fixtures.background import Background, later, until


def standing() -> Standing | None:
    """How LINE's gate stands, if it is not simply open."""
    db.session.rollback()
    return next(iter(standings()), None)


def broken(line: FakeLine, answer: Answer, number: int) -> list[int]:
    """So many deliveries that met this answer."""
    line.script(*[answer] * number)
    owed = [make_delivery() for _ in range(number)]
    deliver("probe", owed, lambda: False)
    return owed


@pytest.mark.parametrize(("answer", "number"), [(reply(500), TROUBLES), (reply(401), REFUSALS), (reply(403), REFUSALS)])
def test_after_several_in_a_row_the_breaker_closes_and_the_others_wait_without_a_try(
    app: Flask, background: Background, line: FakeLine, probe: Probe, answer: Answer, number: int
) -> None:
    broken(line, answer, number - 1)
    assert standing() is None
    broken(line, answer, 1)
    shut = standing()
    assert shut is not None
    assert (shut.closed, shut.why) == (True, delivery(1).failure_code)
    waiting = make_delivery()
    background.run()
    assert (delivery(waiting).attempts, len(line.requests)) == (0, number)


def test_one_that_was_accepted_between_starts_the_count_anew(app: Flask, line: FakeLine, probe: Probe) -> None:
    broken(line, reply(500), TROUBLES - 1)
    deliver("probe", [make_delivery()], lambda: False)
    broken(line, reply(500), TROUBLES - 1)
    assert standing() is None


def test_one_delivery_that_fails_again_and_again_closes_nothing(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    line.script(*[reply(500)] * 6)
    make_delivery()
    for hours in range(6):
        with later(hours=hours):
            background.run()
    assert len(line.requests) == 6
    assert standing() is None


def test_a_refusal_that_speaks_of_one_message_closes_nothing(app: Flask, line: FakeLine, probe: Probe) -> None:
    broken(line, reply(400), 2 * TROUBLES)
    assert standing() is None


def test_one_probe_is_let_through_and_opens_the_gate_for_all(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    broken(line, reply(401), REFUSALS)
    waiting = [make_delivery() for _ in range(5)]
    line.requests.clear()
    with later(seconds=61):
        line.script(HOLD)
        with background.sending("probe", *waiting):
            until(lambda: line.held == 1, "LINE has the probe")
            assert len(line.requests) == 1, "one at a time"
            background.run()
            assert len(line.requests) == 1, "and no other worker sends a second"
            line.release()
        assert standing() is None
        background.run()
    assert {delivery(one).state for one in waiting} == {State.SENT}
    assert {delivery(one).attempts for one in waiting} == {1}


def test_a_probe_that_fails_closes_it_again_for_longer(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    broken(line, reply(401), REFUSALS)
    probing = make_delivery()
    with later(seconds=61):
        line.script(reply(401))
        background.run()
        shut = standing()
        found = delivery(probing)
        assert (found.state, found.failure_code, found.attempts) == (State.RETRY, "LINE_UNAUTHORIZED", 1)
        assert shut is not None
        assert shut.breaker_until is not None
        assert timedelta(seconds=110) < shut.breaker_until - now() <= timedelta(minutes=2)


def test_a_long_outage_of_our_credentials_ends_none_of_its_probes(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    broken(line, reply(401), REFUSALS)
    probing = make_delivery()
    line.script(*[reply(401)] * 8)
    for minutes in (2, 5, 10, 20, 40, 60, 80, 100):
        with later(minutes=minutes):
            background.run()
    assert (delivery(probing).state, delivery(probing).attempts) == (State.RETRY, 8)
    with later(minutes=120):
        background.run()
    assert (delivery(probing).state, standing()) == (State.SENT, None)


def test_paused_by_an_operator_nothing_goes_out_until_it_is_resumed(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    with writing() as tx:
        assert pause(tx, "line", "holidays")
        assert not pause(tx, "line", "again")
    waiting = make_delivery()
    background.run()
    with later(hours=5):
        background.run()
    assert (line.requests, delivery(waiting).attempts) == ([], 0)
    with writing() as tx:
        assert resume(tx, "line")
        assert not resume(tx, "line")
    background.run()
    assert delivery(waiting).state == State.SENT


def test_closed_while_a_worker_has_it_in_hand_it_goes_back_without_a_try(
    app: Flask, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()

    def close() -> None:
        with writing() as tx:
            pause(tx, "line", "now")

    probe.on_recheck = close
    deliver("probe", [owed], lambda: False)
    found = delivery(owed)
    assert (found.state, found.attempts, found.lease_token, line.requests) == (State.PENDING, 0, None, [])


def test_a_closed_gate_holds_up_nothing_behind_another(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    with writing() as tx:
        pause(tx, "web_push:fcm.googleapis.com", "")
    owed = make_delivery()
    background.run()
    assert delivery(owed).state == State.SENT
