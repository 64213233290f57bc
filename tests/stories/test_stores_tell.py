"""Promise: what happens at a store is told to exactly those it concerns, never to whoever did it, and once."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.accounts.known import who
from app.accounts.memberships import Post
from app.accounts.stores import Store
from app.extensions import db
from app.inbox.models import Notification
from app.outbox.models import Delivery
from app.sources.stores.fields import StoreFields
from app.sources.stores.models import Reaction, Report, Saying
from app.sources.stores.people import add_staff, hand_over, set_post
from app.sources.stores.reports import reopen, take_back
from app.sources.stores.stores import change_store
from app.transaction import writing
from tests.factories import all_deliveries, make_account
from tests.inbox.inboxes import chosen, make_device, titles
from tests.sources.stores.town import (
    KNOWN,
    at_once,
    make_store,
    on_line,
    people,
    react_as,
    report_at,
    resolve_as,
)

AT_ONCE = 20


def told(*accounts: int) -> dict[int, list[str]]:
    return {account: found for account in accounts if (found := titles(account))}


def count(table: type) -> int:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(table)) or 0


def test_a_report_is_told_to_the_stores_people_alone(app: Flask) -> None:
    owner, clerk, elsewhere, reporter, stranger = people(5)
    admin = make_account("admin")
    store = make_store(owner, clerk)
    make_store(elsewhere)
    report_at(store, reporter)
    new = ["New report: 自動ドアが開かない"]
    assert told(owner, clerk, elsewhere, reporter, stranger, admin) == {owner: new, clerk: new}


def test_staff_who_report_tell_the_others_and_not_themselves(app: Flask) -> None:
    owner, clerk = people(2)
    report_at(make_store(owner, clerk), clerk)
    assert list(told(owner, clerk)) == [owner]


def test_a_reaction_is_told_to_the_reporter_alone_and_once(app: Flask) -> None:
    owner, clerk, reporter = people(3)
    report = report_at(make_store(owner, clerk), reporter)
    for _ in range(2):
        react_as(clerk, report)
        with writing() as tx:
            take_back(tx, who(clerk), report, Saying.ME_TOO)
        assert titles(reporter) == []
        react_as(clerk, report)
    assert titles(reporter) == ["会員2 has this too: 自動ドアが開かない"]
    assert {len(titles(one)) for one in (owner, clerk)} == {1}


def test_that_it_works_again_is_said_by_whoever_cannot_resolve_it(app: Flask) -> None:
    owner, clerk, reporter = people(3)
    overseer = make_account("staff", name="本部", language="en")
    report = report_at(make_store(owner, clerk), reporter)
    assert not any(react_as(one, report, Saying.SOLVED) for one in (owner, clerk))
    assert titles(reporter) == []
    assert react_as(overseer, report, Saying.SOLVED)
    assert titles(reporter) == ["Works again for 本部: 自動ドアが開かない"]


def test_the_reporters_own_reaction_tells_nobody(app: Flask) -> None:
    owner, reporter = people(2)
    report = report_at(make_store(owner), reporter)
    assert react_as(reporter, report, Saying.SOLVED)
    assert titles(reporter) == []


def test_each_resolution_is_told_to_the_reporter_and_says_how_it_stands(app: Flask) -> None:
    owner, clerk, reporter = people(3)
    report = report_at(make_store(owner, clerk), reporter)
    assert resolve_as(clerk, report)
    assert not resolve_as(owner, report)
    assert titles(reporter) == ["Resolved: 自動ドアが開かない"]
    with writing() as tx:
        assert reopen(tx, who(owner), report)
    assert titles(reporter) == ["Open again: 自動ドアが開かない"]
    resolve_as(owner, report)
    assert titles(reporter) == ["Resolved: 自動ドアが開かない"] * 2
    assert titles(owner) == titles(clerk) == ["Reported and resolved: 自動ドアが開かない"]


def test_strangers_and_reporters_neither_resolve_nor_react_where_they_may_not(app: Flask) -> None:
    owner, reporter, stranger = people(3)
    report = report_at(make_store(owner), reporter)
    assert not resolve_as(reporter, report)
    assert not resolve_as(make_account("admin"), report)
    assert not react_as(stranger, report)
    assert titles(reporter) == []


def test_an_owner_is_guided_until_the_store_is_set_up(app: Flask) -> None:
    owner, clerk, second = people(3)
    store = make_store(owner, clerk, name="横浜店", set_up=False)
    assert told(owner, clerk) == {owner: ["Set up 横浜店"]}
    with writing() as tx:
        add_staff(tx, who(owner), store, who(second).email)
        set_post(tx, who(owner), store, second, Post.OWNER)
    assert told(owner, clerk, second) == {owner: ["Set up 横浜店"], second: ["Set up 横浜店"]}
    with writing() as tx:
        assert change_store(tx, who(second), store, StoreFields("横浜店", *KNOWN))
    assert titles(owner) == ["横浜店 is set up"]


def test_a_store_that_is_set_up_guides_nobody(app: Flask) -> None:
    owner, newcomer = people(2)
    store = make_store(owner)
    with writing() as tx:
        hand_over(tx, who(owner), store, who(newcomer).email)
    assert told(owner, newcomer) == {}


def test_the_new_owner_of_a_store_that_is_not_set_up_is_guided_and_the_old_one_no_more(app: Flask) -> None:
    owner, newcomer = people(2)
    store = make_store(owner, set_up=False)
    with writing() as tx:
        hand_over(tx, who(owner), store, who(newcomer).email)
    assert told(owner, newcomer) == {newcomer: ["Set up 渋谷店"]}


def _open_a_store(owner: int, _clerk: int, _reporter: int, _report: int) -> int:
    return make_store(owner, name="二号店", set_up=False, request_id="one form")


def _report(_owner: int, _clerk: int, reporter: int, report: int) -> int:
    store = db.session.get_one(Report, report).store_id
    return report_at(store, reporter, request_id="one form")


def _react(_owner: int, clerk: int, _reporter: int, report: int) -> bool:
    return react_as(clerk, report)


def _resolve(_owner: int, clerk: int, _reporter: int, report: int) -> bool:
    return resolve_as(clerk, report)


@pytest.mark.parametrize(
    ("act", "table", "to"),
    [(_open_a_store, Store, 0), (_report, Report, 0), (_react, Reaction, 2), (_resolve, None, 2)],
    ids=["store", "report", "reaction", "resolved"],
)
def test_twenty_of_the_same_at_once_make_one_record_one_notification_and_one_push(
    app: Flask, act: Callable[[int, int, int, int], object], table: type | None, to: int
) -> None:
    owner, clerk, reporter = people(3)
    report = report_at(make_store(owner), reporter)
    with writing() as tx:
        add_staff(tx, who(owner), db.session.get_one(Report, report).store_id, who(clerk).email)
    make_device((owner, clerk, reporter)[to])
    before = {one: count(one) for one in (Store, Report, Reaction, Notification, Delivery)}
    with app.app_context():
        faults = at_once(app, *[lambda: act(owner, clerk, reporter, report)] * AT_ONCE)
    assert faults == []
    added = {one: count(one) - number for one, number in before.items()}
    assert added == {
        Store: 0, Report: 0, Reaction: 0, Delivery: 1, Notification: 2 if act is _report else 1,
    } | ({table: 1} if table else {})  # fmt: skip


@pytest.mark.parametrize("act", [_report, _react, _resolve], ids=["report", "reaction", "resolved"])
def test_a_rollback_leaves_neither_record_nor_notification_nor_push(
    app: Flask, act: Callable[[int, int, int, int], object]
) -> None:
    owner, clerk, reporter = on_line(), make_account(), on_line()
    report = report_at(make_store(owner, clerk), reporter)
    before = [count(one) for one in (Report, Reaction, Notification, Delivery)]
    with suppress(ZeroDivisionError), writing():
        act(owner, clerk, reporter, report)
        raise ZeroDivisionError
    assert [count(one) for one in (Report, Reaction, Notification, Delivery)] == before
    assert db.session.get_one(Report, report).resolved_at is None


def test_what_is_owed_of_a_store_is_found_by_it(app: Flask) -> None:
    owner, clerk, reporter = on_line(), on_line(), on_line()
    chosen(owner, "store_guidance", "line", True)
    store = make_store(owner, clerk, set_up=False)
    report = report_at(store, reporter)
    react_as(owner, report)
    resolve_as(owner, report)
    owed = {(one.kind, one.scope) for one in all_deliveries()}
    kinds = ("store_guidance", "report_opened", "report_reaction", "report_resolved")
    assert owed == {(kind, f"store:{store}") for kind in kinds}
