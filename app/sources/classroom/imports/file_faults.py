"""What is wrong with a file of shifts once the database was asked, too."""

from collections.abc import Collection, Iterator
from datetime import datetime

from flask_babel import gettext as _

from app.faults import Fault
from app.sources.classroom.imports.csv_file import ShiftFile
from app.sources.classroom.imports.matching import Found
from app.sources.classroom.imports.shift_rows import ShiftRow
from app.sources.classroom.shifts.tutors import suspended


def faults_of(file: ShiftFile, found: Found, create_classrooms: bool, to_nobody: Collection[ShiftRow]) -> list[Fault]:
    """Every fault, in the order of the lines: of its cells, of what it names, and of two lines for one shift.

    `to_nobody`: the lines that give a shift to a suspended account.
    """
    faults = [*file.faults, *_unknown(file, found, create_classrooms), *_described_twice(file)]
    off = suspended("tutor_email")
    faults += [file.fault(off.field, off.message, row.line) for row in to_nobody]
    return sorted(faults, key=lambda fault: fault.line or 0)


def _unknown(file: ShiftFile, found: Found, create_classrooms: bool) -> Iterator[Fault]:
    nobody = _("No account has this e-mail address. Create it first.")
    nowhere = _("No classroom has this name. Create it first, or let the import create it.")
    for one in file.named:
        if one.tutor_email and one.tutor_email not in found.tutors:
            yield file.fault("tutor_email", nobody, one.line)
        if one.classroom and not create_classrooms and one.classroom not in found.classrooms:
            yield file.fault("classroom", nowhere, one.line)


def _described_twice(file: ShiftFile) -> Iterator[Fault]:
    by_id: dict[str, int] = {}
    by_key: dict[tuple[str, str, datetime], ShiftRow] = {}
    for row in file.rows:
        alike = by_key.setdefault((row.tutor_email, row.classroom, row.starts_at), row)
        if row.external_id is not None and by_id.setdefault(row.external_id, row.line) != row.line:
            yield _twice(file, "external_id", row, by_id[row.external_id])
        elif alike is not row and not (row.external_id and alike.external_id):
            yield _twice(file, "start", row, alike.line)


def _twice(file: ShiftFile, column: str, row: ShiftRow, first: int) -> Fault:
    return file.fault(column, _("Line %(first)d already describes this shift.", first=first), row.line)
