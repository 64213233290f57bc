"""Promise: a deleted account takes part in nothing any more; what it wrote stays, without a name."""

import pytest
from flask import Flask
from flask_babel import force_locale
from sqlalchemy import func, select

from app.audit import COMMAND_LINE
from app.extensions import db
from app.faults import InvalidInput
from app.operations.access import suspend
from app.operations.deletion import delete_account
from app.sources.conversations.audience import called_in
from app.sources.conversations.inquiries import inquiry
from app.sources.conversations.models import ConversationMember, InquiryAsker, InquiryMention
from app.sources.conversations.reading import lines_of_conversation, lines_of_inquiry
from app.sources.conversations.talks import talk
from tests.factories import make_account
from tests.inbox.inboxes import titles
from tests.sources.conversations.talk import SECRET, ask, do, let_ask, make_store, say, start, write

NAMES = [("en", "(deleted account)"), ("ja", "（削除されたアカウント）")]


def _deleted(account: int) -> None:
    do(delete_account, COMMAND_LINE, account)


def test_nothing_that_makes_it_take_part_is_left_and_nobody_elses_part_goes(app: Flask) -> None:
    gone, friend, clerk = make_account("admin"), make_account("admin"), make_account()
    make_account("admin", password="a password of hers")
    store = make_store(clerk)
    let_ask(gone, ask(gone, store, friend), friend)
    ask(friend, store, gone)
    start(gone, friend, clerk)
    _deleted(gone)
    for part, left in ((InquiryAsker, 2), (ConversationMember, 2), (InquiryMention, 1)):
        counted = select(func.count()).select_from(part)
        assert (db.session.scalar(counted.where(part.account_id == gone)), db.session.scalar(counted)) == (0, left)


def test_whoever_was_left_alone_in_a_conversation_by_it_talks_to_nobody(app: Flask) -> None:
    me, gone = make_account(), make_account()
    conversation = start(gone, me)
    _deleted(gone)
    shown = talk(me, conversation)
    assert shown is not None
    assert list(shown.others) == []
    with pytest.raises(InvalidInput) as refused:
        say(me, conversation)
    assert [fault.message for fault in refused.value.faults] == [
        "Everybody else has left, so nobody would read this."
    ]  # fmt: skip


def test_a_store_does_not_answer_when_nobody_who_asked_is_left(app: Flask) -> None:
    gone, friend, clerk = make_account(), make_account(), make_account()
    store = make_store(clerk)
    alone, together = ask(gone, store), ask(gone, store)
    let_ask(gone, together, friend)
    _deleted(gone)
    with pytest.raises(InvalidInput) as refused:
        write(clerk, alone)
    assert [fault.message for fault in refused.value.faults] == [
        "Nobody who asked is left, so nobody would read this."
    ]  # fmt: skip
    write(clerk, together)
    assert len(titles(friend)) == 1


def test_who_was_called_in_is_called_in_no_more(app: Flask) -> None:
    asker, gone = make_account(), make_account("staff")
    one = ask(asker, make_store(), gone)
    _deleted(gone)
    assert called_in(one) == []
    assert list(lines_of_inquiry(one, None).lines[0].mentions) == []


@pytest.mark.parametrize(("language", "called"), NAMES)
def test_what_it_wrote_stays_without_a_name(app: Flask, language: str, called: str) -> None:
    gone, friend, clerk = make_account(name="髙橋 花子"), make_account(), make_account()
    asked, conversation = ask(gone, make_store(clerk)), start(gone, friend)
    _deleted(gone)
    with force_locale(language):
        page = inquiry(clerk, asked)
        assert page is not None
        assert (page.line.opened_by, dict(page.askers)) == (called, {})
        for lines in (lines_of_inquiry(asked, None), lines_of_conversation(conversation, None)):
            assert [(line.author, line.text) for line in lines.lines] == [(called, SECRET)]


def test_a_suspended_account_keeps_its_part(app: Flask) -> None:
    me, asleep, clerk = make_account(), make_account(), make_account()
    conversation, asked = start(me, asleep), ask(asleep, make_store(clerk))
    do(suspend, COMMAND_LINE, asleep)
    assert say(me, conversation)
    assert write(clerk, asked)
