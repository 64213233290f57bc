"""One line of a shift file: its cells understood, or every fault that can be seen without the database."""

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from flask_babel import gettext as _

from app.faults import Fault, InvalidInput
from app.names import LONGEST_NAME, fits_one_line, without_edges
from app.sources.classroom.models import ShiftStatus
from app.sources.classroom.shifts.notes import faults_of_note, has_own_characters, own_characters
from app.sources.classroom.shifts.spans import span
from app.sources.classroom.shifts.written_times import is_bare_number

LONGEST_EXTERNAL_ID = 100
LONGEST_EMAIL = 254

STATUSES = {
    "draft": ShiftStatus.DRAFT,
    "下書き": ShiftStatus.DRAFT,
    "未確定": ShiftStatus.DRAFT,
    "仮": ShiftStatus.DRAFT,
    "confirmed": ShiftStatus.CONFIRMED,
    "確定": ShiftStatus.CONFIRMED,
    "確定済み": ShiftStatus.CONFIRMED,
}
"""確認済み is not among them: it may mean that somebody has looked, and a confirmed shift is told."""

_WIDTH_DOES_NOT_MATTER = ("tutor_email", "date", "start", "end", "status")
_NAMES = ("external_id", "classroom")


@dataclass(frozen=True, slots=True)
class ShiftRow:
    """One line that was understood, its instants in UTC.

    `external_id` is None when the line has none; `note` is None when the file has no such column.
    """

    line: int
    external_id: str | None
    tutor_email: str
    classroom: str
    starts_at: datetime
    ends_at: datetime
    status: ShiftStatus
    note: str | None


@dataclass(frozen=True, slots=True)
class Named:
    """Whom and what a line names, also one with faults; empty for what can be no name at all."""

    line: int
    tutor_email: str
    classroom: str


def plain(cells: Mapping[str, str]) -> dict[str, str]:
    """The cells with full-width digits and signs made narrow, except in names and notes; line ends are `\\n`."""
    narrow = {name: unicodedata.normalize("NFKC", cells[name]).strip() for name in _WIDTH_DOES_NOT_MATTER}
    email, status = narrow["tutor_email"].lower(), narrow["status"].casefold()
    ends = {name: without_edges(cell) for name, cell in cells.items()}
    return ends | narrow | {"tutor_email": email, "status": status}


def named_by(line: int, cells: Mapping[str, str]) -> Named:
    """What a line of plain cells names."""
    email, classroom = cells["tutor_email"], cells["classroom"]
    return Named(
        line,
        email if fits_one_line(email, LONGEST_EMAIL) else "",
        classroom if fits_one_line(classroom, LONGEST_NAME) else "",
    )


def row_of(line: int, cells: Mapping[str, str], near: datetime) -> ShiftRow:
    """The row that a line of plain cells makes. Raises InvalidInput with all its faults."""
    faults = list(_wrong_words(cells))
    try:
        starts_at, ends_at = span(cells["date"], cells["start"], cells["end"], near)
    except InvalidInput as wrong:
        raise InvalidInput(*faults, *(_of_a_spreadsheet(fault, cells) for fault in wrong.faults)) from None
    if faults:
        raise InvalidInput(*faults)
    return ShiftRow(
        line=line,
        external_id=cells.get("external_id") or None,
        tutor_email=cells["tutor_email"],
        classroom=cells["classroom"],
        starts_at=starts_at,
        ends_at=ends_at,
        status=STATUSES[cells["status"]],
        note=cells.get("note"),
    )


def _of_a_spreadsheet(fault: Fault, cells: Mapping[str, str]) -> Fault:
    """Of a day or time that a spreadsheet saved as a number, how to have it saved as one."""
    if not is_bare_number(cells[fault.field]):
        return fault
    if fault.field == "date":
        return Fault("date", _("This is a number. Format the cells in Excel as dates (2026/11/30), and save it again."))
    return Fault(fault.field, _("This is a number. Format the cells in Excel as times (17:05), and save it again."))


def _wrong_words(cells: Mapping[str, str]) -> Iterator[Fault]:
    external_id = cells.get("external_id", "")
    if external_id and not fits_one_line(external_id, LONGEST_EXTERNAL_ID):
        yield Fault("external_id", _("Expected at most %(number)d characters on one line.", number=LONGEST_EXTERNAL_ID))
    if not fits_one_line(cells["tutor_email"], LONGEST_EMAIL):
        yield Fault("tutor_email", _("Expected the e-mail address of the tutor's account."))
    if not fits_one_line(cells["classroom"], LONGEST_NAME):
        few = _("Expected a name of 1 to %(number)d characters on one line.", number=LONGEST_NAME)
        yield Fault("classroom", few)
    if cells["status"] not in STATUSES:
        yield Fault("status", _("Expected one of: %(choices)s.", choices=", ".join(STATUSES)))
    for name in _NAMES:
        if has_own_characters(cells.get(name, "")):
            yield own_characters(name)
    yield from faults_of_note(cells.get("note", ""))
