"""begin and finish: written down before the request, recorded after its answer, both fenced by the lease."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
import time_machine
from flask import Flask

from app.clock import now
from app.codes import CancelReason, FailureCode
from app.outbox import transitions
from app.outbox.attempts import AttemptResult
from app.outbox.moves import Begin, Claimed, Ended, Finish
from app.outbox.state import AttemptOutcome, State, Trigger
from tests.outbox.ledger import KEY, MINUTE, OTHER_KEY, REQUEST, begun, claimed, move, owing, place, quietly, row, tries

ACCEPTED = AttemptResult(AttemptOutcome.ACCEPTED, True, http_status=200, provider_request_id="r1")
REJECTED = AttemptResult(
    AttemptOutcome.REJECTED, False, FailureCode.LINE_BAD_REQUEST, http_status=400, detail="May not"
)
TRANSIENT = AttemptResult(AttemptOutcome.TRANSIENT, True, FailureCode.LINE_TIMEOUT)
NEVER_CONNECTED = AttemptResult(AttemptOutcome.TRANSIENT, False, FailureCode.LINE_UNREACHABLE)
UNANSWERED = AttemptResult(AttemptOutcome.UNANSWERED, False, FailureCode.SOURCE_ERROR)
NOT_SENDING = [state for state in State if state is not State.SENDING]
SENT = Finish.sent(ACCEPTED, "r1", already_accepted=False)


def again(result: AttemptResult = TRANSIENT) -> Finish:
    """Another try in two minutes."""
    return Finish.retry(FailureCode.LINE_TIMEOUT, result.trying_again_at(now() + 2 * MINUTE))


ENDINGS: dict[State, Callable[[], Finish]] = {
    State.SENT: lambda: SENT,
    State.CANCELED: lambda: Finish.canceled(CancelReason.SHIFT_CHANGED, "moved"),
    State.RETRY: again,
    State.FAILED: lambda: Finish.failed(FailureCode.LINE_BAD_REQUEST, REJECTED),
}


def test_a_request_is_written_down_before_it_is_made(ledger: Flask, clock: time_machine.Traveller) -> None:
    one = claimed(place(State.RETRY, next_trigger=Trigger.MANUAL))
    clock.shift(30)
    attempt = begun(one)
    found = row(one.id)
    assert (found["state"], found["attempts"], found["round_attempts"]) == (State.SENDING, 2, 2)
    assert (found["retry_key"], found["retry_key_used_at"], found["frozen_request"]) == (KEY, now(), REQUEST)
    assert found["lease_until"] == now() + timedelta(seconds=120)
    (written,) = tries(one.id)
    assert (written["id"], written["number"], written["trigger"]) == (attempt, 2, Trigger.MANUAL)
    assert (written["started_at"], written["finished_at"], written["retry_key"]) == (now(), None, KEY)
    assert written["may_have_arrived"] is True, "until an answer says otherwise"


def test_the_first_use_of_a_key_is_kept_when_it_is_used_again(ledger: Flask) -> None:
    first_use = now() - 5 * MINUTE
    one = claimed(place(State.RETRY, retry_key=KEY, retry_key_used_at=first_use, key_ambiguous=True))
    begun(one, KEY)
    assert (row(one.id)["retry_key_used_at"], row(one.id)["key_ambiguous"]) == (first_use, True)


def test_a_new_key_is_first_used_now_and_nobody_can_have_seen_it(ledger: Flask) -> None:
    one = claimed(place(State.RETRY, retry_key=KEY, retry_key_used_at=now() - MINUTE, key_ambiguous=True))
    begun(one, OTHER_KEY, b"new")
    found = row(one.id)
    assert (found["retry_key"], found["retry_key_used_at"], found["key_ambiguous"]) == (OTHER_KEY, now(), False)
    assert found["frozen_request"] == b"new"


def test_a_channel_without_keys_freezes_nothing(ledger: Flask) -> None:
    one = claimed(owing())
    begun(one, None)
    assert (row(one.id)["retry_key"], row(one.id)["frozen_request"]) == (None, None)


def test_no_request_is_begun_when_the_lease_is_over(ledger: Flask, clock: time_machine.Traveller) -> None:
    one = claimed(owing())
    clock.shift(120)
    _does_not_begin(one)


def test_no_request_is_begun_under_another_workers_lease(ledger: Flask) -> None:
    _does_not_begin(replace(claimed(owing()), lease_token="b" * 32))


@pytest.mark.parametrize("state", NOT_SENDING)
def test_no_request_is_begun_for_what_is_no_longer_being_sent(ledger: Flask, state: State) -> None:
    one = claimed(owing())
    move(one.id, state)
    _does_not_begin(one)


@pytest.mark.parametrize("to", ENDINGS)
def test_a_claim_ends_in_each_of_its_four_ways(ledger: Flask, to: State) -> None:
    one = claimed(owing())
    attempt = begun(one)
    finish = ENDINGS[to]()
    with quietly() as tx:
        assert transitions.finish(tx, [Ended(one, attempt, finish)]) == {one.id}
    found = row(one.id)
    assert (found["state"], found["lease_token"], found["lease_until"]) == (to, None, None)
    assert found["finished_at"] == (None if to is State.RETRY else now())
    assert found["next_attempt_at"] == (now() + 2 * MINUTE if to is State.RETRY else None)
    assert (found["frozen_request"] is None) == (to in (State.SENT, State.CANCELED))
    assert (found["attempts"], found["next_trigger"]) == (1, Trigger.AUTO)


def test_an_acceptance_is_recorded_with_its_id_and_leaves_no_failure(ledger: Flask) -> None:
    one = claimed(place(State.RETRY))
    attempt = begun(one)
    with quietly() as tx:
        transitions.finish(tx, [Ended(one, attempt, Finish.sent(ACCEPTED, "winner", already_accepted=True))])
    found = row(one.id)
    assert (found["provider_request_id"], found["already_accepted"], found["failure_code"]) == ("winner", True, None)
    (written,) = tries(one.id)
    assert (written["outcome"], written["http_status"], written["provider_request_id"]) == ("accepted", 200, "r1")


def test_ambiguity_lasts_until_the_key_is_replaced(ledger: Flask) -> None:
    one = claimed(owing())
    attempt = begun(one)
    with quietly() as tx:
        transitions.finish(tx, [Ended(one, attempt, again())])
    move(one.id, State.QUEUED)
    two = claimed(one.id)
    attempt = begun(two)
    with quietly() as tx:
        transitions.finish(tx, [Ended(two, attempt, again(NEVER_CONNECTED))])
    assert row(one.id)["key_ambiguous"] is True
    assert [one["may_have_arrived"] for one in tries(one.id)] == [True, False]


def test_a_recheck_that_could_not_be_answered_is_a_try_without_a_request(ledger: Flask) -> None:
    one = claimed(owing())
    with quietly() as tx:
        assert transitions.finish(tx, [Ended(one, None, again(UNANSWERED))])
    found = row(one.id)
    assert (found["state"], found["attempts"], found["round_attempts"], found["retry_key"]) == (State.RETRY, 1, 1, None)
    (written,) = tries(one.id)
    assert (written["number"], written["outcome"], written["code"]) == (1, "unanswered", FailureCode.SOURCE_ERROR)
    assert written["may_have_arrived"] is False
    assert written["next_attempt_at"] == now() + 2 * MINUTE


@pytest.mark.parametrize("to", ENDINGS)
def test_a_late_answer_changes_no_state_and_is_kept_on_its_attempt(
    ledger: Flask, clock: time_machine.Traveller, to: State
) -> None:
    one = claimed(owing())
    attempt = begun(one)
    clock.shift(121)
    with quietly() as tx:
        transitions.rescue(tx, 10)
    two = claimed(one.id)
    before = row(one.id)
    finish = ENDINGS[to]()
    with quietly() as tx:
        assert transitions.finish(tx, [Ended(one, attempt, finish)]) == set()
    assert row(one.id) == before
    assert before["lease_token"] == two.lease_token
    (written,) = tries(one.id)
    assert written["outcome"] == (finish.attempt.outcome if finish.attempt else AttemptOutcome.LOST)
    assert written["may_have_arrived"] is (finish.attempt.may_have_arrived if finish.attempt else True)


def test_a_late_recheck_that_could_not_be_answered_leaves_nothing(ledger: Flask) -> None:
    one = replace(claimed(owing()), lease_token="b" * 32)
    before = row(one.id)
    with quietly() as tx:
        assert transitions.finish(tx, [Ended(one, None, again(UNANSWERED))]) == set()
    assert (row(one.id), tries(one.id)) == (before, [])


@pytest.mark.parametrize("state", NOT_SENDING)
@pytest.mark.parametrize("to", ENDINGS)
def test_only_what_is_being_sent_can_end(ledger: Flask, state: State, to: State) -> None:
    one = claimed(owing())
    move(one.id, state)
    before = row(one.id)
    with quietly() as tx:
        assert transitions.finish(tx, [Ended(one, None, ENDINGS[to]())]) == set()
    assert (row(one.id), tries(one.id)) == (before, [])


def _does_not_begin(one: Claimed) -> None:
    before = row(one.id)
    with quietly() as tx:
        assert transitions.begin(tx, [Begin(one, REQUEST, KEY)]) == {}
    assert (row(one.id), tries(one.id)) == (before, [])
