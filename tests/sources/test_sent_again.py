"""Promise: a form makes one thing; sent again with something else in it, it says so, and nothing is lost unseen."""

from collections.abc import Callable
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import delete, func, select, update

from app.accounts.known import hold, id_of, who
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
from app.sources.stores.people import hand_over
from app.sources.stores.reports import make_report
from app.sources.stores.stores import change_store, open_store
from app.transaction import writing
from tests.factories import make_account
from tests.racing import race
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


@pytest.mark.parametrize("send", [Place.inquire, Place.write, Place.start, Place.say, Place.report, Place.open])
def test_a_form_of_before_the_digests_is_the_same_form(app: Flask, send: Callable[..., Callable[..., int]]) -> None:
    place = Place()
    made = _sent(send(place), "one form")
    for table in (Inquiry, InquiryMessage, Conversation, ConversationMessage, Report, Store):
        with writing() as tx:
            tx.session.execute(update(table).values(sent_hash=None))
    before = _counts()
    assert _sent(send(place), "one form") == made
    assert _counts() == before


def test_the_same_form_is_known_again_when_the_store_has_another_name_and_owner(app: Flask) -> None:
    place = Place()
    store = _sent(place.open(), "one form")
    with writing() as tx:
        admin = who(place.staff[0])
        assert change_store(tx, admin, store, StoreFields("別の名前", "別の町", "03-9", "24時間"))
        hand_over(tx, admin, store, place.emails[1])
    assert _sent(place.open(), "one form") == store


def test_the_same_form_is_known_again_when_a_member_has_left(app: Flask) -> None:
    place = Place()
    started = _sent(place.start(slice(2)), "one form")
    with writing() as tx:
        assert converse.leave(tx, id_of(place.emails[0]), started)
    before = _counts()
    assert _sent(place.start(slice(2)), "one form") == started
    assert _counts() == before


def test_the_same_form_is_known_again_when_whom_it_called_in_is_no_longer_called(app: Flask) -> None:
    place = Place()
    asked = _sent(place.inquire(), "one form")
    with writing() as tx:
        tx.session.execute(delete(InquiryMention))
    assert _sent(place.inquire(), "one form") == asked


def test_asking_again_and_writing_into_the_inquiry_at_once_do_not_block_each_other(app: Flask) -> None:
    place = Place()
    asked = _sent(place.inquire(), "one form")
    write = partial(inquire.write, account_id=place.me, inquiry_id=asked, wording=Wording("続き", [], "another form"))
    refused = race(
        app,
        lambda tx: hold(tx, place.me),
        write,
        then=lambda tx: place.inquire()(tx, "one form"),
    )
    assert refused == []
    assert db.session.scalar(select(func.count()).where(InquiryMessage.inquiry_id == asked)) == 2
