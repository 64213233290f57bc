"""Promise: what is no longer theirs to know while a push is under way is not tried again, and reaches no browser."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.known import who
from app.audit import Actor
from app.engine.deliver import deliver
from app.extensions import db
from app.inbox.marks import archive, mark_read
from app.inbox.models import Notification
from app.operations.access import suspend
from app.operations.deletion import delete_account
from app.operations.devices import remove_others
from app.reach.preferences import set_preferences
from app.sources.conversations import converse
from app.sources.stores.people import hand_over
from app.sources.stores.reports import resolve
from app.transaction import Transaction, writing
from tests.factories import make_account, only_delivery
from tests.fakes.line_answers import reply
from tests.fixtures.background import later
from tests.inbox.browsers import KEY, register
from tests.sources.conversations.talk import start
from tests.sources.stores.town import ADMIN, make_store, report_at
from tests.stories.test_devices import Interrupting, fate, push

__all__ = ["push"]


@dataclass(frozen=True, slots=True)
class Reader:
    """Whom a push is on its way to, where it is about, and somebody else who is there."""

    id: int
    place: int
    email: str

    @property
    def told(self) -> list[int]:
        """The notification that it speaks of."""
        return list(db.session.scalars(select(Notification.id).where(Notification.account_id == self.id)))


Happens = Callable[[Transaction, Reader], object]


def a_report(reader: int, other: int) -> int:
    """Made at the reader's store; the store."""
    store = make_store(reader)
    report_at(store, other)
    return store


def a_message(reader: int, other: int) -> int:
    """Written to the reader; the conversation."""
    return start(other, reader)


NOBODY = Actor(None, "nobody")

WHATEVER_IT_SAYS: list[tuple[Happens, str]] = [
    (lambda tx, one: mark_read(tx, one.id, one.told), "already_read"),
    (lambda tx, one: archive(tx, one.id, one.told), "already_read"),
    (lambda tx, one: remove_others(tx, NOBODY, one.id, None), "device_removed"),
    (lambda tx, one: suspend(tx, ADMIN, one.id), "recipient_disabled"),
]
OF_A_REPORT: list[tuple[Happens, str]] = [
    (lambda tx, one: hand_over(tx, who(one.id), one.place, one.email), "not_entitled"),
    (lambda tx, one: resolve(tx, who(one.id), 1), "subject_resolved"),
    (lambda tx, one: set_preferences(tx, one.id, {("reports", "web_push"): False}), "preference_off"),
]
OF_A_MESSAGE: list[tuple[Happens, str]] = [
    (lambda tx, one: converse.leave(tx, one.id, one.place), "not_entitled"),
    (lambda tx, one: converse.set_accepting(tx, one.id, one.place, False), "messages_off"),
    (lambda tx, one: delete_account(tx, ADMIN, one.id), "device_removed"),
]


@pytest.mark.parametrize(
    ("about", "happens", "reason"),
    [(a_report, *one) for one in WHATEVER_IT_SAYS + OF_A_REPORT] + [(a_message, *one) for one in OF_A_MESSAGE],
)
def test_it_is_not_tried_again(
    app: Flask, push: Interrupting, about: Callable[[int, int], int], happens: Happens, reason: str
) -> None:
    reader, other, browser = make_account(), make_account(), push.subscribe(KEY)
    register(reader, browser)
    one = Reader(reader, about(reader, other), who(other).email)
    owed = only_delivery()
    push.script_for(browser, reply(503))

    def meanwhile() -> None:
        with app.app_context(), writing() as tx:
            happens(tx, one)

    push.meanwhile = meanwhile
    deliver(owed.kind, [owed.id], lambda: False)
    assert fate(owed.id) == ("retry", "PUSH_SERVER_ERROR")
    with later(minutes=10):
        deliver(owed.kind, [owed.id], lambda: False)
    assert fate(owed.id) == ("canceled", reason)
    assert (len(push.requests), push.arrived(browser)) == (1, [])
