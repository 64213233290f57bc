"""Whoever has no right reads nothing, also where others have it: in lists, counts and marks."""

from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.inbox.marks import mark_read
from app.inbox.models import Notification
from app.inbox.queries import unread
from app.kinds import Reader
from app.sources.conversations.inquiries import inquiries
from app.sources.conversations.models import ConversationMember, InquiryAsker
from app.sources.conversations.talks import talk, talks
from app.transaction import writing
from tests.factories import make_account
from tests.inbox.inboxes import titles
from tests.sources.conversations.talk import ask, dismiss, do, let_ask, make_store, start, write


def _notified(account: int) -> list[int]:
    return list(db.session.scalars(select(Notification.id).where(Notification.account_id == account)))


def test_a_right_of_others_is_nobody_elses(app: Flask) -> None:
    asker, friend, clerk, colleague = (make_account() for _ in range(4))
    store = make_store(clerk, colleague)
    inquiry = ask(asker, store, text="質問")
    let_ask(asker, inquiry, friend)
    write(clerk, inquiry, text="回答")
    conversation = start(asker, friend, clerk)
    dismiss(store, colleague)
    with writing() as tx:
        for table in (InquiryAsker, ConversationMember):
            tx.session.delete(tx.session.scalars(select(table).where(table.account_id == friend)).one())
    for outsider in (friend, colleague):
        assert titles(outsider) == titles(outsider, words="回答") == []
        assert unread(Reader(outsider, "member")) == 0
        assert do(mark_read, outsider, _notified(outsider)) == []
        assert inquiries(outsider, False, None, 9) == []
        assert talks(outsider, None, 9) == []
        assert talk(outsider, conversation) is None
    assert (len(titles(asker)), len(titles(clerk))) == (1, 2)
    assert len(do(mark_read, clerk, _notified(clerk))) == 2
    assert [[line.id for line in inquiries(one, False, None, 9)] for one in (asker, clerk)] == [[inquiry]] * 2


def test_lists_go_on_where_the_page_ended_also_within_one_instant(app: Flask) -> None:
    asker, store = make_account(), make_store()
    made = [ask(asker, store, subject=f"件名{number}") for number in range(5)]
    seen: list[int] = []
    after = None
    while lines := inquiries(asker, False, after, 2):
        seen += [line.id for line in lines]
        after = (lines[-1].last_message_at, lines[-1].id)
    assert seen == made[::-1]
