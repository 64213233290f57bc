"""Promise: whoever is deleted or suspended at this moment becomes no owner, no staff, no asker and no member."""

from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.accounts.known import NoSuchAccountError, who
from app.accounts.memberships import Membership
from app.audit import Actor
from app.extensions import db
from app.operations.access import suspend
from app.operations.deletion import delete_account
from app.sources.conversations import attend, converse, inquire
from app.sources.conversations.models import ConversationMember, InquiryAsker, InquiryMention
from app.sources.stores.fields import StoreFields
from app.sources.stores.people import add_staff, hand_over
from app.sources.stores.stores import open_store
from app.transaction import Transaction
from tests.factories import make_account
from tests.racing import Act, race
from tests.sources.conversations.talk import actor, ask, email_of, wording
from tests.sources.stores.town import ADMIN, make_store

Given = Callable[[int], Act]
"""From somebody the act that gives them a part."""

PARTS = (Membership, InquiryAsker, ConversationMember, InquiryMention)


def _staff(somebody: int) -> Act:
    owner, email = make_account(), email_of(somebody)
    store = make_store(owner)
    return lambda tx: add_staff(tx, who(owner), store, email)


def _heir(somebody: int) -> Act:
    owner, email = make_account(), email_of(somebody)
    store = make_store(owner)
    return lambda tx: hand_over(tx, who(owner), store, email)


def _first_owner(somebody: int) -> Act:
    email = email_of(somebody)
    return lambda tx: open_store(tx, ADMIN, StoreFields("新宿店", "", "", ""), email, "a form")


def _asker(somebody: int) -> Act:
    asker, email = make_account(), email_of(somebody)
    inquiry = ask(asker, make_store(make_account()))
    return lambda tx: attend.add_asker(tx, actor(asker), inquiry, email)


def _member(somebody: int) -> Act:
    emails = [email_of(make_account()), email_of(somebody)]
    starter = make_account()
    return lambda tx: converse.start(tx, starter, emails, "やあ", "a form")


def _mentioned(somebody: int) -> Act:
    asker, store = make_account(), make_store(make_account())
    return lambda tx: inquire.open_inquiry(tx, asker, store, "件名", wording("助けて", [somebody]))


def _parts_of(account: int) -> list[int]:
    db.session.rollback()
    counted = (select(func.count()).where(part.account_id == account) for part in PARTS)
    return [db.session.scalar(one) or 0 for one in counted]


@pytest.mark.parametrize("gone", [delete_account, suspend])
@pytest.mark.parametrize(
    ("given", "field"),
    [
        (_staff, "email"),
        (_heir, "email"),
        (_first_owner, "email"),
        (_asker, "email"),
        (_member, "emails"),
        (_mentioned, "mentions"),
    ],
)
def test_who_is_gone_first_is_refused(
    app: Flask, gone: Callable[[Transaction, Actor, int], object], given: Given, field: str
) -> None:
    somebody = make_account("staff")
    act = given(somebody)
    assert race(app, lambda tx: gone(tx, ADMIN, somebody), act) == [field]
    assert _parts_of(somebody) == [0, 0, 0, 0]


@pytest.mark.parametrize("given", [_heir, _first_owner])
def test_who_became_the_only_owner_first_is_not_deleted(app: Flask, given: Given) -> None:
    somebody = make_account()
    assert race(app, given(somebody), lambda tx: delete_account(tx, ADMIN, somebody)) == ["account"]
    assert _parts_of(somebody) == [1, 0, 0, 0]


def test_who_asks_or_begins_and_is_deleted_at_the_same_moment_leaves_nothing_behind(app: Flask) -> None:
    somebody, friend, store = make_account(), email_of(make_account()), make_store(make_account())

    def open_and_start(tx: Transaction) -> None:
        with pytest.raises(NoSuchAccountError):
            inquire.open_inquiry(tx, somebody, store, "件名", wording())
        with pytest.raises(NoSuchAccountError):
            converse.start(tx, somebody, [friend], "やあ", "a form")

    race(app, lambda tx: delete_account(tx, ADMIN, somebody), open_and_start)
    assert _parts_of(somebody) == [0, 0, 0, 0]


def test_two_who_begin_a_conversation_with_each_other_at_once_both_do(app: Flask) -> None:
    one, two = make_account(), make_account()
    emails = {account: email_of(account) for account in (one, two)}
    refused = race(
        app,
        lambda tx: converse.start(tx, one, [emails[two]], "やあ", "a form"),
        lambda tx: converse.start(tx, two, [emails[one]], "やあ", "a form"),
    )
    assert refused == []
    assert (_parts_of(one), _parts_of(two)) == ([0, 0, 2, 0], [0, 0, 2, 0])
