"""What is refused at the door, and by whom it may not be done."""

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.models import Account
from app.accounts.stores import Store
from app.clock import now
from app.extensions import db
from app.faults import InvalidInput
from app.sources.conversations import attend, converse, inquire
from app.sources.conversations.inquire import NotTheirsError
from app.sources.conversations.models import ConversationMessage, Inquiry, InquiryMessage
from app.sources.conversations.reading import lines_of_inquiry
from tests.factories import change, make_account
from tests.sources.conversations.talk import actor, ask, do, email_of, let_ask, make_store, say, start, wording, write

LONG = "長い文章です。" * 285 + "👩‍👩‍👧‍👦"[:5]
"""2,000 characters."""


@pytest.mark.parametrize(
    "text", ["", "  \r\n\t　", "\u200b\n\ufe0f\u2800", "a\ud83db", "bell \x07", "x" * 2001, "del \x7f"]
)
def test_a_text_that_is_none_is_refused_and_leaves_nothing(app: Flask, text: str) -> None:
    asker, friend = make_account(), make_account()
    store = make_store()
    for verb, arguments in (
        (inquire.open_inquiry, (asker, store, "件名", wording(text))),
        (converse.start, (asker, [email_of(friend)], text, "a form")),
    ):
        with pytest.raises(InvalidInput) as refused:
            do(verb, *arguments)
        assert [fault.field for fault in refused.value.faults] == ["text"]
    assert db.session.scalars(select(Inquiry)).all() == []
    assert db.session.scalars(select(ConversationMessage)).all() == []


@pytest.mark.parametrize("text", ["👩‍👩‍👧‍👦 𠮷野家 🏴󠁧󠁢󠁥󠁮󠁧󠁿", LONG, "一行目\n\n  三行目\tタブ", "x" * 2000])
def test_emoji_and_long_japanese_survive_whole(app: Flask, text: str) -> None:
    asker = make_account()
    inquiry = ask(asker, make_store(), text=f"\r\n {text} ".replace("\n\n", "\r\n\r\n"))
    assert lines_of_inquiry(inquiry, None).lines[0].text == text


@pytest.mark.parametrize("subject", ["", "  ", "\u200d\u2060", "two\nlines", "x" * 101, "\udc00"])
def test_a_subject_is_one_line(app: Flask, subject: str) -> None:
    with pytest.raises(InvalidInput):
        ask(make_account(), make_store(), subject=subject)


def test_every_fault_is_named_at_once(app: Flask) -> None:
    with pytest.raises(InvalidInput) as refused:
        do(inquire.open_inquiry, make_account(), None, "", wording("", [77]))
    assert [fault.field for fault in refused.value.faults] == ["store", "subject", "text", "mentions"]


def test_a_store_that_is_archived_is_asked_nothing_more(app: Flask) -> None:
    asker, store = make_account(), make_store()
    inquiry = ask(asker, store)
    change(Store, store, archived_at=now())
    with pytest.raises(InvalidInput):
        ask(asker, store)
    with pytest.raises(InvalidInput):
        write(asker, inquiry)


def test_a_closed_inquiry_takes_messages_again_once_it_is_reopened(app: Flask) -> None:
    asker, clerk = make_account(), make_account()
    inquiry = ask(asker, make_store(clerk))
    do(attend.close, actor(clerk), inquiry)
    with pytest.raises(InvalidInput):
        write(asker, inquiry)
    do(attend.reopen, actor(asker), inquiry)
    assert write(asker, inquiry)


@pytest.mark.parametrize("role", ["member", "suspended admin"])
def test_only_active_staff_of_the_platform_can_be_mentioned(app: Flask, role: str) -> None:
    other = make_account(role.split()[-1])
    change(Account, other, active=role == "member")
    with pytest.raises(InvalidInput) as refused:
        ask(make_account(), make_store(), other)
    assert [fault.field for fault in refused.value.faults] == ["mentions"]


def test_who_has_no_part_in_an_inquiry_does_nothing_there(app: Flask) -> None:
    asker, admin, other, clerk = make_account(), make_account("admin"), make_account(), make_account()
    inquiry = ask(asker, make_store(clerk), admin)
    let_ask(asker, inquiry, friend := make_account())
    email = email_of(other)
    attempts: list[tuple[Any, ...]] = [
        *((inquire.write, who, inquiry, wording()) for who in (admin, other)),
        *((attend.close, actor(who), inquiry) for who in (admin, other)),
        *((attend.add_asker, actor(who), inquiry, email) for who in (admin, other, clerk)),
        *((attend.remove_asker, actor(who), inquiry, asker) for who in (admin, other, clerk, friend, asker)),
        (attend.remove_asker, actor(clerk), inquiry, friend),
        (inquire.write, asker, 77, wording()),
    ]
    for verb, *arguments in attempts:
        with pytest.raises(NotTheirsError):
            do(verb, *arguments)


def test_only_ones_own_message_can_be_deleted_and_that_again_and_again(app: Flask) -> None:
    asker, clerk = make_account(), make_account()
    inquiry = ask(asker, make_store(clerk))
    message = db.session.scalars(select(InquiryMessage.id)).one()
    assert not do(inquire.delete_message, clerk, inquiry, message)
    assert not do(inquire.delete_message, asker, inquiry + 1, message)
    assert do(inquire.delete_message, asker, inquiry, message)
    at = db.session.get_one(InquiryMessage, message).deleted_at
    assert do(inquire.delete_message, asker, inquiry, message)
    assert db.session.get_one(InquiryMessage, message).deleted_at == at is not None
    assert lines_of_inquiry(inquiry, None).lines[0].text is None


def test_a_conversation_needs_others_who_are_there(app: Flask) -> None:
    me, away = make_account(), make_account()
    change(Account, away, active=False)
    mine = email_of(me)
    for emails in ([], [mine], [email_of(away)], ["nobody@example.jp", mine], [f"{n}@example.jp" for n in range(30)]):
        with pytest.raises(InvalidInput) as refused:
            do(converse.start, me, emails, "やあ", "a form")
        assert {fault.field for fault in refused.value.faults} == {"emails"}


def test_at_most_twenty_take_part(app: Flask) -> None:
    me, *others = (make_account() for _ in range(21))
    with pytest.raises(InvalidInput):
        start(me, *others)
    assert start(me, *others[:19])


def test_the_last_one_in_a_conversation_talks_to_nobody(app: Flask) -> None:
    me, other = make_account(), make_account()
    talk = start(me, other)
    do(converse.leave, other, talk)
    with pytest.raises(InvalidInput):
        say(me, talk)
