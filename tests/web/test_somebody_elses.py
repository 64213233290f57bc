"""Promise: with the ids of another person nothing can be done, by no form, also none that is yet to be written."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select
from werkzeug.routing import Rule

from app.accounts.known import who
from app.accounts.models import BrowserSession
from app.clock import now
from app.columns import Base
from app.extensions import db
from app.inbox.models import Notification
from app.sources.announcements.fields import Fields, Text
from app.sources.announcements.models import Audience
from app.sources.announcements.write import draft
from app.sources.conversations.models import ConversationMessage, InquiryMessage
from app.sources.prices.models import Item, Watch
from app.transaction import writing
from tests.factories import make_account, make_delivery, make_shift, make_tutor
from tests.inbox.inboxes import make_device
from tests.operations.bulks import begin, picked
from tests.sources.conversations.talk import ask, email_of, start
from tests.web.classroom import give_group
from tests.web.ledger import failed
from tests.web.test_stores import Town
from tests.web.visitor import Visitor

Ids = Mapping[str, int]
Tables = Mapping[str, list[Any]]

OURS = {"X-Todoke": "service-worker", "Sec-Fetch-Site": "same-origin"}
TELL_NOTHING = {"notification.read": 204, "own_account.sign_out": 303}
"""Their answer is the same whether there is such a thing or not."""


@pytest.fixture
def theirs(pages_app: Flask) -> Ids:
    """The ids of one of everything, none of which is the visitor's."""
    town = Town(pages_app)
    Visitor(pages_app, town.owner)
    with pages_app.app_context():
        inquiry, talk = ask(town.reporter, town.store), start(town.reporter, town.owner)
        shift, group = make_shift(make_tutor()), give_group(1)
        return {
            "store_id": town.store, "report_id": town.report, "inquiry_id": inquiry, "conversation_id": talk,
            "account_id": town.clerk, "device_id": make_device(town.owner), "delivery_id": make_delivery(),
            "notification_id": db.session.scalars(select(Notification.id)).first() or 0,
            "session_id": db.session.scalars(select(BrowserSession.id)).first() or 0,
            "message_id": db.session.scalars(select(InquiryMessage.id)).one(),
            "shift_id": shift, "classroom_id": 1, "group_id": group, "publication_id": 1,
            "announcement_id": announced(), "bulk_id": begin(picked(failed())), "watch_id": watched_by(town.owner),
        }  # fmt: skip


def watched_by(account_id: int) -> int:
    """A watch of this account, and its id."""
    at = now()
    page = {"url": "https://shop.example/kettle", "adapter": "page", "title": "Kettle"}
    with writing() as tx:
        item = Item(**page, created_at=at)
        tx.session.add(item)
        tx.session.flush()
        watch = Watch(account_id=account_id, item_id=item.id, trigger="back_in_stock", created_at=at)
        tx.session.add(watch)
        tx.session.flush()
        return watch.id


def announced() -> int:
    """A draft, and its id."""
    author = who(make_account("admin"))
    with writing() as tx:
        return draft(tx, author, Fields({"ja": Text("休業", "")}, None, Audience.EVERYONE), "its-form")


def forms(app: Flask) -> list[Rule]:
    """Every address that takes the id of something and changes it."""
    return [rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ()) and "<int" in rule.rule]


def address(rule: Rule, ids: Ids) -> str:
    """The address with these ids, and the first of the words that it takes."""
    worded = re.sub(r"<any\((\w+).*?>", r"\1", rule.rule)
    return re.sub(r"<int.*?:(\w+)>", lambda found: str(ids[found[1]]), worded)


def everything(app: Flask) -> Tables:
    """All rows of all tables."""
    with app.app_context():
        return {
            table.name: sorted(map(repr, db.session.execute(select(table)))) for table in Base.metadata.sorted_tables
        }


@pytest.mark.parametrize(
    ("role", "allowed"), [("member", []), ("staff", ["report_acts.react", "report_acts.take_back"])]
)
def test_no_form_takes_another_persons_id(pages_app: Flask, theirs: Ids, role: str, allowed: list[str]) -> None:
    with pages_app.app_context():
        account = make_account(role)
        email = email_of(account)
    visitor = Visitor(pages_app, account)
    before, answers = everything(pages_app), dict[str, int]()
    for rule in (one for one in forms(pages_app) if one.endpoint not in allowed):
        fields = {"email": email, "name": "mine", "text": "mine", "request_id": "mine", "on": "0", "role": "admin"}
        answer = visitor.post(address(rule, theirs), OURS, **fields, language="en", shifts="0")
        answers[rule.endpoint] = answer.status_code
    assert {name: status for name, status in answers.items() if status not in (403, 404)} == TELL_NOTHING
    after = everything(pages_app)
    assert [name for name in before if before[name] != after[name]] == []


def test_these_ids_are_no_nonsense(pages_app: Flask, theirs: Ids) -> None:
    with pages_app.app_context():
        assert db.session.get(ConversationMessage, theirs["message_id"]) is not None
    assert all(theirs.values())
    assert len(forms(pages_app)) > 35
