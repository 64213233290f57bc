"""An uploaded file is kept for an hour, for its account alone, and imported once."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from threading import Thread

import pytest
import time_machine
from flask import Flask
from sqlalchemy import func, select

from app.accounts.create import create_account
from app.accounts.models import Account
from app.audit import COMMAND_LINE, Actor, entries
from app.clock import now
from app.extensions import db
from app.faults import InvalidInput
from app.reach.link import link_line
from app.sources.classroom.imports.csv_file import read_csv
from app.sources.classroom.imports.import_file import (
    KeptFile,
    drop_file,
    import_kept,
    imported_at,
    keep_file,
    kept_file,
)
from app.sources.classroom.imports.import_shifts import ImportResult, Prepared, bring_in, prepare
from app.sources.classroom.imports.preview import preview
from app.sources.classroom.models import Classroom, ImportFile, Shift
from app.sources.classroom.seen import ChangedMeanwhile, digest
from app.sources.classroom.telling.tell import remind
from app.transaction import writing
from tests.factories import all_deliveries, change, line_user, make_account
from tests.sources.classroom.imports.files import bring_in as import_lines
from tests.sources.classroom.imports.files import table
from tests.web.classroom import told_of

ADMIN = Actor(None, "admin")
NOW = datetime(2026, 11, 20, 3, tzinfo=UTC)
LINE = "S1,hanako@example.jp,渋谷,2026-11-30,17:00,21:00,confirmed,数学"


@pytest.fixture(autouse=True)
def clock(app: Flask) -> Iterator[time_machine.Traveller]:
    """Time stands still."""
    with time_machine.travel(NOW, tick=False) as traveller:
        with writing() as tx:
            create_account(
                tx, email="hanako@example.jp", name="Hanako", role="member", language="ja", password_hash=None
            )
        yield traveller


def _keep(account: int, data: bytes | None = None) -> str:
    with writing() as tx:
        return keep_file(tx, account, "四月.csv", data or table(LINE), create_classrooms=True)


def _seen(token: str, owner: int) -> str:
    """The digest of the preview as it is now."""
    kept = kept_file(token, owner)
    assert kept is not None
    file = read_csv(kept.data, kept.created_at)
    return digest(preview(file, create_classrooms=kept.create_classrooms))


def _import(token: str, owner: int) -> ImportResult | None:
    """Look at the preview, and confirm it."""
    return import_kept(token, owner, ADMIN, _seen(token, owner))


def _count(of: type) -> int | None:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(of))


def test_a_file_is_given_back_as_it_was_to_its_own_account_alone() -> None:
    owner, other = make_account(), make_account()
    token = _keep(owner)
    assert kept_file(token, owner) == KeptFile("四月.csv", table(LINE), True, NOW)
    assert kept_file(token, other) is None
    assert import_kept(token, other, ADMIN, _seen(token, owner)) is None
    with writing() as tx:
        assert not drop_file(tx, token, other)
        assert drop_file(tx, token, owner)
    assert kept_file(token, owner) is None


def test_after_an_hour_a_file_opens_no_more_and_is_deleted_when_the_next_one_comes(
    clock: time_machine.Traveller,
) -> None:
    owner = make_account()
    token = _keep(owner)
    seen = _seen(token, owner)
    clock.shift(timedelta(minutes=59))
    assert kept_file(token, owner) is not None
    clock.shift(timedelta(minutes=1))
    assert kept_file(token, owner) is None
    assert import_kept(token, owner, ADMIN, seen) is None
    assert _keep(make_account()) != token
    assert _count(ImportFile) == 1


def test_confirmed_twice_a_file_is_imported_once(app: Flask) -> None:
    owner = make_account()
    token = _keep(owner)
    results: list[ImportResult | None] = []
    seen = _seen(token, owner)
    db.session.close()
    threads = [Thread(target=_confirm, args=(app, token, owner, seen, results)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result for result in results if result] == [ImportResult(1, 0, 0, ("渋谷",))]
    assert _count(Shift) == 1


def _confirm(app: Flask, token: str, owner: int, seen: str, results: list[ImportResult | None]) -> None:
    with app.app_context(), suppress(ChangedMeanwhile):
        results.append(import_kept(token, owner, ADMIN, seen))


def test_when_a_file_was_imported_is_known_to_its_uploader_for_the_hour(clock: time_machine.Traveller) -> None:
    owner = make_account()
    token = _keep(owner)
    assert imported_at(token, owner) is None
    _import(token, owner)
    assert imported_at(token, owner) == now()
    assert imported_at(token, make_account()) is None
    assert imported_at("\x00", owner) is None
    assert import_kept(token, owner, ADMIN, "") is None
    clock.shift(timedelta(hours=1))
    remind()
    assert _count(ImportFile) == 0


def test_a_file_that_cannot_be_imported_any_more_stores_nothing_and_stays(clock: time_machine.Traveller) -> None:
    owner = make_account()
    data = table(LINE.replace("hanako", "nobody"))
    token = _keep(owner, data)
    with pytest.raises(InvalidInput):
        import_kept(token, owner, ADMIN, "")
    assert (_count(Shift), _count(Classroom)) == (0, 0)
    assert kept_file(token, owner) is not None


def test_days_without_a_year_mean_at_the_confirmation_what_they_meant_in_the_preview(
    clock: time_machine.Traveller,
) -> None:
    owner = make_account()
    clock.move_to(datetime(2028, 6, 30, 14, 50, tzinfo=UTC))
    token = _keep(owner, table(LINE.replace("2026-11-30", "12/31")))
    clock.shift(timedelta(minutes=30))
    assert read_csv(table(LINE.replace("2026-11-30", "12/31"))).rows[0].starts_at.year == 2028
    _import(token, owner)
    assert [shift.starts_at.year for shift in db.session.scalars(select(Shift))] == [2027]


MEANWHILE: list[dict[str, object]] = [
    {"starts_at": NOW, "version": 5},
    {"deleted_at": NOW, "version": 5},
    {"note": "物理"},
    {"external_id": None},
]


@pytest.mark.parametrize("meanwhile", MEANWHILE)
def test_what_changed_since_the_import_was_decided_stays_as_it_is(meanwhile: dict[str, object]) -> None:
    import_lines(LINE, create_classrooms=True)
    prepared = prepare(read_csv(table(LINE.replace("数学", "化学"))), create_classrooms=False)
    change(Shift, prepared.changed[0].known.id, **meanwhile)
    with pytest.raises(ChangedMeanwhile):
        _bring_in(prepared)
    shift = db.session.scalars(select(Shift)).one()
    assert {name: getattr(shift, name) for name in meanwhile} == meanwhile


def _bring_in(prepared: Prepared) -> ImportResult:
    with writing() as tx:
        return bring_in(tx, COMMAND_LINE, prepared)


def test_a_shift_that_appeared_since_the_import_was_decided_is_not_added_again() -> None:
    prepared = prepare(read_csv(table(LINE)), create_classrooms=True)
    import_lines(LINE, create_classrooms=True)
    with pytest.raises(ChangedMeanwhile):
        _bring_in(prepared)
    assert _count(Shift) == 1


@pytest.mark.parametrize("meanwhile", MEANWHILE)
def test_what_was_not_in_the_preview_is_not_done_and_the_file_stays(meanwhile: dict[str, object]) -> None:
    import_lines(LINE, create_classrooms=True)
    owner = make_account()
    token = _keep(owner, table(LINE.replace("数学", "化学")))
    seen = _seen(token, owner)
    change(Shift, db.session.scalars(select(Shift.id)).one(), **meanwhile)
    with pytest.raises(ChangedMeanwhile):
        import_kept(token, owner, ADMIN, seen)
    shift = db.session.scalars(select(Shift)).one()
    assert {name: getattr(shift, name) for name in meanwhile} == meanwhile
    assert _import(token, owner) is not None


def test_a_correction_that_was_not_in_the_preview_is_not_sent() -> None:
    import_lines(LINE, create_classrooms=True)
    tutor = db.session.scalars(select(Account.id)).one()
    with writing() as tx:
        link_line(tx, tutor, line_user(1))
    owner = make_account()
    token = _keep(owner, table(LINE.replace("17:00", "18:00")))
    seen = _seen(token, owner)
    told_of(db.session.scalars(select(Shift.id)).one())
    with pytest.raises(ChangedMeanwhile):
        import_kept(token, owner, ADMIN, seen)
    assert [one.kind for one in all_deliveries()] == ["shift_reminder"]


def test_the_reminder_scan_forgets_a_file_that_nobody_confirmed(clock: time_machine.Traveller) -> None:
    _keep(make_account(), table(LINE))
    remind()
    assert _count(ImportFile) == 1
    clock.shift(timedelta(hours=1, seconds=1))
    remind()
    assert _count(ImportFile) == 0


def test_each_shift_says_who_brought_it_in(clock: time_machine.Traveller) -> None:
    owner = make_account()
    _import(_keep(owner, table(LINE)), owner)
    shift = db.session.scalars(select(Shift.id)).one()
    assert [(entry.act, entry.actor_name) for entry in entries("shift", shift)] == [("import", ADMIN.name)]
