"""Promise: who may no longer see a thing of a store hears nothing of it, and finds it as it was when they may."""

from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.known import who
from app.accounts.memberships import Post
from app.accounts.models import Account
from app.extensions import db
from app.inbox.marks import mark_read
from app.inbox.models import Notification
from app.inbox.queries import find, unread
from app.outbox.state import State
from app.sources.stores.fields import StoreFields
from app.sources.stores.models import Report, Saying
from app.sources.stores.people import add_staff, hand_over, remove, set_post
from app.sources.stores.report_listing import Pile, get_report, reports_of
from app.sources.stores.reports import delete_report, reopen, take_back
from app.sources.stores.stores import archive_store, change_store, reopen_store
from app.transaction import writing
from tests.factories import all_deliveries, change, make_account
from tests.fakes.line import FakeLine
from tests.fixtures.background import Background
from tests.inbox.inboxes import titles
from tests.sources.stores.town import (
    ADMIN,
    KNOWN,
    make_store,
    on_line,
    people,
    react_as,
    report_at,
    resolve_as,
)

Deed = Callable[[int, int, int, int], object]
"""Something that happens to (store, its owner, the report, its reporter)."""


def handed_over(store: int, owner: int, _report: int, _reporter: int) -> None:
    newcomer = make_account(name="新オーナー")
    with writing() as tx:
        hand_over(tx, who(owner), store, who(newcomer).email)


def removed(store: int, owner: int, _report: int, _reporter: int) -> None:
    admin = make_account("admin")
    other = make_account()
    with writing() as tx:
        add_staff(tx, who(admin), store, who(other).email)
        set_post(tx, who(admin), store, other, Post.OWNER)
        remove(tx, who(admin), store, owner)


def archived(store: int, _owner: int, _report: int, _reporter: int) -> None:
    with writing() as tx:
        archive_store(tx, ADMIN, store)


def deleted(_store: int, _owner: int, report: int, reporter: int) -> None:
    with writing() as tx:
        assert delete_report(tx, who(reporter), report)


def resolved(_store: int, owner: int, report: int, _reporter: int) -> None:
    assert resolve_as(owner, report)


def suspended(_store: int, owner: int, _report: int, _reporter: int) -> None:
    change(Account, owner, active=False)


@pytest.mark.parametrize(
    ("happens", "reason"),
    [
        (handed_over, "not_entitled"),
        (removed, "not_entitled"),
        (archived, "not_entitled"),
        (deleted, "subject_deleted"),
        (resolved, "subject_resolved"),
        (suspended, "recipient_disabled"),
    ],
)
def test_a_new_report_that_is_no_longer_theirs_to_know_is_not_sent(
    app: Flask, background: Background, line: FakeLine, happens: Deed, reason: str
) -> None:
    owner, reporter = on_line(), make_account()
    store = make_store(owner)
    report = report_at(store, reporter)
    happens(store, owner, report, reporter)
    background.work()
    assert [(one.state, one.cancel_reason) for one in all_deliveries()] == [(State.CANCELED, reason)]
    assert line.requests == []


def taken_back(_store: int, owner: int, report: int, _reporter: int) -> None:
    with writing() as tx:
        take_back(tx, who(owner), report, Saying.ME_TOO)


def reopened(_store: int, owner: int, report: int, _reporter: int) -> None:
    with writing() as tx:
        assert reopen(tx, who(owner), report)


@pytest.mark.parametrize(
    ("told", "happens", "reason"),
    [
        (react_as, taken_back, "subject_deleted"),
        (react_as, deleted, "subject_deleted"),
        (resolve_as, reopened, "subject_resolved"),
        (resolve_as, deleted, "subject_deleted"),
    ],
)
def test_what_no_longer_holds_of_a_report_is_not_sent_to_its_reporter(
    app: Flask, background: Background, line: FakeLine, told: Callable[[int, int], bool], happens: Deed, reason: str
) -> None:
    owner, reporter = make_account(), on_line()
    store = make_store(owner)
    report = report_at(store, reporter)
    assert told(owner, report)
    happens(store, owner, report, reporter)
    background.work()
    assert [(one.state, one.cancel_reason) for one in all_deliveries()] == [(State.CANCELED, reason)]
    assert line.requests == []


def test_of_a_report_that_was_reopened_and_resolved_again_the_later_resolution_is_told(
    app: Flask, background: Background, line: FakeLine
) -> None:
    owner, reporter, another = make_account(), on_line(), on_line()
    store = make_store(owner)
    report, other = report_at(store, reporter), report_at(store, another)
    assert resolve_as(owner, other)
    assert resolve_as(owner, report)
    reopened(store, owner, report, reporter)
    assert resolve_as(owner, report)
    background.work()
    ended = [(one.account_id, one.state, one.cancel_reason) for one in all_deliveries()]
    assert ended == [
        (another, State.SENT, None),
        (reporter, State.CANCELED, "subject_resolved"),
        (reporter, State.SENT, None),
    ]
    assert len(line.requests) == 2


def test_guidance_ends_when_the_store_is_set_up_or_handed_over(
    app: Flask, background: Background, line: FakeLine
) -> None:
    owner = on_line("store_guidance")
    one, two = make_store(owner, set_up=False), make_store(owner, set_up=False)
    with writing() as tx:
        change_store(tx, who(owner), one, StoreFields("一号店", *KNOWN))
    handed_over(two, owner, 0, 0)
    background.work()
    assert [one.cancel_reason for one in all_deliveries()] == ["subject_resolved", "not_entitled"]
    assert line.requests == []


def test_a_report_is_seen_by_its_stores_people_its_reporter_and_platform_staff_alone(app: Flask) -> None:
    owner, reporter, stranger = people(3)
    overseers = [make_account("admin"), make_account("staff")]
    report = report_at(make_store(owner), reporter)
    make_store(stranger)
    for one in (owner, reporter, *overseers):
        assert get_report(who(one).reader, report) is not None
        assert len(reports_of(who(one).reader, Pile.OPEN, None, None, 10)) == 1
    assert get_report(who(stranger).reader, report) is None
    assert reports_of(who(stranger).reader, Pile.OPEN, None, None, 10) == []


def _the_owner_back(store: int, owner: int, _report: int, _reporter: int) -> None:
    with writing() as tx:
        hand_over(tx, who(make_account("admin")), store, who(owner).email)


def _opened_again(store: int, _owner: int, _report: int, _reporter: int) -> None:
    with writing() as tx:
        reopen_store(tx, ADMIN, store)


def _undeleted(_store: int, _owner: int, report: int, _reporter: int) -> None:
    change(Report, report, deleted_at=None)


@pytest.mark.parametrize(
    ("lost", "back"),
    [(handed_over, _the_owner_back), (removed, _the_owner_back), (archived, _opened_again), (deleted, _undeleted)],
)
def test_list_count_link_and_search_stop_at_once_and_come_back_with_their_read_state(
    app: Flask, lost: Deed, back: Deed
) -> None:
    owner, reporter = people(2)
    store = make_store(owner)
    report = report_at(store, reporter)
    report_at(make_store(owner, name="別の店"), reporter, title="別の不具合")
    reader = who(owner).reader
    mine = select(Notification.id).where(Notification.account_id == owner, Notification.subject_id == report)
    one = db.session.scalars(mine).one()

    def seen() -> tuple[int, list[str], bool, bool, int]:
        listed, found = titles(owner), titles(owner, words="自動ドア")
        at_link = get_report(reader, report) is not None
        return len(listed), found, find(reader, one, "en") is not None, at_link, unread(reader)

    before = seen()
    assert before == (2, ["New report: 自動ドアが開かない"], True, True, 2)
    with writing() as tx:
        mark_read(tx, owner, [one])
    lost(store, owner, report, reporter)
    assert seen() == (1, [], False, False, 1)
    back(store, owner, report, reporter)
    assert seen() == (*before[:4], 1)


def test_the_reporter_keeps_their_own_report_when_the_store_is_archived(app: Flask) -> None:
    owner, reporter = people(2)
    store = make_store(owner)
    report = report_at(store, reporter)
    resolve_as(owner, report)
    archived(store, owner, report, reporter)
    assert titles(reporter) == ["Resolved: 自動ドアが開かない"]
    assert get_report(who(reporter).reader, report) is not None
