"""The reminder scan: who is owed a reminder, and that it is owed once."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from flask import Flask
from sqlalchemy import insert, select

from app.accounts.models import Account
from app.clock import now
from app.extensions import db
from app.outbox.models import Delivery
from app.reach.models import LineLink
from app.sources.classroom import SCANS
from app.sources.classroom.models import Shift
from app.sources.classroom.telling.tell import remind
from app.transaction import ROWS_PER_TRANSACTION, writing
from tests.factories import change, make_account, make_shift, make_tutor

NOW = datetime(2026, 11, 30, 8, tzinfo=UTC)
SECOND = timedelta(seconds=1)
WINDOW = timedelta(hours=2, minutes=15)


@pytest.fixture(autouse=True)
def _frozen() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


def _owed() -> list[Delivery]:
    db.session.rollback()
    return list(db.session.scalars(select(Delivery).order_by(Delivery.id)))


def test_a_reminder_carries_all_that_the_ledger_needs(app: Flask) -> None:
    tutor = make_tutor(name="髙橋 花子")
    shift = make_shift(tutor, version=3)
    assert remind() == {"shifts": 1, "enqueued": 1}
    owed, = _owed()  # fmt: skip
    link = db.session.scalars(select(LineLink.id)).one()
    record = db.session.get(Shift, shift)
    assert record is not None
    assert (owed.kind, owed.channel, owed.gate_key) == ("shift_reminder", "line", "line")
    assert owed.dedup_key == f"shift_reminder:{shift}:3:{tutor}"
    assert (owed.subject_type, owed.subject_id, owed.subject_version) == ("shift", shift, 3)
    assert (owed.account_id, owed.address_type, owed.address_id) == (tutor, "line_link", link)
    assert (owed.address_label, owed.scope) == ("髙橋 花子", f"classroom:{record.classroom_id}")
    assert owed.expires_at == NOW + timedelta(hours=2)


@pytest.mark.parametrize(
    ("starts_in", "expected"),
    [(WINDOW, 1), (WINDOW + SECOND, 0), (SECOND, 1), (timedelta(), 0), (-SECOND, 0)],
)
def test_shifts_count_from_2_hours_15_minutes_before_until_they_start(
    app: Flask, starts_in: timedelta, expected: int
) -> None:
    make_shift(make_tutor(), starts_in=starts_in)
    assert remind()["enqueued"] == expected


def test_scanning_again_owes_nothing_new(app: Flask) -> None:
    make_shift(make_tutor())
    remind()
    assert remind() == {"shifts": 1, "enqueued": 0}
    assert len(_owed()) == 1


def test_a_changed_shift_is_reminded_of_anew(app: Flask) -> None:
    shift = make_shift(make_tutor())
    remind()
    change(Shift, shift, version=2, starts_at=NOW + timedelta(hours=1))
    assert remind()["enqueued"] == 1
    assert [owed.subject_version for owed in _owed()] == [1, 2]


def test_drafts_and_deleted_shifts_are_nobodys_business(app: Flask) -> None:
    make_shift(make_tutor(), status="draft")
    make_shift(make_tutor(), deleted_at=NOW)
    assert remind()["enqueued"] == 0


def test_only_tutors_who_can_be_reached_are_reminded(app: Flask) -> None:
    unlinked, inactive, switched_off = make_account(), make_tutor(), make_tutor()
    change(Account, inactive, active=False)
    with time_machine.travel(NOW, tick=False):
        link = db.session.scalars(select(LineLink.id).where(LineLink.account_id == switched_off)).one()
    change(LineLink, link, enabled=False)
    for tutor in (unlinked, inactive, switched_off):
        make_shift(tutor)
    assert remind()["enqueued"] == 0


def test_a_tutor_who_can_be_reached_again_is_reminded_as_long_as_it_is_time(app: Flask) -> None:
    tutor = make_tutor()
    make_shift(tutor)
    change(Account, tutor, active=False)
    remind()
    change(Account, tutor, active=True)
    with time_machine.travel(now() + timedelta(hours=1, minutes=59), tick=False):
        assert remind()["enqueued"] == 1


def test_more_shifts_than_one_commit_holds_are_all_owed(app: Flask) -> None:
    tutor = make_tutor()
    first = make_shift(tutor)
    many = ROWS_PER_TRANSACTION + 1
    _repeat(first, many - 1)
    assert remind() == {"shifts": many, "enqueued": many}


def _repeat(shift: int, times: int) -> None:
    with writing() as tx:
        record = tx.session.get_one(Shift, shift)
        columns = [column.key for column in Shift.__table__.columns if column.key != "id"]
        tx.session.execute(insert(Shift), [{key: getattr(record, key) for key in columns}] * times)


def test_the_scan_stands_on_the_timetable_every_15_minutes() -> None:
    assert [(scan.name, scan.every) for scan in SCANS] == [("reminders", timedelta(minutes=15))]
