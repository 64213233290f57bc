"""Promise: nothing untrue is sent. Between queue and send the world may change; the recheck sees it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask

from app.accounts.models import Account
from app.channels import CHANNELS
from app.channels.line import LineChannel
from app.clock import now
from app.outbox.state import State
from app.reach.models import LineLink
from app.sources.classroom.models import Shift
from app.sources.classroom.shifts.versions import keep_versions
from app.sources.classroom.telling.tell import remind
from app.transaction import writing
from tests.factories import change, delivery, make_shift, make_tutor, only_delivery
from tests.fakes.line import FakeLine
from tests.fakes.ports import closed_port
from tests.fixtures.background import Background, later
from tests.fixtures.settings import SITE


def _shift_changed(shift: int, _tutor: int, _link: int) -> None:
    change(Shift, shift, starts_at=now() + timedelta(hours=2, minutes=10), version=2)


def _unconfirmed(shift: int, _tutor: int, _link: int) -> None:
    change(Shift, shift, status="draft", version=2)


def _deleted(shift: int, _tutor: int, _link: int) -> None:
    change(Shift, shift, deleted_at=now())


def _tutor_off(_shift: int, tutor: int, _link: int) -> None:
    change(Account, tutor, active=False)


def _line_off(_shift: int, _tutor: int, link: int) -> None:
    change(LineLink, link, enabled=False)


@pytest.mark.parametrize(
    ("happens", "reason"),
    [
        (_shift_changed, "shift_changed"),
        (_unconfirmed, "shift_unconfirmed"),
        (_deleted, "subject_deleted"),
        (_tutor_off, "recipient_disabled"),
        (_line_off, "line_disabled"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_longer_true_is_not_sent_and_says_why(
    app: Flask, background: Background, line: FakeLine, happens: Callable[[int, int, int], None], reason: str
) -> None:
    tutor = make_tutor()
    shift = make_shift(tutor)
    remind()
    queued = only_delivery()
    owed, link = queued.id, queued.address_id
    assert queued.state == State.QUEUED
    happens(shift, tutor, link)
    background.work()
    canceled = delivery(owed)
    assert (canceled.state, canceled.cancel_reason, canceled.failure_code) == (State.CANCELED, reason, None)
    assert canceled.attempts == 0
    assert line.requests == []


def test_a_shift_that_started_is_not_reminded_of(app: Flask, background: Background, line: FakeLine) -> None:
    make_shift(make_tutor())
    remind()
    owed = only_delivery().id
    with later(hours=2, minutes=1):
        background.work()
    assert (delivery(owed).state, delivery(owed).cancel_reason) == (State.CANCELED, "shift_started")
    assert line.requests == []


def test_a_change_between_two_tries_is_seen_too(app: Flask, background: Background, line: FakeLine) -> None:
    shift = make_shift(make_tutor())
    remind()
    owed = only_delivery().id
    with closed_port() as nobody:
        CHANNELS["line"] = LineChannel(f"http://127.0.0.1:{nobody}", line.token, site=SITE)
        background.work()
    assert delivery(owed).failure_code == "LINE_UNREACHABLE"
    change(Shift, shift, status="draft", version=2)
    with later(minutes=3):
        background.run()
    assert (delivery(owed).state, delivery(owed).cancel_reason) == (State.CANCELED, "shift_unconfirmed")
    assert line.requests == []


def test_a_changed_shift_gets_a_reminder_of_its_own(app: Flask, background: Background, line: FakeLine) -> None:
    shift = make_shift(make_tutor())
    remind()
    change(Shift, shift, starts_at=now() + timedelta(hours=2, minutes=10), version=2)
    with writing() as tx:
        keep_versions(tx, [shift])
    remind()
    background.work()
    assert len(line.accepted) == 1
