"""The form of one shift: as typed, and as the classroom wants it."""

import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from flask_babel import gettext as _

from app.faults import Fault, InvalidInput
from app.i18n import zone
from app.sources.classroom.edit import ShiftValues
from app.sources.classroom.imports.shift_rows import LONGEST_NOTE
from app.sources.classroom.listing import ShiftLine
from app.sources.classroom.models import ShiftStatus
from app.sources.classroom.spans import span
from app.sources.classroom.written_times import is_bare_number
from app.web.shift_rows import local_day

_NOT_IN_A_NOTE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
FIELDS = ("tutor", "classroom", "date", "start", "end", "status", "note")


@dataclass(frozen=True, slots=True)
class ShiftForm:
    """What is typed, and what is wrong with it."""

    typed: Mapping[str, str]
    faults: Collection[Fault] = field(default=())

    def fault(self, name: str) -> str | None:
        """What is wrong with this field, if anything."""
        return next((fault.message for fault in self.faults if fault.field == name), None)


def typed_in(given: Mapping[str, str]) -> dict[str, str]:
    """What stands in the fields of a form that was sent."""
    # Browsers end the lines of a text with two characters.
    return {name: given.get(name, "").strip().replace("\r\n", "\n") for name in FIELDS}


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
        raise InvalidInput(*faults, *(_without_excel(fault, typed) for fault in error.faults)) from None
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
    faults = [Fault(name, _("Choose one of the list.")) for name, known in choices.items() if typed[name] not in known]
    if len(typed["note"]) > LONGEST_NOTE or _NOT_IN_A_NOTE.search(typed["note"]):
        faults.append(Fault("note", _("Expected at most 500 characters of plain text.")))
    return faults


def _narrow(typed: str) -> str:
    """Full-width digits and signs, which Japanese keyboards leave behind, as the narrow ones."""
    return unicodedata.normalize("NFKC", typed)


def _without_excel(fault: Fault, typed: Mapping[str, str]) -> Fault:
    """Of a bare number a file's reader is told how Excel formats cells, which is of no help in a form."""
    if not is_bare_number(_narrow(typed[fault.field])):
        return fault
    if fault.field == "date":
        return Fault("date", _("Expected a date such as 2026-11-30, 2026/11/30, 11/30 or 11月30日."))
    return Fault(fault.field, _("Expected a time such as 17:05, or 25:30 for 1:30 on the next day."))
