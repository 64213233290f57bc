"""Promise: an inquiry is told to exactly those it concerns, once, and to nobody who has lost the right meanwhile."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.memberships import Post
from app.accounts.models import Account
from app.accounts.stores import Store
from app.clock import now
from app.extensions import db
from app.outbox.state import State
from app.sources.conversations import attend, inquire
from app.sources.conversations.models import Inquiry, InquiryMessage
from app.transaction import writing
from tests.factories import all_deliveries, change, delivery, make_account
from tests.fixtures.background import Background
from tests.inbox.inboxes import make_device, titles
from tests.sources.conversations.talk import (
    actor,
    ask,
    at_once,
    dismiss,
    do,
    email_of,
    employ,
    let_ask,
    make_store,
    pushes,
    wording,
    write,
)  # fmt: skip

ASKED, ANSWERED = "営業時間 (渋谷店)", "渋谷店 has answered: 営業時間"


def devices(*accounts: int) -> None:
    for one in accounts:
        make_device(one)


def test_an_opened_inquiry_is_told_to_the_stores_people_and_to_nobody_else(app: Flask) -> None:
    asker, clerk, owner = make_account(), make_account(), make_account()
    elsewhere, admin = make_account(), make_account("admin")
    store = make_store(clerk)
    employ(store, owner, Post.OWNER)
    make_store(elsewhere, name="横浜店")
    devices(asker, clerk, owner, elsewhere, admin)
    ask(asker, store)
    assert pushes() == [(clerk, "inquiry_message"), (owner, "inquiry_message")]
    assert [titles(one) for one in (asker, clerk, owner, elsewhere, admin)] == [[], [ASKED], [ASKED], [], []]
    assert {one.scope for one in all_deliveries()} == {f"store:{store}"}


def test_platform_staff_are_told_only_when_mentioned_and_then_of_all_that_askers_write(app: Flask) -> None:
    asker, clerk, admin, staff = make_account(), make_account(), make_account("admin"), make_account("staff")
    inquiry = ask(asker, make_store(clerk), admin)
    assert (titles(admin), titles(staff)) == ([ASKED], [])
    write(asker, inquiry)
    assert (len(titles(admin)), titles(staff)) == (2, [])


def test_an_answer_is_told_to_all_askers_and_to_whom_it_mentions(app: Flask) -> None:
    asker, friend, clerk, colleague = (make_account() for _ in range(4))
    admin, staff = make_account("admin"), make_account("staff")
    inquiry = ask(asker, make_store(clerk, colleague), admin)
    let_ask(asker, inquiry, friend)
    for one in (asker, friend, clerk, colleague, admin, staff):
        make_device(one)
    write(clerk, inquiry, staff)
    assert sorted(pushes(), key=str) == sorted(
        [(asker, "inquiry_answer"), (friend, "inquiry_answer"), (staff, "inquiry_message")], key=str
    )
    assert (titles(asker), titles(friend), titles(staff)) == ([ANSWERED], [ANSWERED], [ASKED])
    assert (len(titles(admin)), titles(clerk)) == (1, [ASKED])


def test_who_asks_along_and_works_there_is_told_once(app: Flask) -> None:
    asker, both, clerk = make_account(), make_account("staff"), make_account()
    inquiry = ask(asker, make_store(both, clerk))
    let_ask(asker, inquiry, both)
    write(clerk, inquiry, both)
    assert titles(both) == [ANSWERED, ASKED]
    write(asker, inquiry)
    assert titles(both) == [ASKED, ANSWERED, ASKED]


def _handed_over(asked: dict[str, int]) -> None:
    dismiss(asked["store"], asked["clerk"])


def _archived(asked: dict[str, int]) -> None:
    change(Store, asked["store"], archived_at=now())


def _suspended(asked: dict[str, int]) -> None:
    change(Account, asked["clerk"], active=False)


def _deleted(asked: dict[str, int]) -> None:
    message = db.session.scalars(select(InquiryMessage.id)).one()
    assert do(inquire.delete_message, asked["asker"], asked["inquiry"], message)


def _closed(asked: dict[str, int]) -> None:
    assert do(attend.close, actor(asked["asker"]), asked["inquiry"])


@pytest.mark.parametrize(
    ("happens", "reason"),
    [
        (_handed_over, "not_entitled"),
        (_archived, "subject_resolved"),
        (_suspended, "recipient_disabled"),
        (_deleted, "subject_deleted"),
        (_closed, "subject_resolved"),
    ],
)
def test_what_changes_between_queue_and_send_stops_the_push(
    app: Flask, background: Background, happens: Callable[[dict[str, int]], None], reason: str
) -> None:
    asker, clerk, colleague = make_account(), make_account(), make_account()
    make_device(clerk)
    store = make_store(clerk, colleague)
    inquiry = ask(asker, store)
    (owed,) = all_deliveries()
    assert owed.state == State.QUEUED
    happens({"asker": asker, "clerk": clerk, "store": store, "inquiry": inquiry})
    background.work()
    assert (delivery(owed.id).state, delivery(owed.id).cancel_reason) == (State.CANCELED, reason)


def test_the_inbox_follows_the_right_at_once_and_brings_it_back(app: Flask) -> None:
    asker, clerk, successor = make_account(), make_account(), make_account()
    store = make_store(clerk, make_account())
    ask(asker, store)
    dismiss(store, clerk)
    employ(store, successor)
    assert (titles(clerk), titles(clerk, words="営業")) == ([], [])
    employ(store, clerk)
    assert (titles(clerk), titles(clerk, words="秘密の"), titles(clerk, words="営業")) == ([ASKED], [ASKED], [ASKED])
    change(Store, store, archived_at=now())
    assert titles(clerk) == []
    change(Store, store, archived_at=None)
    assert titles(clerk) == [ASKED]


def test_a_role_lost_after_a_mention_ends_its_rights(app: Flask, background: Background) -> None:
    asker, admin, other = make_account(), make_account("admin"), make_account("staff")
    make_device(admin)
    inquiry = ask(asker, make_store(), admin, other)
    (owed,) = all_deliveries()
    change(Account, admin, role="member")
    background.work()
    assert delivery(owed.id).cancel_reason == "not_entitled"
    assert titles(admin) == []
    write(asker, inquiry)
    assert len(all_deliveries()) == 1
    change(Account, admin, role="staff")
    assert titles(admin) == [ASKED]


def test_deleting_the_message_that_mentioned_somebody_takes_the_mention_back(app: Flask) -> None:
    asker, admin = make_account(), make_account("admin")
    inquiry = ask(asker, make_store())
    message = write(asker, inquiry, admin)
    assert titles(admin) == [ASKED]
    do(inquire.delete_message, asker, inquiry, message)
    write(asker, inquiry)
    assert titles(admin) == []


def test_an_asker_who_was_removed_hears_no_more(app: Flask, background: Background) -> None:
    asker, friend, clerk = make_account(), make_account(), make_account()
    make_device(friend)
    inquiry = ask(asker, make_store(clerk))
    let_ask(asker, inquiry, friend)
    write(clerk, inquiry)
    (owed,) = all_deliveries()
    assert do(attend.remove_asker, actor(asker), inquiry, friend)
    background.work()
    assert delivery(owed.id).cancel_reason == "not_entitled"
    assert (titles(friend), titles(asker)) == ([], [ANSWERED])
    write(clerk, inquiry)
    assert len(all_deliveries()) == 1


def test_an_answer_that_closes_the_inquiry_is_still_told(app: Flask, background: Background) -> None:
    asker, clerk = make_account(), make_account()
    inquiry = ask(asker, make_store(clerk))
    make_device(asker)
    write(clerk, inquiry)
    do(attend.close, actor(clerk), inquiry)
    background.work()
    assert all_deliveries()[0].state != State.CANCELED


def test_twenty_identical_posts_at_once_are_one_message_and_one_notification(app: Flask) -> None:
    asker, clerk = make_account(), make_account()
    make_device(clerk)
    store = make_store(clerk)
    first, second = wording(), wording()
    opened = at_once(app, 20, lambda tx: inquire.open_inquiry(tx, asker, store, "件名", first))
    assert len(opened) == 20
    (inquiry,) = set(opened)
    assert len(set(at_once(app, 20, lambda tx: inquire.write(tx, asker, inquiry, second)))) == 1
    assert len(db.session.scalars(select(Inquiry)).all()) == 1
    assert len(db.session.scalars(select(InquiryMessage)).all()) == 2
    assert titles(clerk) == ["件名 (渋谷店)"] * 2
    assert len(all_deliveries()) == 2


def test_of_a_transaction_that_breaks_nothing_stays(app: Flask) -> None:
    asker, clerk = make_account(), make_account()
    make_device(clerk)
    store = make_store(clerk)
    with suppress(ZeroDivisionError), writing() as tx:
        inquire.open_inquiry(tx, asker, store, "件名", wording())
        raise ZeroDivisionError
    assert (titles(clerk), all_deliveries()) == ([], [])
    assert db.session.scalars(select(Inquiry)).all() == []
    assert db.session.scalars(select(InquiryMessage)).all() == []


@pytest.mark.parametrize("act", [attend.close, attend.reopen])
def test_two_who_press_at_once_do_it_once(app: Flask, act: Callable[..., Any]) -> None:
    asker, clerk = make_account(), make_account()
    inquiry = ask(asker, make_store(clerk))
    if act is attend.reopen:
        do(attend.close, actor(asker), inquiry)
    did = at_once(app, 2, lambda tx: act(tx, actor(asker), inquiry))
    assert sorted(did) == [False, True]


def test_an_account_asks_along_once_however_often_it_is_added(app: Flask) -> None:
    asker, friend = make_account(), make_account()
    inquiry, email = ask(asker, make_store()), email_of(friend)
    added = at_once(app, 4, lambda tx: attend.add_asker(tx, actor(asker), inquiry, email))
    assert sorted(added) == [False, False, False, True]
