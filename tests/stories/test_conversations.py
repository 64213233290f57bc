"""Promise: what members tell each other reaches the others who want to hear it, once, and nobody else."""

from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.models import Account
from app.extensions import db
from app.outbox.state import State
from app.sources.conversations import converse
from app.sources.conversations.models import Conversation, ConversationMessage
from tests.factories import all_deliveries, change, delivery, make_account
from tests.fixtures.background import Background
from tests.inbox.inboxes import make_device, titles
from tests.sources.conversations.talk import at_once, do, email_of, pushes, say, start

TOLD = "Message from 佐藤"


def test_a_message_is_told_to_the_other_members_who_accept_messages(app: Flask) -> None:
    writer, friend, silent, stranger = (make_account() for _ in range(4))
    talk = start(writer, friend, silent)
    for one in (writer, friend, silent, stranger):
        make_device(one)
    do(converse.set_accepting, silent, talk, False)
    say(writer, talk)
    assert pushes() == [(friend, "conversation_message")]
    assert [len(titles(one)) for one in (writer, friend, silent, stranger)] == [0, 2, 1, 0]
    say(silent, talk)
    assert [len(titles(one)) for one in (writer, friend, silent, stranger)] == [1, 3, 1, 0]


def _silenced(talk: int, _writer: int, reader: int, _message: int) -> None:
    assert do(converse.set_accepting, reader, talk, False)


def _left(talk: int, _writer: int, reader: int, _message: int) -> None:
    assert do(converse.leave, reader, talk)


def _suspended(_talk: int, _writer: int, reader: int, _message: int) -> None:
    change(Account, reader, active=False)


def _deleted(talk: int, writer: int, _reader: int, message: int) -> None:
    assert do(converse.delete_message, writer, talk, message)


@pytest.mark.parametrize(
    ("happens", "reason", "shown"),
    [
        (_silenced, "messages_off", [TOLD]),
        (_left, "not_entitled", []),
        (_suspended, "recipient_disabled", [TOLD]),
        (_deleted, "subject_deleted", []),
    ],
)
def test_what_changes_between_queue_and_send_stops_the_push(
    app: Flask, background: Background, happens: Callable[[int, int, int, int], None], reason: str, shown: list[str]
) -> None:
    writer, reader = make_account(), make_account()
    make_device(reader)
    talk = start(writer, reader, make_account())
    (owed,) = all_deliveries()
    assert owed.state == State.QUEUED
    happens(talk, writer, reader, db.session.scalars(select(ConversationMessage.id)).one())
    background.work()
    assert (delivery(owed.id).state, delivery(owed.id).cancel_reason) == (State.CANCELED, reason)
    assert titles(reader) == titles(reader, words="秘密") == shown


def test_one_members_silence_is_not_anothers(app: Flask, background: Background) -> None:
    writer, friend, silent = make_account(), make_account(), make_account()
    make_device(friend)
    make_device(silent)
    talk = start(writer, friend, silent)
    do(converse.set_accepting, silent, talk, False)
    background.work()
    ended = {one.account_id: one.cancel_reason for one in all_deliveries()}
    assert ended == {friend: None, silent: "messages_off"}


def test_who_has_left_is_told_nothing_and_may_write_nothing(app: Flask) -> None:
    writer, friend, leaver = make_account(), make_account(), make_account()
    talk = start(writer, friend, leaver)
    do(converse.leave, leaver, talk)
    assert not do(converse.leave, leaver, talk)
    say(writer, talk)
    assert (titles(leaver), len(titles(friend))) == ([], 2)
    with pytest.raises(converse.NotAMemberError):
        say(leaver, talk)
    with pytest.raises(converse.NotAMemberError):
        say(leaver, 77)


def test_twenty_identical_posts_at_once_are_one_message_and_one_notification(app: Flask) -> None:
    writer, reader = make_account(), make_account()
    make_device(reader)
    emails = [email_of(reader)]
    started = at_once(app, 20, lambda tx: converse.start(tx, writer, emails, "こんにちは", "one form"))
    (talk,) = set(started)
    assert len(set(at_once(app, 20, lambda tx: converse.say(tx, writer, talk, "もう一度", "another")))) == 1
    assert len(db.session.scalars(select(Conversation)).all()) == 1
    assert len(db.session.scalars(select(ConversationMessage)).all()) == 2
    assert titles(reader) == [TOLD] * 2
    assert len(all_deliveries()) == 2
