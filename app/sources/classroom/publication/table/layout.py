"""What a month's shift table says: its days, tutors and shifts as the words to be drawn. Knows no picture."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from flask_babel import force_locale, ngettext
from flask_babel import gettext as _

from app.sources.classroom.publication.table.edition import Day, Edition, days, footer, title

_CLASSROOM = "教室"


class NoShifts(ValueError):  # noqa: N818  # it names what there is none of
    """The month has no shift to be shown."""


@dataclass(frozen=True, slots=True)
class TableShift:
    """One shift of the month. Tutors are told apart by their id: two may have the same name."""

    tutor_id: int
    tutor: str
    classroom: str
    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Entry:
    """One shift in its cell; the classroom only where the tutor works in several."""

    start: str
    end: str
    classroom: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """One tutor, with a cell for each day of the month and the earliest shift of a day first.

    The classroom stands here when the table is of all of them and the tutor works in one.
    """

    tutor: str
    classroom: str | None
    cells: Sequence[Sequence[Entry]]
    count: str
    hours: str


@dataclass(frozen=True, slots=True)
class Table:
    """Every word of the table, in its reader's language; `note` is empty when nothing needs one."""

    title: str
    tutor: str
    total: str
    days: Sequence[Day]
    rows: Sequence[Row]
    note: str
    footer: str


def shift_table(edition: Edition, shifts: Iterable[TableShift]) -> Table:
    """The table of the shifts that begin in the edition's month, one row for each tutor, in the order of their names.

    Raises NoShifts when there are none, ValueError for a shift that begins in another month of the edition's zone.
    """
    in_order = sorted(shifts, key=lambda shift: (shift.starts_at, shift.ends_at, shift.classroom))
    if not in_order:
        raise NoShifts(f"no shifts in {edition.year}-{edition.month:02}")
    short = _short_names({shift.classroom for shift in in_order})
    overnight = any(_passes_midnight(edition, shift) for shift in in_order)
    with force_locale(edition.language):
        return Table(
            title=title(edition),
            tutor=_("Tutor"),
            total=_("Total"),
            days=days(edition),
            rows=[_row(edition, own, short) for own in _by_tutor(in_order)],
            note=_("25:30 is 1:30 on the next day.") if overnight else "",
            footer=footer(edition),
        )


def _short_names(classrooms: Iterable[str]) -> dict[str, str]:
    """What cells call the classrooms: 渋谷 for 渋谷教室 when every name ends in the word for a classroom."""
    short = {name: name.removesuffix(_CLASSROOM).rstrip() for name in classrooms}
    return short if all(label not in ("", name) for name, label in short.items()) else {name: name for name in short}


def _passes_midnight(edition: Edition, shift: TableShift) -> bool:
    last_minute = shift.ends_at - timedelta(minutes=1)  # an end at midnight, 24:00, explains itself
    return _local(edition, last_minute).date() > _local(edition, shift.starts_at).date()


def _by_tutor(in_order: Iterable[TableShift]) -> list[list[TableShift]]:
    by_tutor: dict[tuple[str, int], list[TableShift]] = {}
    for shift in in_order:
        by_tutor.setdefault((shift.tutor, shift.tutor_id), []).append(shift)
    return [by_tutor[tutor] for tutor in sorted(by_tutor)]


def _row(edition: Edition, own: Sequence[TableShift], short: Mapping[str, str]) -> Row:
    classrooms = sorted({shift.classroom for shift in own})
    one = edition.classroom is None and len(classrooms) == 1
    several = edition.classroom is None and len(classrooms) > 1
    cells: Mapping[date, list[Entry]] = {day: [] for day in edition.dates}
    for shift in own:
        begins_on = _local(edition, shift.starts_at).date()
        if begins_on not in cells:
            raise ValueError(f"a shift of {begins_on} in the table of {edition.year}-{edition.month:02}")
        cells[begins_on].append(_entry(edition, shift, short[shift.classroom] if several else None))
    return Row(
        tutor=own[0].tutor,
        classroom=classrooms[0] if one else None,
        cells=list(cells.values()),
        count=ngettext("%(num)s shift", "%(num)s shifts", len(own)),
        hours=_hours(sum((shift.ends_at - shift.starts_at for shift in own), timedelta())),
    )


def _entry(edition: Edition, shift: TableShift, classroom: str | None) -> Entry:
    start, end = _local(edition, shift.starts_at), _local(edition, shift.ends_at)
    end_hour = end.hour + 24 * (end.date() - start.date()).days
    return Entry(f"{start.hour:02}:{start.minute:02}", f"{end_hour:02}:{end.minute:02}", classroom)


def _hours(span: timedelta) -> str:
    hours, minutes = divmod(int(span.total_seconds()) // 60, 60)
    if minutes:
        return str(_("%(hours)s h %(minutes)s min", hours=hours, minutes=minutes))
    return str(_("%(hours)s h", hours=hours))


def _local(edition: Edition, instant: datetime) -> datetime:
    return instant.astimezone(edition.zone)
