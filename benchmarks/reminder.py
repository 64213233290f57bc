"""One reminder after another, each due at once."""

from datetime import timedelta
from itertools import count

from sqlalchemy import insert

from app.clock import monotonic, now
from app.sources.classroom.models import Shift
from app.sources.classroom.shifts.versions import keep_versions
from app.sources.classroom.telling.tell import tell
from app.transaction import writing
from tests.factories import make_classroom, make_tutor


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
