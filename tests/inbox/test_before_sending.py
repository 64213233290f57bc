"""Right before sending: read already? still wanted here? quiet hours? still so? still allowed? In this order."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
import time_machine
from flask import Flask
from sqlalchemy import update

from app.accounts.models import Account
from app.inbox.marks import archive, mark_read
from app.outbox.state import State
from app.reach.models import Preference
from app.transaction import writing
from tests.factories import change, make_account, make_tutor, only_delivery
from tests.fakes.inbox_kind import Greeting, greeting
from tests.fakes.line import FakeLine
from tests.fixtures.background import Background
from tests.inbox.inboxes import chosen, quiet, tell

NIGHT = (22 * 60, 7 * 60)


@contextmanager
def at(local: str) -> Iterator[None]:
    """At this time of the house."""
    instant = datetime.fromisoformat(local).replace(tzinfo=ZoneInfo("Asia/Tokyo"))
    with time_machine.travel(instant.astimezone(UTC), tick=True):
        yield


class Told:
    """Somebody who chose LINE for greetings, told of a newcomer; what may happen until it is sent."""

    def __init__(self, kind: Greeting) -> None:
        self._kind = kind
        self.reader, self.newcomer = make_tutor(), make_account(name="田中")
        chosen(self.reader, "greetings", "line", True)
        (self.notification,) = tell(self.newcomer, self.reader)

    def read(self) -> None:
        with writing() as tx:
            mark_read(tx, self.reader, [self.notification])

    def archived(self) -> None:
        with writing() as tx:
            archive(tx, self.reader, [self.notification])

    def unwanted(self) -> None:
        with writing() as tx:
            tx.session.execute(update(Preference).values(enabled=False))

    def quiet(self) -> None:
        quiet(self.reader, *NIGHT)

    def over(self) -> None:
        self._kind.done.add(self.newcomer)

    def right_lost(self) -> None:
        change(Account, self.newcomer, active=False)


def ended() -> tuple[str, str | None, int]:
    """State, reason and tries of the one delivery."""
    one = only_delivery()
    return one.state, one.cancel_reason, one.attempts


@pytest.mark.parametrize(
    ("happened", "reason"),
    [
        (["read", "unwanted", "quiet", "over", "right_lost"], "already_read"),
        (["archived", "quiet"], "already_read"),
        (["unwanted", "quiet", "over", "right_lost"], "preference_off"),
        (["over", "right_lost"], "subject_resolved"),
        (["right_lost"], "not_entitled"),
    ],
)
def test_the_first_reason_of_the_order_is_given(
    app: Flask, kind: Greeting, background: Background, line: FakeLine, happened: list[str], reason: str
) -> None:
    with at("2026-11-30 23:30"):
        told = Told(kind)
        for one in reversed(happened):
            # A right that is lost would keep the mark from being made: it is lost afterwards.
            if one != "right_lost":
                getattr(told, one)()
        if "right_lost" in happened:
            told.right_lost()
        background.run()
    assert ended() == (State.CANCELED, reason, 0)
    assert line.requests == []


@pytest.mark.parametrize("then", ["", "over", "right_lost", "read"])
def test_quiet_hours_hold_it_over_midnight_without_a_try_and_ask_again(
    app: Flask, kind: Greeting, background: Background, line: FakeLine, then: str
) -> None:
    with at("2026-11-30 23:30"):
        told = Told(kind)
        told.quiet()
        background.run()
        assert ended() == (State.PENDING, None, 0)
        assert only_delivery().next_attempt_at == datetime(2026, 11, 30, 22, 0, tzinfo=UTC)  # seven in Tokyo
    with at("2026-12-01 06:58"):
        background.run()
        assert ended() == (State.PENDING, None, 0)
        if then:
            getattr(told, then)()
    with at("2026-12-01 07:00"):
        background.run()
    reasons = {"over": "subject_resolved", "right_lost": "not_entitled", "read": "already_read"}
    assert ended() == ((State.CANCELED, reasons[then], 0) if then else (State.SENT, None, 1))
    assert len(line.accepted) == (0 if then else 1)


def test_what_expired_meanwhile_is_expired_whatever_else_holds(
    app: Flask, kind: Greeting, background: Background, line: FakeLine
) -> None:
    with at("2026-11-30 12:00"):
        told = Told(kind)
        told.read()
    with at("2026-12-01 12:01"):
        background.run()
    assert ended() == (State.CANCELED, "expired", 0)


def test_line_says_it_with_a_button_to_the_notification(
    app: Flask, kind: Greeting, background: Background, line: FakeLine
) -> None:
    with at("2026-11-30 12:00"):
        told = Told(kind)
        background.run()
    (accepted,) = line.accepted
    said = accepted.messages[0]
    assert said["altText"] == "田中"
    assert [part["text"] for part in said["contents"]["body"]["contents"]] == ["田中", "シフト表"]
    (button,) = said["contents"]["footer"]["contents"]
    assert button["action"]["uri"] == f"http://127.0.0.1:8000/notifications/{told.notification}"
    assert only_delivery().notification_id == told.notification


def test_a_private_kind_says_no_more_than_its_sort(app: Flask, background: Background, line: FakeLine) -> None:
    with greeting(private=True) as kind, at("2026-11-30 12:00"):
        Told(kind)
        background.run()
    (accepted,) = line.accepted
    said = accepted.messages[0]
    assert said["altText"] == "シフト表"
    assert [part["text"] for part in said["contents"]["body"]["contents"]] == ["シフト表"]
    assert "田中" not in accepted.body.decode()
