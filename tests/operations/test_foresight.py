"""What would become of a delivery now: foreseen, and then done, it is the same; and foreseeing does nothing."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError

from app.accounts.models import Account
from app.clock import now
from app.codes import CancelReason, FailureCode
from app.engine.deliver import deliver
from app.inbox.notify import Event, notify
from app.kinds import Ask, Cancel, Hold, TryLater, Verdict
from app.operations import gates
from app.operations.deliveries import retry
from app.operations.foresight import Fate, Foreseen, foresee
from app.outbox.models import Delivery
from app.outbox.retry_key import Key
from app.outbox.state import State
from app.transaction import writing
from tests.factories import all_deliveries, change, delivery, make_account, make_delivery, make_tutor
from tests.fakes.inbox_kind import Greeting, greeting
from tests.fakes.kind import Probe
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import ACCEPT_THEN_500, BAD_REQUEST
from tests.inbox.inboxes import make_device
from tests.operations.operator import OPERATOR
from tests.plans import hearing


@pytest.fixture
def kind() -> Iterator[Greeting]:
    with greeting() as one:
        yield one


def failed(line: FakeLine | None = None, *answers: object) -> int:
    """A delivery that was tried with these answers, if any, and failed."""
    owed = make_delivery()
    if line is not None:
        line.script(*answers)  # type: ignore[arg-type]
        deliver("probe", [owed], lambda: False)
    change(Delivery, owed, state=State.FAILED, finished_at=now(), next_attempt_at=None)
    return owed


def foreseen(owed: int) -> Foreseen:
    found = foresee(owed)
    assert found is not None
    return found


def retried(owed: int) -> Delivery:
    """The delivery after an operator's Retry was worked off."""
    with writing() as tx:
        retry(tx, OPERATOR, owed, confirmed=True, seen_attempts=None)
    deliver("probe", [owed], lambda: False)
    return delivery(owed)


def test_what_is_still_true_would_be_sent_and_is(app: Flask, line: FakeLine, probe: Probe) -> None:
    owed = failed()
    assert foreseen(owed) == Foreseen(Fate.SEND, key=Key.FIRST)
    assert retried(owed).state == State.SENT


@pytest.mark.parametrize(
    ("verdict", "fate", "reason"),
    [
        (Cancel(CancelReason.SHIFT_CHANGED, "moved to 19:00"), Fate.CANCEL, CancelReason.SHIFT_CHANGED),
        (TryLater(FailureCode.LINE_RATE_LIMITED), Fate.UNANSWERED, FailureCode.LINE_RATE_LIMITED),
        (RuntimeError("the source is broken"), Fate.UNANSWERED, FailureCode.SOURCE_ERROR),
    ],
    ids=["canceled", "unanswered", "broken"],
)
def test_what_its_source_says_now_is_what_would_happen_and_does(
    app: Flask, line: FakeLine, probe: Probe, verdict: Verdict | Exception, fate: Fate, reason: str
) -> None:
    owed = failed()
    probe.verdicts[owed] = verdict
    found = foreseen(owed)
    assert (found.fate, found.reason) == (fate, reason)
    assert retried(owed).reason == reason


def test_the_words_of_the_source_are_told(app: Flask, probe: Probe) -> None:
    owed = failed()
    probe.verdicts[owed] = Cancel(CancelReason.SHIFT_CHANGED, "moved to 19:00")
    assert foreseen(owed).detail == "moved to 19:00"


def _expired(owed: int) -> None:
    change(Delivery, owed, expires_at=now() - timedelta(seconds=1))


def _suspended(owed: int) -> None:
    account = delivery(owed).account_id
    assert account is not None
    change(Account, account, active=False)


@pytest.mark.parametrize(
    ("happens", "reason"),
    [(_expired, CancelReason.EXPIRED), (_suspended, CancelReason.RECIPIENT_DISABLED)],
    ids=["expired", "suspended"],
)
def test_the_engine_asks_before_the_source_is_asked(
    app: Flask, line: FakeLine, probe: Probe, happens: Callable[[int], None], reason: CancelReason
) -> None:
    owed = failed()
    happens(owed)
    assert foreseen(owed) == Foreseen(Fate.CANCEL, reason)
    assert retried(owed).cancel_reason == reason


def test_quiet_hours_hold_it_until_they_end(app: Flask, probe: Probe) -> None:
    owed, until = failed(), now() + timedelta(hours=3)
    probe.verdicts[owed] = Hold(until)
    assert foreseen(owed) == Foreseen(Fate.HOLD, until=until)


def test_a_shop_is_not_asked_but_would_be_and_is(app: Flask, line: FakeLine, probe: Probe) -> None:
    asked: list[str] = []
    owed = failed()
    probe.verdicts[owed] = Ask(lambda: asked.append("the shop"), "shop.example")
    assert foreseen(owed) == Foreseen(Fate.ASK)
    assert asked == []
    assert retried(owed).state == State.SENT
    assert asked == ["the shop"]


def test_what_line_may_have_is_repeated_under_the_same_key(app: Flask, line: FakeLine, probe: Probe) -> None:
    owed = failed(line, ACCEPT_THEN_500)
    assert foreseen(owed) == Foreseen(Fate.SEND, key=Key.SAME, repeats=False)
    probe.text = "something else"
    assert foreseen(owed) == Foreseen(Fate.SEND, key=Key.SAME, repeats=True)
    assert retried(owed).already_accepted
    assert len({request.body for request in line.requests}) == 1


def test_what_was_certainly_refused_says_what_is_true_now_under_a_new_key(
    app: Flask, line: FakeLine, probe: Probe
) -> None:
    owed = failed(line, BAD_REQUEST)
    assert foreseen(owed).key is Key.SAME
    probe.text = "something else"
    assert foreseen(owed) == Foreseen(Fate.SEND, key=Key.NEW)
    before = delivery(owed).retry_key
    assert retried(owed).retry_key != before


def test_a_key_that_line_has_forgotten_is_replaced_by_a_retry(app: Flask, line: FakeLine, probe: Probe) -> None:
    owed = failed(line, ACCEPT_THEN_500)
    change(Delivery, owed, retry_key_used_at=now() - timedelta(hours=25))
    assert foreseen(owed) == Foreseen(Fate.SEND, key=Key.NEW)


def test_what_waits_by_itself_would_fail_with_a_key_that_line_has_forgotten(
    app: Flask, line: FakeLine, probe: Probe
) -> None:
    owed = failed(line, ACCEPT_THEN_500)
    old = {"retry_key_used_at": now() - timedelta(hours=25), "finished_at": None, "failure_code": None}
    change(Delivery, owed, state=State.PENDING, **old)
    assert foreseen(owed) == Foreseen(Fate.FAIL, FailureCode.RETRY_KEY_EXPIRED)
    deliver("probe", [owed], lambda: False)
    assert delivery(owed).failure_code == FailureCode.RETRY_KEY_EXPIRED


def test_a_push_is_sent_without_a_word_of_keys_while_its_device_is_there(app: Flask, kind: Greeting) -> None:
    reader, somebody = make_account(), make_account()
    make_device(reader)
    with writing() as tx:
        notify(tx, Event(kind.name, "greeting:1", "account", somebody), [reader])
    (pushed,) = all_deliveries()
    assert foreseen(pushed.id) == Foreseen(Fate.SEND)
    change(Delivery, pushed.id, address_id=pushed.address_id + 1)
    assert foreseen(pushed.id) == Foreseen(Fate.CANCEL, CancelReason.DEVICE_REMOVED)


def test_a_message_that_its_channel_cannot_speak_breaks_the_check_and_not_the_page(app: Flask, probe: Probe) -> None:
    owed = failed()
    probe.text = "x" * 5000
    assert foreseen(owed) == Foreseen(Fate.UNANSWERED, FailureCode.SOURCE_ERROR)


def test_a_closed_gate_stands_before_whatever_the_check_says(app: Flask, probe: Probe) -> None:
    owed = failed()
    with writing() as tx:
        gates.pause(tx, OPERATOR, "web_push:fcm.googleapis.com", "")
    assert foreseen(owed).gate is None
    with writing() as tx:
        gates.pause(tx, OPERATOR, "line", "holidays")
    found = foreseen(owed)
    assert found.gate is not None
    assert (found.fate, found.gate.key, found.gate.why) == (Fate.SEND, "line", "holidays")


@pytest.mark.parametrize("state", [State.SENDING, State.SENT, State.CANCELED])
def test_of_what_is_being_sent_or_has_ended_nothing_is_foreseen(app: Flask, probe: Probe, state: State) -> None:
    owed = make_delivery()
    change(Delivery, owed, state=state)
    assert foresee(owed) is None
    assert foresee(owed + 1) is None


def test_our_own_database_failing_under_the_check_is_no_answer_and_takes_nothing_along(
    app: Flask, probe: Probe
) -> None:
    owed = failed()
    probe.verdicts[owed] = OperationalError("SELECT", {}, Exception("away"))
    assert foreseen(owed) == Foreseen(Fate.UNKNOWN)
    assert delivery(owed).state == State.FAILED


def test_of_a_kind_that_is_not_made_any_more_nothing_is_known(app: Flask) -> None:
    owed = make_delivery(kind="no_longer_made")
    assert foreseen(owed) == Foreseen(Fate.UNKNOWN)


def test_foreseeing_writes_nothing_sends_nothing_and_asks_a_fixed_number_of_questions(
    app: Flask, line: FakeLine, probe: Probe
) -> None:
    one = failed()
    for _ in range(5):
        make_delivery(make_tutor())
    before = delivery(one).updated_at
    with hearing("INSERT", "UPDATE", "DELETE") as heard:
        foreseen(one)
    assert len(heard) == 3
    assert all(statement.startswith("SELECT") for statement, _ in heard)
    assert (line.requests, delivery(one).updated_at, delivery(one).attempts) == ([], before, 0)
