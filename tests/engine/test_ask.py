"""Rechecks that ask the network: many at once, outside any transaction, and none holds up another."""

from collections.abc import Iterator
from functools import partial
from threading import Barrier, Event

import pytest
from flask import Flask

from app.accounts.models import Account
from app.codes import CancelReason
from app.engine.deliver import deliver
from app.engine.flight import AT_ONCE, TO_ONE_HOST
from app.kinds import Ask, Cancel, Due, FinalVerdict, Hold
from app.outbox.state import State
from tests.bare_app import beside
from tests.factories import change, delivery, make_delivery, make_tutor, soon
from tests.fakes.kind import Probe
from tests.fakes.line import FakeLine
from tests.fixtures.background import until

SLOW, QUICK = "slow.example", "quick.example"


@pytest.fixture
def free() -> Iterator[Event]:
    """Set when the slow shop answers at last."""
    event = Event()
    yield event
    event.set()


def states(ids: list[int]) -> set[str]:
    """Where they stand now."""
    return {delivery(one).state for one in ids}


def test_questions_are_asked_many_at_once(app: Flask, line: FakeLine, probe: Probe) -> None:
    together = Barrier(40, timeout=20)
    owed = [make_delivery() for _ in range(40)]
    probe.verdicts = {one: Ask(together.wait, QUICK) for one in owed}
    deliver("probe", owed, lambda: False)
    assert states(owed) == {State.SENT}


def test_a_slow_host_leaves_places_for_what_waits_for_others_or_for_nobody(
    app: Flask, line: FakeLine, probe: Probe, free: Event
) -> None:
    tutor = make_tutor()
    slow = [make_delivery(tutor) for _ in range(TO_ONE_HOST + 5)]
    others = [make_delivery() for _ in range(10)]
    probe.verdicts = {one: Ask(lambda: free.wait(60), SLOW) for one in slow}
    probe.verdicts |= {one: Ask(lambda: "now", QUICK) for one in others[:5]}
    assert TO_ONE_HOST < AT_ONCE
    with beside(app, lambda: deliver("probe", [*slow, *others], lambda: False)):
        until(lambda: states(others) == {State.SENT}, "the others are sent")
        assert states(slow) == {State.SENDING}
        free.set()
    assert states(slow) == {State.SENT}


def test_an_answer_is_judged_and_what_breaks_spoils_only_its_own(app: Flask, line: FakeLine, probe: Probe) -> None:
    owed = [make_delivery() for _ in range(5)]
    answers = dict(zip(owed, ["cheap", "dear", "later", "odd", None], strict=True))
    probe.verdicts = {one: Ask(partial(_said, answer), QUICK) for one, answer in answers.items()}

    def judge(due: Due, answer: str) -> FinalVerdict:
        match answer:
            case "cheap":
                return probe.send(due)
            case "dear":
                return Cancel(CancelReason.SUBJECT_RESOLVED)
            case "later":
                return Hold(soon(30))
        raise ValueError(answer)

    probe.on_judge = judge
    deliver("probe", owed, lambda: False)
    found = [(one.state, one.reason, one.attempts) for one in map(delivery, owed)]
    assert found == [
        (State.SENT, None, 1),
        (State.CANCELED, "subject_resolved", 0),
        (State.PENDING, None, 0),
        (State.RETRY, "SOURCE_ERROR", 1),
        (State.RETRY, "SOURCE_ERROR", 1),
    ]
    assert len(line.accepted) == 1


def test_what_was_decided_while_a_question_was_under_way_counts(
    app: Flask, line: FakeLine, probe: Probe, free: Event
) -> None:
    owed = [make_delivery() for _ in range(3)]
    asked = Barrier(4, timeout=20)

    def question() -> str:
        asked.wait()
        free.wait(60)
        return "cheap"

    probe.verdicts = {one: Ask(question, SLOW, "the wish of before") for one in owed}
    with beside(app, lambda: deliver("probe", owed, lambda: False)):
        asked.wait()
        removed, suspended, wishes = owed
        account_id = delivery(suspended).account_id
        assert account_id is not None
        change(Account, account_id, active=False)
        probe.verdicts[removed] = Cancel(CancelReason.WATCH_REMOVED)
        probe.verdicts[wishes] = Ask(question, SLOW, "the wish of now")
        rounds = len(probe.rechecked)
        free.set()
    found = [(one.state, one.reason) for one in map(delivery, owed)]
    assert found == [(State.CANCELED, "watch_removed"), (State.CANCELED, "recipient_disabled"), (State.SENT, None)]
    assert probe.judged_about == ["the wish of now"]
    assert len(probe.rechecked) <= rounds + len(owed), "all that came together are asked about together"


def test_who_is_asked_to_end_gives_back_what_still_waits_for_an_answer_without_a_try(
    app: Flask, line: FakeLine, probe: Probe, free: Event
) -> None:
    owed, asked, ending = make_delivery(), Event(), Event()

    def question() -> None:
        asked.set()
        free.wait(60)

    probe.verdicts[owed] = Ask(question, SLOW)
    with beside(app, lambda: deliver("probe", [owed], ending.is_set)):
        assert asked.wait(20)
        ending.set()
        until(lambda: delivery(owed).state == State.PENDING, "it was given back")
        free.set()
    assert (delivery(owed).state, delivery(owed).attempts, line.requests) == (State.PENDING, 0, [])


def _said(answer: str | None) -> str:
    if answer is None:
        raise RuntimeError("secret words")
    return answer
