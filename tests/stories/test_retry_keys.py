"""Promise: one retry key per message, known to be LINE's for 24 hours and never trusted beyond."""

import pytest
from flask import Flask

from app.audit import Actor, entries
from app.operations import deliveries as operations
from app.operations.deliveries import ConfirmationNeededError
from app.outbox.models import Delivery
from app.outbox.state import State
from app.reach.models import LineLink
from app.transaction import writing
from tests.factories import change, delivery, line_user, make_delivery
from tests.fakes.kind import Probe
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import ACCEPT_THEN_500, BAD_REQUEST, FAIL_500, RATE_LIMITED
from tests.fixtures.background import Background, later

OPERATOR = Actor(None, "operator")


def retry(owed: int, *, confirmed: bool = False) -> None:
    with writing() as tx:
        operations.retry(tx, OPERATOR, owed, confirmed=confirmed, seen_attempts=None)


def rotate(owed: int, *, confirmed: bool = False) -> None:
    with writing() as tx:
        operations.rotate_key(tx, OPERATOR, owed, confirmed=confirmed, seen_attempts=None)


def test_nothing_automatic_outlives_the_key(app: Flask, background: Background, line: FakeLine, probe: Probe) -> None:
    owed = make_delivery()
    line.script(FAIL_500)
    background.work()
    with later(hours=24):
        background.run()
    failed = delivery(owed)
    assert (failed.state, failed.failure_code, failed.dead_letter) == (State.FAILED, "RETRY_KEY_EXPIRED", False)
    assert len(line.requests) == 1


def test_a_retry_just_under_24_hours_keeps_the_key_and_line_sends_no_second_copy(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    line.script(ACCEPT_THEN_500)
    background.work()
    change(Delivery, owed, state=State.FAILED)
    with later(hours=23, minutes=59):
        retry(owed)
        background.work()
    assert delivery(owed).state == State.SENT
    assert len({request.retry_key for request in line.requests}) == 1
    assert len(line.accepted) == 1


def test_a_retry_after_24_hours_makes_a_new_key_once_the_operator_says_yes_to_a_possible_second_copy(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    line.script(ACCEPT_THEN_500)
    background.work()
    with later(hours=24, minutes=1):
        background.run()
        assert delivery(owed).failure_code == "RETRY_KEY_EXPIRED"
        with pytest.raises(ConfirmationNeededError):
            retry(owed)
        assert delivery(owed).state == State.FAILED
        retry(owed, confirmed=True)
        background.work()
    assert delivery(owed).state == State.SENT
    first, second = line.requests
    assert first.retry_key != second.retry_key
    noted = entries("delivery", owed)[-1]
    assert (noted.act, noted.actor_name) == ("retry", "operator")
    assert noted.detail["new_key"] is True
    assert noted.detail["may_double"] is True


def test_a_retry_after_24_hours_of_a_certain_refusal_asks_nothing(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    line.script(RATE_LIMITED)
    background.work()
    with later(hours=25):
        retry(owed)
        background.work()
    assert delivery(owed).state == State.SENT
    assert line.requests[0].retry_key != line.requests[1].retry_key


def test_a_changed_text_after_a_certain_refusal_goes_out_with_a_new_key(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    line.script(BAD_REQUEST)
    background.work()
    probe.text = "mended"
    retry(owed)
    background.work()
    first, second = line.requests
    assert first.retry_key != second.retry_key
    assert b"mended" in second.body
    assert delivery(owed).state == State.SENT


def test_a_changed_text_after_an_ambiguous_answer_gives_way_to_the_frozen_one(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    line.script(FAIL_500)
    background.work()
    probe.text = "mended"
    with later(minutes=3):
        background.run()
    first, second = line.requests
    assert (first.retry_key, first.body) == (second.retry_key, second.body)
    assert delivery(owed).state == State.SENT


def test_a_changed_address_after_an_ambiguous_answer_cancels(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    line.script(FAIL_500)
    background.work()
    change(LineLink, delivery(owed).address_id, line_user_id=line_user(99))
    with later(minutes=3):
        background.run()
    canceled = delivery(owed)
    assert (canceled.state, canceled.cancel_reason) == (State.CANCELED, "address_changed")
    assert len(line.requests) == 1


def test_a_changed_address_after_a_certain_refusal_is_written_to(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    line.script(BAD_REQUEST)
    background.work()
    change(LineLink, delivery(owed).address_id, line_user_id=line_user(99))
    retry(owed)
    background.work()
    assert line.accepted[0].to == line_user(99)


def test_rotating_the_key_sends_again_at_any_age_and_says_what_that_may_mean(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    owed = make_delivery()
    line.script(ACCEPT_THEN_500)
    background.work()
    assert delivery(owed).state == State.RETRY
    with pytest.raises(ConfirmationNeededError):
        rotate(owed)
    rotate(owed, confirmed=True)
    assert delivery(owed).round_attempts == 1, "a retry row stays in its round"
    background.work()
    assert delivery(owed).state == State.SENT
    assert len(line.accepted) == 2, "the operator said yes to a second copy"
    assert entries("delivery", owed)[-1].act == "rotate_key"


def test_the_frozen_request_is_erased_when_it_has_no_more_use(
    app: Flask, background: Background, line: FakeLine, probe: Probe
) -> None:
    sent, failed = make_delivery(), make_delivery()
    line.script(FAIL_500, BAD_REQUEST)
    background.work()
    assert all(delivery(owed).frozen_request for owed in (sent, failed))
    with later(minutes=3):
        background.run()
    assert delivery(sent).frozen_request is None
    with later(hours=24, minutes=1):
        background.recover()
    assert delivery(failed).frozen_request is None
