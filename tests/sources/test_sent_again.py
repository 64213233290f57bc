"""Promise: a form makes one thing; sent again with something else in it, it says so, and nothing is lost unseen."""

from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.accounts.known import who
from app.accounts.stores import Store
from app.extensions import db
from app.faults import InvalidInput
from app.inbox.models import Notification
from app.outbox.models import Delivery
from app.sources.conversations import converse, inquire
from app.sources.conversations.inquire import Wording
from app.sources.conversations.models import (
    Conversation,
    ConversationMember,
    ConversationMessage,
    Inquiry,
    InquiryMention,
    InquiryMessage,
)  # fmt: skip
from app.sources.stores.fields import ReportFields, StoreFields
from app.sources.stores.models import Report
from app.sources.stores.reports import make_report
from app.sources.stores.stores import open_store
from app.transaction import writing
from tests.factories import make_account
from tests.sources.conversations.talk import ask, email_of, start
from tests.sources.stores.town import ADMIN, make_store

TABLES = (Inquiry, InquiryMessage, InquiryMention, Conversation, ConversationMember, ConversationMessage, Report, Store,
          Notification, Delivery)  # fmt: skip


class Place:
    """Two of each: stores, people who write and are written to, talks that are going on."""

    def __init__(self) -> None:
        self.me, clerk, one, two = make_account(), make_account(), make_account(), make_account()
        self.stores = [make_store(clerk, name=name) for name in ("渋谷店", "横浜店")]
        self.staff = [make_account("admin"), make_account("staff")]
        self.emails = [email_of(one), email_of(two)]
        self.inquiries = [ask(self.me, store) for store in self.stores]
        self.talks = [start(self.me, other) for other in (one, two)]

    def inquire(self, store: int = 0, subject: str = "件名", text: str = "質問", staff: int = 0) -> Callable[..., int]:
        said, where = (text, [self.staff[staff]]), self.stores[store]
        return lambda tx, form: inquire.open_inquiry(tx, self.me, where, subject, Wording(*said, form))

    def write(self, inquiry: int = 0, text: str = "続き", staff: int = 0) -> Callable[..., int]:
        said, where = (text, [self.staff[staff]]), self.inquiries[inquiry]
        return lambda tx, form: inquire.write(tx, self.me, where, Wording(*said, form))

    def start(self, others: slice = slice(1), text: str = "やあ") -> Callable[..., int]:
        return lambda tx, form: converse.start(tx, self.me, self.emails[others], text, form)

    def say(self, talk: int = 0, text: str = "ねえ") -> Callable[..., int]:
        return lambda tx, form: converse.say(tx, self.me, self.talks[talk], text, form)

    def report(self, store: int = 0, title: str = "ドア", description: str = "開かない") -> Callable[..., int]:
        fields, where = ReportFields(title, description), self.stores[store]
        return lambda tx, form: make_report(tx, who(self.me), where, fields, form)

    def open(self, name: str = "新宿店", phone: str = "03-1", owner: int = 0) -> Callable[..., int]:
        fields, email = StoreFields(name, "", phone, ""), self.emails[owner]
        return lambda tx, form: open_store(tx, ADMIN, fields, email, form)


def _counts() -> list[int]:
    db.session.rollback()
    return [db.session.scalar(select(func.count()).select_from(table)) or 0 for table in TABLES]


def _sent(act: Callable[..., int], form: str) -> int:
    with writing() as tx:
        return act(tx, form)


@pytest.mark.parametrize(
    ("send", "other"),
    [
        (Place.inquire, {"store": 1}),
        (Place.inquire, {"subject": "別の件"}),
        (Place.inquire, {"text": "別の質問"}),
        (Place.inquire, {"staff": 1}),
        (Place.write, {"inquiry": 1}),
        (Place.write, {"text": "別の続き"}),
        (Place.write, {"staff": 1}),
        (Place.start, {"others": slice(1, 2)}),
        (Place.start, {"others": slice(2)}),
        (Place.start, {"text": "さようなら"}),
        (Place.say, {"talk": 1}),
        (Place.say, {"text": "やっぱり"}),
        (Place.report, {"store": 1}),
        (Place.report, {"title": "窓"}),
        (Place.report, {"description": "閉まらない"}),
        (Place.open, {"name": "池袋店"}),
        (Place.open, {"phone": "03-2"}),
        (Place.open, {"owner": 1}),
    ],
)
def test_something_else_under_the_same_id_is_refused_and_under_a_new_one_made(
    app: Flask, send: Callable[..., Callable[..., int]], other: dict[str, object]
) -> None:
    place = Place()
    made = _sent(send(place), "one form")
    before = _counts()
    with pytest.raises(InvalidInput) as refused:
        _sent(send(place, **other), "one form")
    assert [fault.field for fault in refused.value.faults] == ["request_id"]
    assert _sent(send(place), "one form") == made
    assert _counts() == before
    assert _sent(send(place, **other), "another form") != made


def test_a_message_of_one_talk_is_no_first_message_of_another(app: Flask) -> None:
    place = Place()
    _sent(place.say(text="やあ"), "one form")
    _sent(place.write(text="質問"), "one form")
    before = _counts()
    for act in (place.start(text="やあ"), place.inquire(text="質問")):
        with pytest.raises(InvalidInput):
            _sent(act, "one form")
    assert _counts() == before


def test_line_ends_and_the_space_around_a_text_are_nothing_else(app: Flask) -> None:
    place = Place()
    made = _sent(place.say(text="一\n二"), "one form")
    assert _sent(place.say(text=" 一\r\n二 "), "one form") == made
