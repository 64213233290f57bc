"""What an outcome, or a recheck that could not be answered, makes of a delivery."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.channels.outcome import Accepted, Answer, Gone, Outcome, Rejected, Transient
from app.codes import CancelReason, FailureCode
from app.engine import settle
from app.kinds import TryLater
from app.outbox.moves import Claimed, Finish
from app.outbox.state import AttemptOutcome, State
from tests.engine.test_request import claimed_at
from tests.fakes.kind import Probe

SECOND = timedelta(seconds=1)
ANSWER = Answer(500, "r-1", "Internal server error")
TIMEOUT = Transient(FailureCode.LINE_TIMEOUT, ANSWER, may_have_arrived=True)
UNREACHABLE = Transient(FailureCode.LINE_UNREACHABLE, ANSWER, may_have_arrived=False)


@pytest.mark.parametrize("already", [True, False])
def test_what_was_accepted_is_sent(already: bool) -> None:
    finish = _after(Accepted(ANSWER, "winner", already))
    assert finish.to is State.SENT
    assert _values(finish)["provider_request_id"] == "winner"
    assert _values(finish)["already_accepted"] is already
    assert finish.attempt is not None
    assert finish.attempt.outcome == (AttemptOutcome.ALREADY_ACCEPTED if already else AttemptOutcome.ACCEPTED)
    assert (finish.attempt.provider_request_id, finish.attempt.duration) == ("r-1", SECOND)


@pytest.mark.parametrize(("tries_before", "to"), [(0, State.RETRY), (4, State.RETRY), (5, State.FAILED)])
@pytest.mark.parametrize("outcome", [TIMEOUT, UNREACHABLE])
def test_what_may_pass_is_tried_six_times_in_all(tries_before: int, to: State, outcome: Transient) -> None:
    finish = _after(outcome, tries_before)
    assert finish.to is to
    assert _values(finish).get("dead_letter", False) is (to is State.FAILED)
    assert _values(finish)["failure_code"] == outcome.code
    assert _values(finish).get("key_ambiguous", False) is outcome.may_have_arrived
    assert finish.attempt is not None
    assert (finish.attempt.next_attempt_at is not None) is (to is State.RETRY)
    assert _values(finish)["next_attempt_at"] == finish.attempt.next_attempt_at


@pytest.mark.parametrize("may_have_arrived", [True, False])
def test_what_was_refused_waits_for_a_person_and_is_no_dead_letter(may_have_arrived: bool) -> None:
    finish = _after(Rejected(FailureCode.LINE_CONFLICT, ANSWER, may_have_arrived))
    assert finish.to is State.FAILED
    assert _values(finish)["dead_letter"] is False
    assert _values(finish).get("key_ambiguous", False) is may_have_arrived


def test_whoever_is_gone_was_rightly_not_told_and_the_answer_stays_on_the_try() -> None:
    finish = _after(Gone(FailureCode.PUSH_GONE, Answer(410, None, "expired")))
    assert finish.to is State.CANCELED
    assert _values(finish)["cancel_reason"] == CancelReason.DEVICE_GONE
    assert finish.attempt is not None
    assert (finish.attempt.outcome, finish.attempt.code) == (AttemptOutcome.GONE, FailureCode.PUSH_GONE)
    assert (finish.attempt.http_status, finish.attempt.detail) == (410, "expired")
    assert finish.attempt.next_attempt_at is None


@pytest.mark.parametrize(("tries_before", "to"), [(0, State.RETRY), (5, State.FAILED)])
def test_a_recheck_that_could_not_be_answered_is_a_try(tries_before: int, to: State) -> None:
    finish = settle.after_try_later(Probe(), _claimed(tries_before), TryLater(FailureCode.SOURCE_ERROR))
    assert finish.to is to
    assert "key_ambiguous" not in _values(finish)
    assert finish.attempt is not None
    assert finish.attempt.outcome == AttemptOutcome.UNANSWERED


def test_what_was_accepted_and_could_not_be_noted_is_tried_again_as_perhaps_arrived() -> None:
    finish = settle.after_broken_told(Probe(), _claimed(0), _after(Accepted(ANSWER, "winner")))
    assert finish.to is State.RETRY
    assert _values(finish)["key_ambiguous"] is True
    assert _values(finish)["failure_code"] == FailureCode.SOURCE_ERROR
    assert finish.attempt is not None
    assert finish.attempt.outcome == AttemptOutcome.ACCEPTED


def _after(outcome: Outcome, tries_before: int = 0) -> Finish:
    return settle.after_outcome(Probe(), _claimed(tries_before), outcome, SECOND)


def _claimed(tries_before: int) -> Claimed:
    return replace(claimed_at(None), attempts=tries_before, round_attempts=tries_before)


def _values(finish: Finish) -> dict[str, object]:
    return dict(finish.values)
