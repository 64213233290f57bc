"""Many requests at once: whoever is slow, silent or broken costs only itself."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from threading import Thread

import pytest
from flask import Flask

from app.channels import CHANNELS
from app.channels.outcome import Outcome
from app.clock import now
from app.engine.deliver import deliver
from app.engine.flight import TO_ONE_HOST
from app.kinds import KINDS, Message, Told
from app.outbox import queries
from app.outbox.models import Delivery
from app.outbox.state import State
from app.transaction import Transaction
from tests.factories import change, delivery, line_user, make_delivery, make_tutor, owe_many
from tests.fakes.kind import Probe, registered
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import HOLD, reply
from tests.fixtures.background import until
from tests.outbox.ledger import quietly


@contextmanager
def delivering(app: Flask, ids: Sequence[int]) -> Iterator[None]:
    """The engine at work in another thread, to its end."""

    def work() -> None:
        with app.app_context():
            deliver("probe", ids, lambda: False)

    thread = Thread(target=work)
    thread.start()
    yield
    thread.join()


def states(ids: Sequence[int]) -> list[str]:
    """Where each stands now."""
    return [delivery(one).state for one in ids]


def test_answers_are_recorded_while_another_is_awaited(app: Flask, line: FakeLine, probe: Probe) -> None:
    slow = make_delivery(make_tutor(line_user_id=line_user(999)))
    quick = [make_delivery() for _ in range(3)]
    line.script_for(line_user(999), HOLD)
    with delivering(app, [slow, *quick]):
        until(lambda: states(quick) == [State.SENT] * 3, "the quick ones are sent")
        assert (line.held, states([slow])) == (1, [State.SENDING])
        line.release()
    assert states([slow]) == [State.SENT]


def test_a_silent_host_leaves_room_for_the_others(app: Flask, line: FakeLine, probe: Probe) -> None:
    tutor = make_tutor(line_user_id=line_user(999))
    silent = [make_delivery(tutor, gate_key="silent") for _ in range(TO_ONE_HOST + 1)]
    other = [make_delivery() for _ in range(3)]
    line.script_for(line_user(999), *[HOLD] * TO_ONE_HOST)
    with delivering(app, silent):
        until(lambda: states(other) == [State.SENT] * 3, "what is behind another gate was claimed and sent")
        assert line.held == TO_ONE_HOST
        line.release()
    assert set(states(silent)) == {State.SENT}


def test_whoever_has_places_free_goes_on_with_what_is_owed_of_its_kind(
    app: Flask, line: FakeLine, probe: Probe
) -> None:
    owed = [make_delivery() for _ in range(250)]
    with registered(Probe("another")):
        another = make_delivery(kind="another")
        deliver("probe", owed[:1], lambda: False)
        assert states([another]) != [State.SENT]
    assert set(states(owed)) == {State.SENT}
    assert len(line.accepted) == len({one.retry_key for one in line.accepted}) == 250
    assert len(probe.rechecked) < 25, "the recheck is asked about many at a time"
    assert sorted(probe.told_ids) == owed


def test_what_was_passed_by_is_looked_at_again_when_nothing_else_is_left(
    app: Flask, line: FakeLine, probe: Probe
) -> None:
    tutor = make_tutor()
    with quietly() as tx:
        passed_by, *owed = owe_many(tx, tutor, 151)
    change(Delivery, passed_by, next_attempt_at=now() + timedelta(hours=1))
    probe.on_recheck = lambda: _due_once_begun(probe, passed_by)
    deliver("probe", owed[:1], lambda: False)
    assert set(states([passed_by, *owed])) == {State.SENT}
    assert probe.rechecked[-1] == [passed_by], "it goes on from the last one, not from the oldest"


def _due_once_begun(probe: Probe, delivery_id: int) -> None:
    if len(probe.rechecked) == 2:  # with what was claimed after the first
        change(Delivery, delivery_id, next_attempt_at=None)


class Deaf(Probe):
    """Cannot note that some deliveries were sent."""

    def __init__(self) -> None:
        super().__init__("deaf")
        self.deaf_to: set[int] = set()

    def told(self, tx: Transaction, sent: Sequence[Told]) -> None:
        if self.deaf_to & {one.note for one in sent}:
            raise ValueError("no")
        super().told(tx, sent)


def test_a_source_that_cannot_note_one_of_many_spoils_only_that_one(app: Flask, line: FakeLine) -> None:
    with registered(Deaf()) as kind:
        owed = [make_delivery(kind="deaf") for _ in range(5)]
        kind.deaf_to = {owed[2]}
        deliver("deaf", owed, lambda: False)
    assert states(owed) == [State.SENT, State.SENT, State.RETRY, State.SENT, State.SENT]
    assert sorted(kind.told_ids) == [one for one in owed if one != owed[2]]


def test_answers_of_all_sorts_in_one_flush_each_mean_what_they_mean(app: Flask, line: FakeLine, probe: Probe) -> None:
    owed = [make_delivery(make_tutor(line_user_id=line_user(900 + number))) for number in range(4)]
    line.script_for(line_user(901), reply(500))
    line.script_for(line_user(902), reply(400))
    deliver("probe", owed, lambda: False)
    assert states(owed) == [State.SENT, State.RETRY, State.FAILED, State.SENT]
    tries = [queries.timeline(one)[0] for one in owed]
    assert [one.http_status for one in tries] == [200, 500, 400, 200]
    assert [one.retry_key for one in tries] == [delivery(one).retry_key for one in owed]
    accepted = {one.retry_key: one.request_id for one in line.accepted}
    assert [delivery(one).provider_request_id for one in (owed[0], owed[3])] == [
        accepted[tries[0].retry_key], accepted[tries[3].retry_key]
    ]  # fmt: skip


class Broken:
    """A channel with a fault in its code."""

    name = "broken"
    keyed = False

    def compose(self, target: str, message: Message) -> bytes:
        return b"{}"

    def target_of(self, request: bytes) -> str:
        return ""

    def send(self, request: bytes, retry_key: str | None) -> Outcome:
        raise RuntimeError("secret words")


@pytest.fixture
def broken() -> Iterator[None]:
    CHANNELS["broken"] = Broken()
    yield
    del CHANNELS["broken"]


def test_a_fault_in_a_channel_is_left_to_recovery_and_harms_no_neighbour(
    app: Flask, line: FakeLine, probe: Probe, broken: None, caplog: pytest.LogCaptureFixture
) -> None:
    faulty, fine = make_delivery(channel="broken"), make_delivery()
    assert "probe" in KINDS
    deliver("probe", [faulty, fine], lambda: False)
    assert states([faulty, fine]) == [State.SENDING, State.SENT]
    assert "RuntimeError" in caplog.text
    assert "secret words" not in caplog.text
