"""The kind: what is asked right before sending, what is kept afterwards, what is shown."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import event, select

from app.accounts.models import Account
from app.channels.line.flex import FlexMessage
from app.clock import now
from app.codes import CancelReason
from app.engine.deliver import deliver
from app.extensions import db
from app.kinds import KINDS, Address, Cancel, Due, Reader, Send, Told, Verdict
from app.outbox.models import Delivery
from app.sources.classroom.models import Shift, ShiftTold
from app.sources.classroom.telling.tell import remind
from app.transaction import writing
from tests.factories import change, delivery, line_user, make_shift, make_tutor
from tests.fakes.line import FakeLine


def _due(shift: int, tutor: int, *, version: int = 1, delivery_id: int = 1, language: str = "ja") -> Due:
    address = Address("line_link", 1, line_user(tutor))
    return Due(delivery_id, "shift_reminder", "line", "shift", shift, version, tutor, None, address, language)


def _verdict(due: Due) -> Verdict:
    db.session.rollback()
    return KINDS["shift_reminder"].recheck([due])[due.id]


def test_a_shift_as_it_was_is_told_with_the_values_just_read(app: Flask) -> None:
    tutor = make_tutor(name="佐藤")
    shift = make_shift(tutor)
    change(Account, tutor, name="髙橋")
    verdict = _verdict(_due(shift, tutor))
    assert isinstance(verdict, Send)
    assert isinstance(verdict.message, FlexMessage)
    assert "髙橋" in verdict.message.alt_text


def test_each_reader_gets_their_own_language(app: Flask) -> None:
    tutor = make_tutor()
    shift = make_shift(tutor)
    dues = [_due(shift, tutor, language="ja"), _due(shift, tutor, language="en", delivery_id=2)]
    verdicts = KINDS["shift_reminder"].recheck(dues)
    said = [verdict.message.alt_text for verdict in verdicts.values() if isinstance(verdict, Send)]  # type: ignore[attr-defined]
    assert "シフト" in said[0]
    assert "shift" in said[1]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"deleted_at": now()}, CancelReason.SUBJECT_DELETED),
        ({"deleted_at": now(), "status": "draft"}, CancelReason.SUBJECT_DELETED),
        ({"status": "draft", "version": 2}, CancelReason.SHIFT_UNCONFIRMED),
        ({"starts_at": now() + timedelta(hours=1), "version": 2}, CancelReason.SHIFT_CHANGED),
    ],
)
def test_what_is_no_longer_so_is_not_told(app: Flask, changes: dict[str, object], reason: CancelReason) -> None:
    tutor = make_tutor()
    shift = make_shift(tutor)
    change(Shift, shift, **changes)
    assert _verdict(_due(shift, tutor)) == Cancel(reason)


def test_a_later_version_with_the_same_plan_is_told_all_the_same(app: Flask) -> None:
    tutor = make_tutor()
    shift = make_shift(tutor)
    change(Shift, shift, version=3)
    assert isinstance(_verdict(_due(shift, tutor)), Send)


def test_a_shift_that_is_gone_or_another_tutors_is_not_told(app: Flask) -> None:
    tutor, other = make_tutor(), make_tutor()
    shift = make_shift(other)
    assert _verdict(_due(shift, tutor)) == Cancel(CancelReason.SHIFT_CHANGED)
    assert _verdict(_due(shift + 1, tutor)) == Cancel(CancelReason.SUBJECT_DELETED)


def test_a_list_costs_as_many_queries_as_one(app: Flask) -> None:
    tutor = make_tutor()
    shifts = [make_shift(tutor) for _ in range(5)]
    dues = [_due(shift, tutor, delivery_id=number) for number, shift in enumerate(shifts)]
    kind, reader = KINDS["shift_reminder"], Reader(tutor, "admin")
    assert _queries(lambda: kind.recheck(dues)) == _queries(lambda: kind.recheck(dues[:1])) == 4
    assert _queries(lambda: kind.describe(shifts, reader, "en")) == 1


def _queries(act: Callable[[], object]) -> int:
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        asked.extend([statement] if statement.startswith("SELECT") else [])

    event.listen(db.engine, "before_cursor_execute", note)
    act()
    event.remove(db.engine, "before_cursor_execute", note)
    return len(asked)


def test_it_asks_nobody_outside(app: Flask) -> None:
    with pytest.raises(NotImplementedError):
        KINDS["shift_reminder"].judge(_due(1, 1), None, None)


def test_what_was_told_is_kept_once(app: Flask) -> None:
    tutor = make_tutor()
    shift = make_shift(tutor)
    verdict = _verdict(_due(shift, tutor))
    assert isinstance(verdict, Send)
    for _ in range(2):
        with writing() as tx:
            KINDS["shift_reminder"].told(tx, [Told(_due(shift, tutor), verdict.note)])
    told = db.session.scalars(select(ShiftTold)).one()
    record = db.session.scalars(select(Shift)).one()
    assert (told.shift_id, told.account_id, told.kind, told.version) == (shift, tutor, "shift_reminder", 1)
    assert (told.classroom_id, told.starts_at, told.ends_at) == (record.classroom_id, record.starts_at, record.ends_at)


def test_a_shift_goes_all_the_way_to_line_and_is_noted_as_told(app: Flask, line: FakeLine) -> None:
    tutor = make_tutor(language="en", line_user_id=line_user(7))
    make_shift(tutor, starts_in=timedelta(hours=1))
    remind()
    owed = db.session.scalars(select(Delivery.id)).one()
    deliver("shift_reminder", [owed], lambda: False)
    assert delivery(owed).state == "sent"
    message, = line.accepted  # fmt: skip
    assert message.to == line_user(7)
    assert message.messages[0]["altText"].startswith("Reminder of your shift: ")
    assert db.session.scalars(select(ShiftTold.account_id)).all() == [tutor]


def test_a_reminder_that_comes_too_late_says_that_the_shift_has_started(app: Flask) -> None:
    tutor = make_tutor()
    shift = make_shift(tutor)
    remind()
    owed = db.session.scalars(select(Delivery.id)).one()
    change(Delivery, owed, expires_at=now())
    deliver("shift_reminder", [owed], lambda: False)
    assert delivery(owed).cancel_reason == CancelReason.SHIFT_STARTED
    assert shift


def test_a_description_links_to_the_shift_for_those_who_plan_them(app: Flask) -> None:
    tutor = make_tutor(name="髙橋")
    shift, gone = make_shift(tutor), make_shift(tutor, deleted_at=now())
    kind = KINDS["shift_reminder"]
    links = {role: kind.describe([shift], Reader(1, role), "ja")[shift].link for role in ("admin", "staff", "member")}
    assert links == {"admin": f"/shifts/{shift}", "staff": f"/shifts/{shift}", "member": None}
    described = kind.describe([shift, gone, gone + 1], Reader(1, "admin"), "en")
    assert described.keys() == {shift, gone}
    assert described[shift].title == "Shift reminder"
    assert "髙橋" in described[shift].body
