"""Promise: a sign-in link that an administrator has sent by LINE lets in once, and only the good one goes out."""

import json
from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import select

from app import audit
from app.accounts import invitations, sessions
from app.accounts.models import Account, Invitation
from app.accounts.passwords import hash_password
from app.audit import Actor
from app.extensions import db
from app.faults import InvalidInput
from app.kinds import KINDS, Reader
from app.operations import access, deletion
from app.operations.recipients import set_line_enabled
from app.outbox.state import State
from app.sources.invitations.send_by_line import send_by_line
from app.transaction import writing
from tests.factories import all_deliveries, change, line_user, make_account, make_tutor, only_delivery
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import ACCEPT_THEN_500
from tests.fixtures.background import Background, later
from tests.fixtures.settings import SITE

ADMIN = Actor(None, "青木 葵")
HASH = hash_password("a password of hers")


def owed(account: int, invitation: int | None = None, actor: Actor = ADMIN) -> int:
    with writing() as tx:
        return send_by_line(tx, actor, account, invitation)


def accepted(token: str) -> str | None:
    with writing() as tx:
        return access.accept_invitation(tx, token, HASH, "", None)


def token_of(invitation: int) -> str:
    token = invitations.look_at([invitation])[invitation].token
    assert token is not None
    return token


def ended() -> tuple[str, str | None]:
    return only_delivery().state, only_delivery().cancel_reason


def test_the_link_goes_to_their_own_line_and_lets_in_once(app: Flask, background: Background, line: FakeLine) -> None:
    admin = make_account("admin", name="青木 葵")
    tutor = make_tutor(language="en")
    owed(tutor, actor=Actor(admin, "青木 葵"))
    background.work()
    (sent,) = line.accepted
    assert sent.to == line_user(tutor)
    (card,) = sent.messages
    assert card["altText"] == "Sign in to Todoke"
    assert "青木 葵 sends you this link." in sent.body.decode()
    link = card["contents"]["footer"]["contents"][0]["action"]["uri"]
    token = link.removeprefix(f"{SITE}/invitations/")
    secret = accepted(token)
    assert secret is not None
    who = sessions.load(secret)
    assert who is not None
    assert who.id == tutor
    assert accepted(token) is None
    assert only_delivery().state == State.SENT


def test_a_repeat_under_the_same_key_says_the_same(app: Flask, background: Background, line: FakeLine) -> None:
    line.script(ACCEPT_THEN_500)
    owed(make_tutor())
    background.work()
    with later(minutes=5):
        background.run()
    first, second = line.requests
    assert (first.body, first.retry_key) == (second.body, second.retry_key)
    assert len(line.accepted) == 1
    assert only_delivery().state == State.SENT


def use(account: int) -> None:
    assert accepted(token_of(only_delivery().subject_id)) is not None


def replace(account: int) -> None:
    with writing() as tx:
        invitations.invite(tx, ADMIN, account)


def suspend(account: int) -> None:
    with writing() as tx:
        access.suspend(tx, ADMIN, account)


def switch_off(account: int) -> None:
    with writing() as tx:
        set_line_enabled(tx, ADMIN, account, False)


def end(account: int) -> None:
    with writing() as tx:
        invitations.end_open(tx, account)


def change_key(account: int) -> None:
    change(Invitation, only_delivery().subject_id, salt="0" * 32)


@pytest.mark.parametrize(
    ("happens", "reason"),
    [
        (use, "subject_resolved"),
        (replace, "subject_resolved"),
        (end, "expired"),
        (change_key, "expired"),
        (suspend, "recipient_disabled"),
        (switch_off, "line_disabled"),
    ],
)
def test_one_that_is_good_no_more_does_not_go_out(
    app: Flask, background: Background, line: FakeLine, happens: Callable[[int], None], reason: str
) -> None:
    tutor = make_tutor()
    owed(tutor)
    happens(tutor)
    background.work()
    assert ended() == (State.CANCELED, reason)
    assert line.requests == []


def test_one_whose_time_has_passed_does_not_go_out(app: Flask, background: Background, line: FakeLine) -> None:
    owed(make_tutor())
    with later(days=7, minutes=1):
        background.run()
    assert ended() == (State.CANCELED, "expired")
    assert line.requests == []


def test_a_deleted_account_gets_none_and_its_id_is_not_given_again(
    app: Flask, background: Background, line: FakeLine
) -> None:
    tutor, other = make_tutor(), make_tutor()
    owed(tutor)
    with writing() as tx:
        deletion.delete_account(tx, ADMIN, tutor)
    background.work()
    assert ended() == (State.CANCELED, "recipient_disabled")
    owed(other)
    background.work()
    assert [message.to for message in line.accepted] == [line_user(other)]


def test_the_one_just_made_is_sent_once_and_any_other_is_made_anew(app: Flask) -> None:
    tutor = make_tutor()
    with writing() as tx:
        made, token = invitations.make(tx, ADMIN, tutor)
    assert owed(tutor, made) == owed(tutor, made)
    assert only_delivery().subject_id == made
    assert token_of(made) == token
    assert only_delivery().expires_at == invitations.look_at([made])[made].expires_at
    owed(tutor, 777)
    assert len({one.subject_id for one in all_deliveries()}) == 2
    acts = [entry.act for entry in audit.entries("account", tutor)]
    assert sorted(acts) == ["invite", "invite", "send_invitation", "send_invitation"]


def test_one_of_before_has_no_salt_so_that_another_is_made(app: Flask) -> None:
    tutor = make_tutor()
    with writing() as tx:
        made, token = invitations.make(tx, ADMIN, tutor)
    change(Invitation, made, salt=None)
    assert invitations.look(token) is not None
    owed(tutor, made)
    assert only_delivery().subject_id != made


def test_who_takes_no_line_messages_is_sent_none_and_invited_by_none(app: Flask) -> None:
    off, suspended = make_tutor(), make_tutor()
    switch_off(off)
    suspend(suspended)
    for account in (make_account(), off, suspended):
        with pytest.raises(InvalidInput):
            owed(account)
    assert db.session.scalars(select(Invitation)).all() == []


def test_the_token_is_in_no_row_once_it_was_sent_and_in_no_description(
    app: Flask, background: Background, line: FakeLine
) -> None:
    tutor = make_tutor(name="佐藤", language="en")
    owed(tutor)
    token = token_of(only_delivery().subject_id)
    assert token not in repr(invitations.look(token))
    background.work()
    assert token in line.accepted[0].body.decode()
    db.session.rollback()
    for table in db.metadata.sorted_tables:
        rows = [[str(value) for value in row] for row in db.session.execute(select(table))]
        assert token not in json.dumps(rows), table.name
    described = KINDS["invitation"].describe([only_delivery().subject_id], Reader(tutor, "staff"), "en")
    (told,) = described.values()
    assert (told.title, told.body, told.link) == ("Sign-in link for 佐藤", "", None)
    assert db.session.get_one(Account, tutor).password_hash is None
