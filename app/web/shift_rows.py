"""Shifts as pages show them: plain values, with what was told to whom and when."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from flask_babel import gettext as _

from app.codes import CANCELLATIONS, Words
from app.i18n import day, language, zone
from app.names import called
from app.outbox import queries
from app.outbox.models import Delivery
from app.outbox.state import State
from app.sources.classroom.imports.file_clashes import Occupied
from app.sources.classroom.models import ShiftStatus
from app.sources.classroom.shifts.clashes import Clash
from app.sources.classroom.shifts.listing import ShiftLine
from app.sources.classroom.telling.beliefs import SUBJECT
from app.sources.classroom.telling.messages import Facts, hours
from app.sources.classroom.telling.told import Key, ToldLine, told_about
from app.web import words


@dataclass(frozen=True, slots=True)
class Message:
    """One delivery about a shift. `said` is what it told, of one that was sent."""

    id: int
    state: State
    kind: str
    to: str
    at: datetime
    said: str | None


@dataclass(frozen=True, slots=True)
class ShiftRow:
    """One shift. `seen` is its mark; `unreachable`: why its tutor would not be told; `messages` are newest first."""

    id: int
    day: date
    hours: str
    starts_at: datetime
    tutor: str
    classroom: str
    confirmed: bool
    seen: str
    note: str
    deleted: bool
    unreachable: Words | None
    clashes: Sequence[str]
    messages: Sequence[Message]

    @property
    def name(self) -> str:
        """What tells this shift from others, for those who cannot see where it stands."""
        return f"{self.hours} {self.tutor} {self.classroom}"

    @property
    def as_seen(self) -> str:
        """What forms say of it: which shift it is, and what of it was seen."""
        return f"{self.id}.{self.seen}"


def shift_rows(lines: Sequence[ShiftLine], clashes: Mapping[int, Sequence[Clash]]) -> list[ShiftRow]:
    """All of them in one go: two questions, however many there are."""
    ids = [line.id for line in lines]
    about, told = queries.about(SUBJECT, ids), told_about(ids)
    return [_row(line, clashes.get(line.id, ()), about[line.id], told) for line in lines]


def when_and_where(one: Clash | ToldLine | Occupied) -> str:
    """When and where a shift is, or was said to be."""
    times = hours(Facts("", one.classroom, one.starts_at, one.ends_at))
    when = _("%(day)s, %(hours)s", day=day(one.starts_at, language()), hours=times)
    return str(_("%(when)s, %(classroom)s", when=when, classroom=one.classroom))


def local_day(instant: datetime) -> date:
    """The day here that an instant lies in."""
    return instant.astimezone(zone()).date()


def _row(
    line: ShiftLine, clashes: Sequence[Clash], deliveries: Sequence[Delivery], told: Mapping[Key, ToldLine]
) -> ShiftRow:
    return ShiftRow(
        id=line.id,
        day=local_day(line.starts_at),
        hours=hours(Facts(line.tutor, line.classroom, line.starts_at, line.ends_at)),
        starts_at=line.starts_at,
        tutor=line.tutor,
        classroom=line.classroom,
        confirmed=line.status is ShiftStatus.CONFIRMED,
        seen=line.seen,
        note=line.note,
        deleted=line.deleted,
        unreachable=CANCELLATIONS[line.unreachable] if line.unreachable else None,
        clashes=[when_and_where(clash) for clash in clashes],
        messages=[_message(delivery, told) for delivery in deliveries],
    )


def _message(delivery: Delivery, told: Mapping[Key, ToldLine]) -> Message:
    key = (delivery.subject_id, delivery.account_id or 0, delivery.kind, delivery.subject_version or 0)
    said = told.get(key)
    return Message(
        id=delivery.id,
        state=State(delivery.state),
        kind=str(words.KINDS.get(delivery.kind, delivery.kind)),
        to=called(delivery.address_label),
        at=said.at if said else delivery.finished_at or delivery.created_at,
        said=_said(said) if said else None,
    )


def _said(told: ToldLine) -> str:
    shift = when_and_where(told)
    return str(_("off (was %(shift)s)", shift=shift)) if told.off else shift
