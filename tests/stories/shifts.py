"""What stories about shifts do with them, and what they ask LINE and the ledger afterwards."""

from datetime import datetime, timedelta

from app.extensions import db
from app.sources.classroom.models import Shift, ShiftStatus
from app.sources.classroom.shifts.edit import ShiftValues, change_shift
from app.sources.classroom.telling.tell import remind
from app.transaction import writing
from tests.factories import all_deliveries, make_shift
from tests.fakes.line import FakeLine, Message
from tests.fixtures.background import Background

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def reminded(background: Background, tutor: int, starts_in: timedelta = 2 * HOUR) -> int:
    """A shift whose tutor has been reminded."""
    shift = make_shift(tutor, starts_in=starts_in)
    remind()
    background.work()
    return shift


def values_of(shift_id: int) -> tuple[ShiftValues, int]:
    db.session.rollback()
    shift = db.session.get(Shift, shift_id)
    assert shift is not None
    values = ShiftValues(
        shift.tutor_id, shift.classroom_id, shift.starts_at, shift.ends_at, ShiftStatus(shift.status), shift.note
    )
    return values, shift.version


def edit(shift_id: int, **changes: object) -> None:
    values, version = values_of(shift_id)
    known = {name: getattr(values, name) for name in values.__slots__}
    with writing() as tx:
        assert change_shift(tx, shift_id, ShiftValues(**known | changes), version)


def move(shift_id: int, by: timedelta) -> datetime:
    values, _ = values_of(shift_id)
    edit(shift_id, starts_at=values.starts_at + by, ends_at=values.ends_at + by)
    return values.starts_at + by


def told(line: FakeLine) -> list[str]:
    return [heading(message) for message in line.accepted]


def heading(message: Message) -> str:
    return str(message.messages[0]["altText"]).split("：")[0].split(":")[0]


def kinds() -> list[tuple[str, str]]:
    return [(delivery.kind, delivery.state) for delivery in all_deliveries()]
