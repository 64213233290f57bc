"""Promise: whoever is switched off gets nothing more, at once; switched on again, what is still due comes."""

from datetime import timedelta

import pytest
from flask import Flask

from app.accounts.known import NoSuchAccountError
from app.audit import Actor, entries
from app.operations.access import resume, suspend
from app.operations.recipients import set_line_enabled
from app.outbox.state import State
from app.sources.classroom.telling.tell import remind
from app.transaction import Transaction, writing
from tests.factories import make_shift, make_tutor, only_delivery
from tests.fakes.line import FakeLine
from tests.fixtures.background import Background, later

pytestmark = pytest.mark.usefixtures("everywhere")

ADMIN = Actor(None, "admin")


def set_active(tx: Transaction, actor: Actor, account_id: int, active: bool) -> bool:
    """The account's own switch, spelled as that of LINE."""
    return resume(tx, actor, account_id) if active else suspend(tx, actor, account_id) is not None


@pytest.mark.parametrize(
    ("switch", "reason"),
    [(set_line_enabled, "line_disabled"), (set_active, "recipient_disabled")],
    ids=["line", "account"],
)
def test_what_waits_ends_at_once_and_comes_back_with_the_switch(
    app: Flask, background: Background, line: FakeLine, switch: object, reason: str
) -> None:
    assert callable(switch)
    tutor = make_tutor()
    make_shift(tutor)
    remind()
    with writing() as tx:
        assert switch(tx, ADMIN, tutor, False)
    assert (only_delivery().state, only_delivery().cancel_reason) == (State.CANCELED, reason)
    background.work()
    assert line.requests == []

    with writing() as tx:
        assert switch(tx, ADMIN, tutor, True)
    with later(minutes=15):
        remind()
        background.run()
    assert only_delivery().state == State.SENT
    assert len(line.accepted) == 1
    assert len(entries("account", tutor)) == 2


def test_switched_on_again_after_the_start_nothing_comes(app: Flask, background: Background, line: FakeLine) -> None:
    tutor = make_tutor()
    make_shift(tutor, starts_in=timedelta(hours=1))
    remind()
    with writing() as tx:
        set_line_enabled(tx, ADMIN, tutor, False)
    with later(hours=2):
        with writing() as tx:
            set_line_enabled(tx, ADMIN, tutor, True)
        remind()
        background.run()
    assert only_delivery().state == State.CANCELED


def test_switching_to_what_is_so_already_is_noted_nowhere(app: Flask) -> None:
    tutor = make_tutor()
    with writing() as tx:
        assert not set_line_enabled(tx, ADMIN, tutor, True)
        assert not set_active(tx, ADMIN, tutor, True)
    assert entries("account", tutor) == []


def test_an_unknown_account_is_named_as_such(app: Flask) -> None:
    with pytest.raises(NoSuchAccountError), writing() as tx:
        set_active(tx, ADMIN, 404, False)
