"""What a bulk retry would do, told before it is done."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from flask import Flask

from app.clock import now
from app.codes import FailureCode
from app.operations.bulk_plan import Skip, plan
from app.outbox.retry_key import Key
from app.outbox.state import State
from tests.fakes.kind import Probe, registered
from tests.operations.bulks import all_failed, begin, failed, picked
from tests.outbox.ledger import KEY, place
from tests.plans import hearing

DAY = timedelta(hours=24)


def used(ago: timedelta, **changes: Any) -> dict[str, Any]:
    """A retry key, first used so long ago."""
    return {"retry_key": KEY, "retry_key_used_at": now() - ago, **changes}


def test_a_plan_counts_what_would_be_retried_by_kind_and_by_what_it_goes_out_with(ledger: Flask) -> None:
    with registered(Probe("other")):
        failed(2, **used(timedelta(hours=1), key_ambiguous=True))
        failed(3, **used(DAY), kind="other")
        failed(1)
        failed(1, channel="web_push", gate_key="web_push:push.example")
        planned = plan(all_failed())
    assert planned.total == 7
    assert planned.by_kind == {"probe": 4, "other": 3}
    assert planned.by_key == {Key.SAME: 2, Key.NEW: 3, Key.FIRST: 1, Key.NONE: 1}
    assert (planned.doubles, planned.skipped) == (0, {})


def test_what_could_arrive_twice_is_counted_apart(ledger: Flask) -> None:
    failed(2, **used(DAY, key_ambiguous=True))
    failed(3, **used(DAY))
    planned = plan(all_failed())
    assert (planned.total, planned.doubles) == (3, 2)
    assert planned.by_kind == {"probe": 3}


@pytest.mark.parametrize("seconds", [-1, 1])
def test_the_key_is_as_old_as_a_single_retry_would_find_it(
    ledger: Flask, clock: time_machine.Traveller, seconds: int
) -> None:
    """A request begun now must be over before LINE forgets the key: ten seconds earlier."""
    failed(1, **used(DAY - timedelta(seconds=10) + timedelta(seconds=seconds)))
    assert plan(all_failed()).by_key == {Key.NEW if seconds > 0 else Key.SAME: 1}


def test_of_a_filter_only_what_failed_before_it_was_looked_at_is_meant(
    ledger: Flask, clock: time_machine.Traveller
) -> None:
    for state in State:
        place(state)
    seen = all_failed()
    clock.shift(1)
    failed()
    assert plan(seen).total == 1
    assert plan(all_failed()).total == 2
    assert plan(all_failed(state=State.SENT)).total == 0


def test_a_filter_narrows_it_as_it_narrows_the_list(ledger: Flask) -> None:
    failed(2, failure_code=FailureCode.LINE_TIMEOUT)
    failed(1, failure_code=FailureCode.LINE_FORBIDDEN)
    assert plan(all_failed(code=FailureCode.LINE_TIMEOUT)).total == 2


def test_of_those_that_were_ticked_each_that_moved_on_is_told_by_its_state(ledger: Flask) -> None:
    ids = [place(state) for state in State]
    planned = plan(picked(*ids))
    assert planned.total == 1
    assert planned.skipped == {state: 1 for state in State if state is not State.FAILED}


def test_what_waits_in_another_bulk_retry_is_skipped(ledger: Flask) -> None:
    mine, _theirs = failed(2)
    begin(picked(mine))
    planned = plan(all_failed())
    assert (planned.total, planned.skipped) == (1, {Skip.WAITS_ELSEWHERE: 1})


def test_a_plan_is_one_question_however_many_there_are(ledger: Flask) -> None:
    for number in (1, 20):
        failed(number)
        with hearing() as asked:
            plan(all_failed())
        assert len(asked) == 1
