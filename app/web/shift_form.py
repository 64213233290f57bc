"""The form of one shift: as typed, and as the classroom wants it."""

import unicodedata
from collections.abc import Collection, Mapping

from flask_babel import gettext as _

from app.faults import Fault, InvalidInput
from app.i18n import zone
from app.sources.classroom.models import ShiftStatus
from app.sources.classroom.shifts.edit import ShiftValues
from app.sources.classroom.shifts.listing import ShiftLine
from app.sources.classroom.shifts.notes import faults_of_note
from app.sources.classroom.shifts.spans import span
from app.sources.classroom.shifts.tutors import is_suspended, suspended
from app.web.forms import number_in
from app.web.shift_rows import local_day

FIELDS = ("tutor", "classroom", "date", "start", "end", "status", "note")


def written_of(line: ShiftLine) -> dict[str, str]:
    """A shift as its form writes it; an end on the next day as 25:30."""
    start, end = line.starts_at.astimezone(zone()), line.ends_at.astimezone(zone())
    nights = (local_day(line.ends_at) - local_day(line.starts_at)).days
    return {
        "tutor": str(line.tutor_id),
        "classroom": str(line.classroom_id),
        "date": start.date().isoformat(),
        "start": f"{start:%H:%M}",
        "end": f"{end.hour + 24 * nights:02}:{end:%M}",
        "status": line.status.value,
        "note": line.note,
    }


def values_of(typed: Mapping[str, str], tutors: Collection[int], classrooms: Collection[int]) -> ShiftValues:
    """The shift that the form wants. Raises InvalidInput with every fault."""
    faults = list(_faults(typed, tutors, classrooms))
    try:
        starts_at, ends_at = span(_narrow(typed["date"]), _narrow(typed["start"]), _narrow(typed["end"]))
    except InvalidInput as error:
        raise InvalidInput(*faults, *error.faults) from None
    if faults:
        raise InvalidInput(*faults)
    return ShiftValues(
        tutor_id=int(typed["tutor"]),
        classroom_id=int(typed["classroom"]),
        starts_at=starts_at,
        ends_at=ends_at,
        status=ShiftStatus(typed["status"]),
        note=typed["note"],
    )


def _faults(typed: Mapping[str, str], tutors: Collection[int], classrooms: Collection[int]) -> list[Fault]:
    choices: dict[str, Collection[str]] = {
        "tutor": [str(one) for one in tutors],
        "classroom": [str(one) for one in classrooms],
        "status": [*ShiftStatus],
    }
    faults = [_not_listed(name, typed[name]) for name, known in choices.items() if typed[name] not in known]
    return [*faults, *faults_of_note(typed["note"])]


def _not_listed(name: str, typed: str) -> Fault:
    if name == "tutor" and (account_id := number_in(typed)) and is_suspended(account_id):
        return suspended(name)
    return Fault(name, _("Choose one of the list."))


def _narrow(typed: str) -> str:
    """Full-width digits and signs, which Japanese keyboards leave behind, as the narrow ones."""
    return unicodedata.normalize("NFKC", typed)
