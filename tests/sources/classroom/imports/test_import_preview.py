"""What an import would do is said before anything is stored, in the words of a page."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from flask import Flask
from sqlalchemy import func, select

from app.accounts.create import create_account
from app.accounts.models import Account
from app.extensions import db
from app.faults import InvalidInput
from app.outbox.models import Delivery
from app.reach.link import link_line
from app.reach.models import LineLink
from app.sources.classroom.classrooms import create_classroom
from app.sources.classroom.imports.csv_file import read_csv
from app.sources.classroom.imports.preview import Preview, PreviewedShift, preview
from app.sources.classroom.models import Classroom, Shift, ShiftStatus, ShiftTold
from app.transaction import writing
from tests.factories import change, line_user
from tests.sources.classroom.imports.files import bring_in, table

NOW = datetime(2026, 11, 20, 3, tzinfo=UTC)
HANAKO = "S1,hanako@example.jp,渋谷,2026-11-30,17:00,21:00,confirmed,数学"


@pytest.fixture(autouse=True)
def _cast(app: Flask) -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        with writing() as tx:
            create_classroom(tx, "渋谷")
            for number, name in enumerate(("hanako", "takeshi"), start=1):
                email = f"{name}@example.jp"
                account = create_account(
                    tx, email=email, name=name.title(), role="member", language="ja", password_hash=None
                )
                link_line(tx, account, line_user(number))
        yield


def _preview(*lines: str, create_classrooms: bool = False) -> Preview:
    return preview(read_csv(table(*lines)), create_classrooms=create_classrooms)


def _count(table_: type) -> int | None:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(table_))


def _told() -> None:
    """Hanako was told of the one shift, as it stands."""
    with writing() as tx:
        shift = tx.session.scalars(select(Shift)).one()
        told = ShiftTold(
            shift_id=shift.id, account_id=shift.tutor_id, kind="shift_reminder", version=shift.version,
            classroom_id=shift.classroom_id, starts_at=shift.starts_at, ends_at=shift.ends_at, at=NOW,
        )  # fmt: skip
        tx.session.add(told)


def _corrected(*lines: str, create_classrooms: bool = False) -> list[list[str]]:
    return [list(one.corrected) for one in _preview(*lines, create_classrooms=create_classrooms).changed]


def test_a_preview_names_what_would_be_added_and_stores_nothing() -> None:
    found = _preview(HANAKO, HANAKO.replace("S1", "S2").replace("渋谷", "大阪"), create_classrooms=True)
    assert found.added[0] == PreviewedShift(
        "S1", "Hanako", "渋谷", datetime(2026, 11, 30, 8, tzinfo=UTC), datetime(2026, 11, 30, 12, tzinfo=UTC),
        ShiftStatus.CONFIRMED, "数学",
    )  # fmt: skip
    assert (found.added[1].classroom, found.new_classrooms) == ("大阪", ["大阪"])
    assert (found.changed, found.unchanged) == ([], 0)
    assert (_count(Shift), _count(Classroom)) == (0, 1)


def test_a_change_shows_the_old_and_the_new_shift_and_the_others_are_counted() -> None:
    bring_in(HANAKO, HANAKO.replace("S1", "S2").replace("17:00", "18:00"))
    moved = "S1,takeshi@example.jp,渋谷,2026-11-30,17:30,21:00,draft,物理"
    found = _preview(moved, HANAKO.replace("S1", "S2").replace("17:00", "18:00"))
    (change_,) = found.changed
    assert (change_.old.tutor, change_.old.status, change_.old.note) == ("Hanako", "confirmed", "数学")
    assert (change_.new.tutor, change_.new.status, change_.new.note) == ("Takeshi", "draft", "物理")
    assert change_.new.starts_at - change_.old.starts_at == timedelta(minutes=30)
    assert (found.added, found.unchanged) == ([], 1)


def test_an_id_and_a_note_that_the_file_does_not_mention_are_shown_as_they_stay() -> None:
    bring_in(HANAKO)
    header = "tutor_email,classroom,date,start,end,status"
    bare = read_csv(table("hanako@example.jp,渋谷,2026-11-30,17:00,22:00,confirmed", header=header))
    new = preview(bare, create_classrooms=False).changed[0].new
    assert (new.external_id, new.note) == ("S1", "数学")


def test_a_shift_that_would_come_back_is_shown_as_deleted_before() -> None:
    bring_in(HANAKO)
    change(Shift, db.session.scalars(select(Shift.id)).one(), deleted_at=NOW)
    (one,) = _preview(HANAKO).changed
    assert (one.old.deleted, one.new.deleted) == (True, False)


@pytest.mark.parametrize(
    "changed",
    [
        HANAKO.replace("17:00", "18:00"), HANAKO.replace("confirmed", "draft"), HANAKO.replace("hanako", "takeshi"),
        HANAKO.replace("渋谷", "大阪"),
    ],
)  # fmt: skip
def test_who_was_told_and_would_get_a_correction_is_named_and_gets_it(changed: str) -> None:
    bring_in(HANAKO)
    _told()
    assert _corrected(changed, create_classrooms=True) == [["Hanako"]]
    assert _count(Delivery) == 0
    bring_in(changed, create_classrooms=True)
    (kind,) = db.session.scalars(select(Delivery.kind))
    assert kind == "shift_correction"


def test_nobody_is_named_who_was_not_told_or_cannot_be_reached_or_whom_the_change_does_not_concern() -> None:
    bring_in(HANAKO)
    moved = HANAKO.replace("17:00", "18:00")
    assert _corrected(moved) == [[]]
    _told()
    assert _corrected(HANAKO.replace("数学", "物理")) == [[]]
    hanako = select(LineLink.id).join(Account).where(Account.name == "Hanako")
    change(LineLink, db.session.scalars(hanako).one(), enabled=False)
    assert _corrected(moved) == [[]]


def test_a_faulty_file_has_no_preview_but_all_its_faults() -> None:
    with pytest.raises(InvalidInput) as refused:
        _preview(HANAKO.replace("17:00", "late"), HANAKO.replace("hanako", "nobody"))
    assert [(fault.line, fault.field) for fault in refused.value.faults] == [(2, "start"), (3, "tutor_email")]


def test_who_takes_no_line_messages_is_named_unless_all_their_lines_are_over() -> None:
    with writing() as tx:
        create_account(tx, email="nora@example.jp", name="Nora", role="member", language="ja", password_hash=None)
    lines = HANAKO, HANAKO.replace("S1", "S2").replace("hanako", "nora")
    assert [(one.name, one.why) for one in _preview(*lines).unreachable] == [("Nora", "line_disabled")]
    assert _preview(*(line.replace("2026-11-30", "2026-11-19") for line in lines)).unreachable == []


def _clashes(*lines: str) -> list[tuple[str, str, bool, str, bool]]:
    """Whose, the start of each of the two, and whether it is there already."""
    return [
        (one.tutor, f"{one.one.starts_at:%H:%M}", bool(one.one.shift_id), f"{one.other.starts_at:%H:%M}",
         bool(one.other.shift_id))
        for one in _preview(*lines).clashes
    ]  # fmt: skip


def test_two_lines_at_one_time_are_a_clash_and_those_that_touch_are_none() -> None:
    inside = HANAKO.replace("S1", "S2").replace("17:00", "18:00")
    after = HANAKO.replace("S1", "S3").replace("17:00,21:00", "21:00,22:00")
    other = HANAKO.replace("S1", "S4").replace("hanako", "takeshi")
    assert _clashes(HANAKO, inside, after, other) == [("Hanako", "08:00", False, "09:00", False)]


def test_a_line_clashes_with_a_shift_that_is_there_and_not_with_where_it_was_itself() -> None:
    bring_in(HANAKO, HANAKO.replace("S1", "S2").replace("11-30", "12-01"))
    assert _clashes(HANAKO.replace("17:00", "18:00")) == []
    assert _clashes(HANAKO.replace("17:00", "18:00").replace("11-30", "12-01")) == [
        ("Hanako", "08:00", True, "09:00", True)
    ]
    deleted = select(Shift.id).where(Shift.external_id == "S2")
    change(Shift, db.session.scalars(deleted).one(), deleted_at=NOW)
    assert _clashes(HANAKO.replace("17:00", "18:00").replace("11-30", "12-01")) == []


def test_a_clash_that_was_there_before_and_stays_is_not_the_files_doing() -> None:
    lines = HANAKO, HANAKO.replace("S1", "S2").replace("17:00", "18:00")
    bring_in(*lines)
    assert _clashes(*lines) == []
    assert _clashes(lines[0].replace("数学", "物理"), lines[1].replace("confirmed", "draft")) == []


def test_whoever_is_suspended_gets_no_new_shift_and_keeps_what_they_have() -> None:
    bring_in(HANAKO, HANAKO.replace("S1", "S2").replace("hanako", "takeshi").replace("17:00", "19:00"))
    hanako = db.session.scalars(select(Account.id).where(Account.name == "Hanako")).one()
    change(Account, hanako, active=False)
    assert len(_preview(HANAKO.replace("17:00", "18:00")).changed) == 1
    for given in ("S3", "S2"):
        with pytest.raises(InvalidInput) as refused:
            _preview(HANAKO.replace("数学", "物理"), HANAKO.replace("S1", given).replace("11-30", "12-01"))
        (fault,) = refused.value.faults
        assert (fault.line, fault.field) == (3, "tutor_email")
        assert "suspended" in fault.message
    change(Shift, db.session.scalars(select(Shift.id).where(Shift.external_id == "S1")).one(), deleted_at=NOW)
    with pytest.raises(InvalidInput):
        _preview(HANAKO)
