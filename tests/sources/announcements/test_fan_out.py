"""Telling an announcement in chunks: everybody who is there, once, whatever happens meanwhile."""

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import text

from app.accounts.models import Account
from app.codes import CancelReason
from app.extensions import db
from app.inbox.models import Notification
from app.kinds import INBOX_KINDS
from app.operations.deletion import delete_account
from app.outbox.models import Delivery
from app.outbox.state import State
from app.sources.announcements import fan_out
from app.sources.announcements.fan_out import announce
from app.sources.announcements.models import Audience
from app.sources.announcements.progress import progress_of
from app.sources.announcements.turns import LEASE, end_turn, is_told_now, take_turn, tell_chunk
from app.sources.announcements.write import change as change_text
from app.transaction import Transaction, writing
from tests.bare_app import beside
from tests.factories import all_deliveries, change, make_account
from tests.fixtures.background import later
from tests.inbox.inboxes import make_device
from tests.racing import race
from tests.sources.announcements.announced import (
    EN,
    JA,
    archived,
    author,
    crowd,
    fields,
    published,
    states,
    tell_everybody,
    told,
    walk_of,
)  # fmt: skip


def some(announcement_id: int, number: int) -> None:
    """The first so many are told, and whoever tells them gives up the turn."""
    with writing() as tx:
        turn = take_turn(tx)
        assert turn is not None
        assert turn.announcement_id == announcement_id
        tell_chunk(tx, turn, number)
        end_turn(tx, turn)


def test_everybody_has_it_once_and_every_device_is_owed_it(app: Flask) -> None:
    who, people = author(), crowd(20)
    for one in people[:5]:
        make_device(one)
    make_device(people[0])
    announcement_id = published(who)
    assert announce() == {"published": 0, "notified": 21, "owed": 6, "skipped": 0, "canceled": 0}
    assert announce()["notified"] == 0
    assert told() == [who.id, *people]
    assert len({one.dedup_key for one in all_deliveries()}) == 6
    walk = walk_of(announcement_id)
    assert (walk.notified, walk.cursor, walk.lease_token) == (21, people[-1], None)
    assert walk.finished_at is not None


def test_what_is_owed_by_set_is_what_would_be_owed_one_by_one(app: Flask) -> None:
    person = make_account(name="長" * 100)
    make_device(person, name="機" * 100)
    published(what=fields(audience=Audience.MEMBERS))
    announce()
    (owed,) = all_deliveries()
    assert owed.address_label == f"{'長' * 100} · {'機' * 97}"
    assert (owed.state, owed.attempts, owed.next_trigger, owed.dead_letter) == ("pending", 0, "auto", False)
    assert (owed.channel, owed.gate_key) == ("web_push", "web_push:updates.push.services.mozilla.com")
    assert owed.dedup_key == f"notification:{owed.notification_id}:device:{owed.address_id}"
    assert owed.expires_at is not None
    assert abs(owed.expires_at - owed.created_at - INBOX_KINDS["announcement"].lifetime) < timedelta(seconds=1)


def test_a_device_gets_its_own_language_or_the_fallback_or_nothing(app: Flask) -> None:
    who = author()
    japanese, english, both = make_account(), make_account(language="en"), make_account(language="en")
    devices = {
        make_device(japanese, language="ja"): "ja",
        make_device(english, language="en"): "en",
        make_device(both, language="ja"): "both, ja",
        make_device(both, language="en"): "both, en",
    }
    for what, reached, people in (
        (fields(texts={"ja": JA}), ["ja", "both, ja"], [japanese, both]),
        (fields(texts={"ja": JA}, fallback="ja"), list(devices.values()), [japanese, english, both]),
        (fields(), list(devices.values()), [japanese, english, both]),
        (fields(texts={"en": EN}), ["en", "both, en"], [english, both]),
    ):
        before = len(all_deliveries())
        announcement_id = published(who, what)
        announce()
        assert [devices[one.address_id] for one in all_deliveries()[before:]] == reached
        db.session.rollback()
        having = {row.account_id for row in db.session.query(Notification).filter_by(subject_id=announcement_id)}
        assert having - {who.id} == set(people)


def test_who_comes_after_it_was_published_is_not_told_and_who_leaves_before_their_turn_neither(app: Flask) -> None:
    who, people = author(), crowd(10)
    announcement_id = published(who)
    some(announcement_id, 4)
    late = make_account()
    with writing() as tx:
        delete_account(tx, who.actor, people[5])
    change(Account, people[7], active=False)
    change(Account, people[0], active=False)  # has it already
    tell_everybody()
    assert told() == [one for one in (who.id, *people) if one not in (people[5], people[7])]
    assert late not in told()
    progress = progress_of(announcement_id)
    assert progress is not None
    assert (progress.notified, progress.to_come) == (9, 0)


def test_of_two_at_once_each_tells_what_the_other_does_not(app: Flask) -> None:
    people = crowd(3000)
    who = author()
    first, second = published(who), published(who)
    with beside(app, announce), beside(app, announce):
        announce()
    tell_everybody()
    for announcement_id in (first, second):
        assert walk_of(announcement_id).notified == 3001
    assert told() == sorted([*people, who.id] * 2)


def test_while_somebody_tells_it_nobody_else_does(app: Flask) -> None:
    announcement_id = published()
    with writing() as tx:
        turn = take_turn(tx)
    assert turn is not None
    assert announce()["notified"] == 0
    with later(seconds=LEASE.total_seconds() + 1):
        assert announce()["notified"] == 1
    with writing() as tx:
        assert tell_chunk(tx, turn, 10).over
    assert walk_of(announcement_id).notified == 1


def test_who_comes_back_too_late_writes_nothing(app: Flask) -> None:
    crowd(10)
    announcement_id = published()
    with writing() as tx:
        late = take_turn(tx)
    with later(seconds=LEASE.total_seconds() + 1), writing() as tx:
        present = take_turn(tx)
    assert late is not None
    assert present is not None
    with writing() as tx:
        assert tell_chunk(tx, late, 3).over
        end_turn(tx, late)
    assert (walk_of(announcement_id).cursor, walk_of(announcement_id).lease_token) == (0, present.token)
    with writing() as tx:
        assert tell_chunk(tx, present, 3).notified == 3


def test_somebody_slow_is_not_taken_for_dead(app: Flask) -> None:
    people = crowd(10)
    announcement_id = published()

    def another_looks() -> None:
        with later(seconds=3 * LEASE.total_seconds()):
            assert announce()["notified"] == 0, "the lease is over, but the row is held"

    with writing() as tx:
        turn = take_turn(tx)
    assert turn is not None
    with writing() as tx:
        tell_chunk(tx, turn, 5)
        if db.engine.dialect.name == "postgresql":  # SQLite has one writer: there the other waits for the chunk
            with beside(app, another_looks):
                pass
    assert len(told()) == 5 == walk_of(announcement_id).notified
    with writing() as tx:
        assert tell_chunk(tx, turn, 100).over
    assert len(told()) == len(set(told())) == len(people) + 1


def test_one_whose_rows_the_database_refuses_keeps_nobody_else_from_it(app: Flask) -> None:
    people = crowd(50)
    announcement_id = published()
    with poisoned(people[17]):
        figures = announce()
    assert (figures["notified"], figures["skipped"]) == (50, 1)
    walk = walk_of(announcement_id)
    assert walk.finished_at is not None
    assert walk.skipped == 1
    assert people[17] not in told()
    assert len(told()) == len(set(told())) == 50


def test_archived_half_way_it_stops_and_what_waits_ends(app: Flask) -> None:
    who, people = author(), crowd(10)
    for one in people:
        make_device(one)
    announcement_id = published(who)
    some(announcement_id, 6)
    owed = states()["pending"]
    with writing() as tx:
        assert archived(tx, who, announcement_id)
    figures = announce()
    assert (figures["canceled"], figures["notified"]) == (owed, 0)
    assert states() == {"canceled": owed}
    assert {one.cancel_reason for one in all_deliveries()} == {CancelReason.ANNOUNCEMENT_ARCHIVED}
    assert announce()["canceled"] == 0
    progress = progress_of(announcement_id)
    assert progress is not None
    assert (progress.stopped, progress.finished, progress.told_at) == (True, True, None)
    assert (progress.notified, progress.to_come) == (6, 5), "it does not look as if everybody had been told"


def test_archived_beside_a_chunk_that_chunk_is_ended_too(app: Flask) -> None:
    who, people = author(), crowd(4)
    for one in people:
        make_device(one)
    announcement_id = published(who)
    with writing() as tx:
        turn = take_turn(tx)
    assert turn is not None

    def archive_it(tx: Transaction) -> None:
        archived(tx, who, announcement_id)

    race(app, lambda tx: is_told_now(tx, turn), archive_it, then=lambda tx: tell_chunk(tx, turn, 100))
    assert announce()["canceled"] == 4
    assert walk_of(announcement_id).stopped_at is not None
    assert states() == {"canceled": 4}


def test_what_a_worker_held_when_it_was_archived_ends_when_it_comes_back(app: Flask) -> None:
    who, (person,) = author(), crowd(1)
    make_device(person)
    announcement_id = published(who)
    announce()
    (owed,) = all_deliveries()
    change(Delivery, owed.id, state=State.SENDING)
    with writing() as tx:
        archived(tx, who, announcement_id)
    assert announce()["canceled"] == 0
    assert walk_of(announcement_id).stopped_at is None
    change(Delivery, owed.id, state=State.RETRY)
    assert announce()["canceled"] == 1
    assert walk_of(announcement_id).stopped_at is not None


def test_told_anew_before_everybody_was_told_it_begins_again(app: Flask) -> None:
    who, people = author(), crowd(10)
    announcement_id = published(who)
    some(announcement_id, 4)
    with writing() as tx:
        change_text(tx, who, announcement_id, fields(), 2, anew=True)
    tell_everybody()
    assert told() == sorted([who.id, *people, who.id, *people[:3]])
    assert walk_of(announcement_id).notified == 11


def test_told_anew_what_waits_of_before_ends_though_no_worker_comes_for_it(app: Flask) -> None:
    who, (person,) = author(), crowd(1)
    make_device(person)
    announcement_id = published(who)
    announce()
    with writing() as tx:
        change_text(tx, who, announcement_id, fields(), 2, anew=True)
    assert announce()["canceled"] == 1
    assert [one.cancel_reason for one in all_deliveries()] == [CancelReason.ANNOUNCED_ANEW, None]


def test_finished_is_said_only_when_everybody_was_told_and_nothing_waits(app: Flask) -> None:
    people = crowd(10)
    make_device(people[9])
    announcement_id = published()

    def stand() -> tuple[int, int, int, bool]:
        db.session.rollback()
        progress = progress_of(announcement_id)
        assert progress is not None
        return progress.notified, progress.to_come, progress.on_the_way, progress.finished

    assert stand() == (0, 11, 0, False)
    some(announcement_id, 6)
    assert stand() == (6, 5, 0, False)
    tell_everybody()
    assert stand() == (11, 0, 1, False)
    (owed,) = all_deliveries()
    for state in (State.QUEUED, State.SENDING, State.RETRY):
        change(Delivery, owed.id, state=state)
        assert not stand()[3]
    for state in (State.SENT, State.CANCELED, State.FAILED):
        change(Delivery, owed.id, state=state)
        assert stand() == (11, 0, 0, True)


def test_a_run_ends_after_its_time_and_the_next_goes_on(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fan_out, "BUDGET", 0.001)
    monkeypatch.setattr(fan_out, "FIRST", 3)
    crowd(10)
    announcement_id = published()
    assert announce()["notified"] == 3
    walk = walk_of(announcement_id)
    assert (walk.cursor > 0, walk.lease_token, walk.finished_at) == (True, None, None)
    tell_everybody()
    assert walk_of(announcement_id).notified == 11


def poisoned(account_id: int) -> Any:
    """While the block runs the database takes no notification for this account."""
    return _Poison(account_id)


class _Poison:
    def __init__(self, account_id: int) -> None:
        self._sqlite = db.engine.dialect.name == "sqlite"
        self._account_id = account_id

    def __enter__(self) -> None:
        if self._sqlite:
            self._do(f"CREATE TRIGGER poison BEFORE INSERT ON notification WHEN NEW.account_id = {self._account_id} "
                     "BEGIN SELECT RAISE(ABORT, 'poison'); END")  # fmt: skip
        else:
            self._do(f"ALTER TABLE notification ADD CONSTRAINT poison CHECK (account_id <> {self._account_id})")

    def __exit__(self, *_: object) -> None:
        self._do("DROP TRIGGER poison" if self._sqlite else "ALTER TABLE notification DROP CONSTRAINT poison")

    def _do(self, statement: str) -> None:
        with writing() as tx:
            tx.session.execute(text(statement))
