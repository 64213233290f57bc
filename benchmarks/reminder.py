"""Reminders that are due at once: one after another, or many together."""

from datetime import timedelta
from itertools import count

from sqlalchemy import insert

from app.accounts.models import Account
from app.clock import monotonic, now
from app.reach.models import LineLink
from app.sources.classroom.models import Classroom, Shift
from app.sources.classroom.shifts.versions import keep_versions
from app.sources.classroom.telling.tell import remind, tell
from app.transaction import writing
from tests.factories import line_user, make_classroom, make_tutor


def gather_tutors(number: int) -> range:
    """So many tutors who are reached over LINE, and a classroom; their ids."""
    at, tutors = now(), range(1, number + 1)
    person = {"role": "member", "language": "ja", "active": True, "created_at": at}
    people = [person | {"id": one, "email": f"a{one}@example.jp", "name": f"講師{one}"} for one in tutors]
    links = [{"account_id": one, "line_user_id": line_user(one), "enabled": True, "created_at": at} for one in tutors]
    with writing() as tx:
        tx.session.execute(insert(Account), people)
        tx.session.execute(insert(LineLink), links)
        tx.session.execute(insert(Classroom), [{"id": 1, "name": "渋谷", "created_at": at}])
    return tutors


_minutes = count(1)


def remind_all(tutors: range) -> None:
    """A shift for each of them, of which the scan reminds them at once."""
    at, start = now(), now() + timedelta(hours=1, minutes=next(_minutes))
    shift = {
        "classroom_id": 1, "starts_at": start, "ends_at": start + timedelta(hours=2), "status": "confirmed",
        "version": 1, "note": "", "created_at": at, "updated_at": at,
    }  # fmt: skip
    with writing() as tx:
        shifts = insert(Shift).returning(Shift.id)
        keep_versions(tx, tx.session.scalars(shifts, [shift | {"tutor_id": one} for one in tutors]).all())
    assert remind()["enqueued"] == len(tutors)


class Reminded:
    """A tutor with a LINE link, and a classroom with shifts."""

    def __init__(self) -> None:
        self._tutor, self._classroom = make_tutor(), make_classroom()
        self._seconds = count(1)

    def at_once(self) -> float:
        """A shift of which its tutor is to be reminded at once; the monotonic second at which that began to commit."""
        at, start = now(), now() + timedelta(hours=1, seconds=next(self._seconds))
        shift = {
            "tutor_id": self._tutor, "classroom_id": self._classroom, "starts_at": start,
            "ends_at": start + timedelta(hours=2), "status": "confirmed", "version": 1, "note": "", "created_at": at,
            "updated_at": at,
        }  # fmt: skip
        with writing() as tx:
            shift_id = tx.session.scalars(insert(Shift).returning(Shift.id), [shift]).one()
            keep_versions(tx, [shift_id])
            assert tell(tx, [shift_id]) == 1
            return monotonic()
