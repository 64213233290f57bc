"""What an operator said of an issue outlives the repair of it: nothing has failed anew when the old is tried again."""

import pytest
import time_machine
from flask import Flask

from app import audit
from app.clock import now
from app.codes import FailureCode
from app.operations import issues
from app.operations.issues import Issue, Standing
from app.outbox import transitions
from app.outbox.models import Delivery
from app.outbox.state import State
from app.transaction import writing
from tests.factories import change
from tests.operations.bulks import begin, failed, released
from tests.outbox.ledger import MINUTE, claimed, place, quietly

CODE = FailureCode.LINE_BAD_REQUEST


def mark(standing: Standing, code: FailureCode = CODE) -> None:
    with writing() as tx:
        issues.mark(tx, audit.COMMAND_LINE, "line", code, standing, Standing.OPEN)


def only_issue() -> Issue:
    (found,) = issues.issues()
    return found


@pytest.mark.parametrize("standing", [Standing.ACKNOWLEDGED, Standing.RESOLVED])
def test_what_failed_before_and_is_retried_in_bulk_does_not_open_the_issue_again(
    ledger: Flask, clock: time_machine.Traveller, standing: Standing
) -> None:
    failed(3)
    clock.shift(MINUTE)
    mark(standing)
    clock.shift(MINUTE)
    bulk_id = begin()
    clock.shift(MINUTE)
    assert released(bulk_id)["retried"] == 3
    found = only_issue()
    assert (found.standing, found.came_back) == (standing, False)


@pytest.mark.parametrize("standing", [Standing.ACKNOWLEDGED, Standing.RESOLVED])
def test_what_failed_before_and_is_retried_by_hand_does_not_open_the_issue_again(
    ledger: Flask, clock: time_machine.Traveller, standing: Standing
) -> None:
    (one,) = failed()
    clock.shift(MINUTE)
    mark(standing)
    clock.shift(MINUTE)
    with quietly() as tx:
        assert transitions.retry(tx, one, new_key=False, seen_attempts=1)
    found = only_issue()
    assert (found.standing, found.came_back) == (standing, False)


def test_what_waits_to_be_retried_and_is_put_back_untried_does_not_open_a_resolved_issue_again(
    ledger: Flask, clock: time_machine.Traveller
) -> None:
    """A worker takes it and gives it back before any request, as for quiet hours or for a gate that was closed."""
    one = place(State.RETRY)
    clock.shift(MINUTE)
    mark(Standing.RESOLVED, FailureCode.LINE_TIMEOUT)
    clock.shift(MINUTE)
    taken = claimed(one)
    with quietly() as tx:
        assert transitions.release(tx, [taken]) == [one]
    found = only_issue()
    assert (found.standing, found.came_back) == (Standing.RESOLVED, False)


def test_who_sees_to_it_still_does_when_the_next_automatic_try_of_the_same_delivery_fails_too(
    ledger: Flask, clock: time_machine.Traveller
) -> None:
    one = place(State.RETRY)
    clock.shift(MINUTE)
    mark(Standing.ACKNOWLEDGED, FailureCode.LINE_TIMEOUT)
    clock.shift(MINUTE)
    change(Delivery, one, attempts=2, round_attempts=2, updated_at=now())
    assert only_issue().standing is Standing.ACKNOWLEDGED
