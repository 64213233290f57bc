"""Rows to shifts: all or nothing, the same file twice changes nothing, and versions rise only for what is told."""

from contextlib import suppress
from datetime import UTC, datetime
from threading import Thread

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from app.accounts.create import create_account
from app.accounts.models import Account
from app.clock import now
from app.extensions import db
from app.faults import InvalidInput
from app.sources.classroom.classrooms import create_classroom
from app.sources.classroom.imports.import_shifts import ImportResult
from app.sources.classroom.models import Classroom, Shift
from app.transaction import writing
from tests.factories import change
from tests.sources.classroom.imports.files import bring_in, counts, line, stored_shifts

PEOPLE = ("hanako", "takeshi")


@pytest.fixture(autouse=True)
def _cast(app: Flask) -> None:
    with writing() as tx:
        create_classroom(tx, "渋谷")
        create_classroom(tx, "横浜")
        for name in PEOPLE:
            email = f"{name}@example.jp"
            create_account(tx, email=email, name=name, role="member", language="ja", password_hash=None)


def _state() -> list[tuple[int, int, datetime]]:
    return [(shift.id, shift.version, shift.updated_at) for shift in stored_shifts()]


def _refused(*lines: str, create_classrooms: bool = False) -> list[tuple[int | None, str]]:
    with pytest.raises(InvalidInput) as refused:
        bring_in(*lines, create_classrooms=create_classrooms)
    return [(fault.line, fault.field) for fault in refused.value.faults]


def test_a_new_line_becomes_a_shift() -> None:
    assert bring_in(line(note="数学")) == ImportResult(1, 0, 0, ())
    shift, = stored_shifts()  # fmt: skip
    tutor = db.session.scalars(select(Account).where(Account.id == shift.tutor_id)).one()
    assert (shift.external_id, tutor.name, shift.status, shift.version) == ("S1", "hanako", "confirmed", 1)
    assert (shift.note, shift.deleted_at) == ("数学", None)
    assert shift.starts_at == datetime(2026, 11, 30, 8, tzinfo=UTC)
    assert shift.ends_at == datetime(2026, 11, 30, 12, tzinfo=UTC)


def test_the_same_file_twice_changes_nothing() -> None:
    file = [line(), line(external_id="", start="8:00", end="9:00"), line("S3", "takeshi", note="x")]
    bring_in(*file)
    before = _state()
    assert counts(bring_in(*file)) == (0, 0, 3)
    assert _state() == before


@pytest.mark.parametrize(
    "changed",
    [
        line(start="18:00"), line(end="22:00"), line(day="2026-12-01"), line(classroom="横浜"),
        line(tutor="takeshi"), line(status="draft"),
    ],
)  # fmt: skip
def test_what_a_tutor_is_told_makes_a_new_version_when_it_changes(changed: str) -> None:
    bring_in(line())
    assert counts(bring_in(changed)) == (0, 1, 0)
    assert [shift.version for shift in stored_shifts()] == [2]


def test_a_note_changes_without_a_new_version_and_stays_where_the_file_has_no_such_column() -> None:
    bring_in(line(note="数学"))
    assert counts(bring_in(line(note="物理"))) == (0, 1, 0)
    assert [(shift.version, shift.note) for shift in stored_shifts()] == [(1, "物理")]
    bare = "S1,hanako@example.jp,渋谷,2026-11-30,17:00,21:00,confirmed"
    header = "external_id,tutor_email,classroom,date,start,end,status"
    assert counts(bring_in(bare, header=header)) == (0, 0, 1)
    assert counts(bring_in(line(note=""))) == (0, 1, 0)


def test_a_deleted_shift_that_is_in_the_file_again_comes_back_as_a_new_version() -> None:
    bring_in(line())
    change(Shift, stored_shifts()[0].id, deleted_at=now())
    assert counts(bring_in(line())) == (0, 1, 0)
    assert [(shift.version, shift.deleted_at) for shift in stored_shifts()] == [(2, None)]


def test_shifts_that_are_not_in_the_file_are_left_alone() -> None:
    bring_in(line(), line("S2", "takeshi"))
    assert counts(bring_in(line("S3", day="2026-12-01"))) == (1, 0, 0)
    assert [shift.version for shift in stored_shifts()] == [1, 1, 1]


@pytest.mark.parametrize(
    ("lines", "faults"),
    [
        ([line("S1"), line("S1", "takeshi")], [(3, "external_id")]),
        ([line(""), line("", end="22:00")], [(3, "start")]),
        ([line("S1"), line("")], [(3, "start")]),
        ([line(""), line("S1")], [(3, "start")]),
        ([line(""), line(""), line("")], [(3, "start"), (4, "start")]),
    ],
)
def test_two_lines_for_one_shift_are_a_fault_of_the_second(lines: list[str], faults: list[tuple[int, str]]) -> None:
    assert _refused(*lines) == faults
    assert stored_shifts() == []


def test_every_faulty_line_is_listed_and_nothing_is_stored() -> None:
    bring_in(line())
    bad = [
        line(end="22:00"), line("S2", "nobody"), line("S3", classroom="大阪"), line("S4", start="late"),
        line("S5", "nobody", "大阪", status="perhaps"), line("S1"),
    ]  # fmt: skip
    assert _refused(*bad) == [
        (3, "tutor_email"), (4, "classroom"), (5, "start"), (6, "status"), (6, "tutor_email"), (6, "classroom"),
        (7, "external_id"),
    ]  # fmt: skip
    assert [(shift.external_id, shift.version) for shift in stored_shifts()] == [("S1", 1)]


def test_classrooms_are_made_when_that_is_asked_for_and_only_if_the_file_is_right() -> None:
    assert _refused(line(classroom="大阪"), line("S2", "nobody"), create_classrooms=True) == [(3, "tutor_email")]
    assert "大阪" not in db.session.scalars(select(Classroom.name)).all()
    result = bring_in(line(classroom="大阪"), line("S2", classroom="京都"), create_classrooms=True)
    assert result.new_classrooms == ("京都", "大阪")
    assert {"大阪", "京都"} <= set(db.session.scalars(select(Classroom.name)).all())


def test_two_imports_at_once_add_each_shift_once(app: Flask) -> None:
    files = [[line("", start=f"{hour}:00", end=f"{hour}:50") for hour in range(8, 20)]] * 4
    threads = [Thread(target=_import_in_thread, args=(app, file)) for file in files]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stored_shifts()) == 12


def _import_in_thread(app: Flask, lines: list[str]) -> None:
    with app.app_context():
        bring_in(*lines)


WORDS = {
    "external_id": st.sampled_from(["", "S1", "S2", "S3"]),
    "tutor": st.sampled_from(["hanako", "takeshi", "hanako", "nobody"]),
    "classroom": st.sampled_from(["渋谷", "横浜", "大阪"]),
    "start": st.sampled_from(["17:00", "18:00", "25:30", "noon"]),
    "end": st.sampled_from(["27:00", "28:00"]),
    "status": st.sampled_from(["draft", "confirmed", "confirmed"]),
    "note": st.sampled_from(["", "数学", "\0"]),
}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(lines=st.lists(st.fixed_dictionaries(WORDS), min_size=1, max_size=4))
def test_a_file_is_stored_whole_or_not_at_all_and_never_twice(lines: list[dict[str, str]]) -> None:
    before = _state()
    file = [line(**words) for words in lines]
    result = None
    with suppress(InvalidInput):
        result = bring_in(*file)
    if result is None:
        assert _state() == before
    else:
        assert len(_state()) == len(before) + result.added
        assert counts(bring_in(*file)) == (0, 0, len(file))
