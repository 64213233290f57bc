"""A CSV file of shifts: bytes to rows, with every fault that can be seen without the database."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from flask_babel import gettext as _

from app.faults import Fault, InvalidInput
from app.names import LONGEST_NAME, fits_one_line
from app.sources.classroom.models import ShiftStatus
from app.sources.classroom.spans import span

COLUMNS = ("external_id", "tutor_email", "classroom", "date", "start", "end", "status", "note")
OPTIONAL = ("external_id", "note")

LARGEST_FILE = 5 * 1024 * 1024
"""Bytes."""
MOST_ROWS = 20_000
LONGEST_EXTERNAL_ID = 100
LONGEST_EMAIL = 254
LONGEST_NOTE = 500

_NOT_IN_A_NOTE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


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


@dataclass(frozen=True, slots=True)
class ShiftFile:
    """What a file says, and what is wrong with it. The import adds the faults that only the database can tell."""

    rows: Sequence[ShiftRow]
    named: Sequence[Named]
    faults: Sequence[Fault]


@dataclass(frozen=True, slots=True)
class _Record:
    line: int
    cells: list[str]


def read_csv(data: bytes) -> ShiftFile:
    """The shifts of a file in UTF-8, times read in this installation's zone.

    Raises InvalidInput when the file cannot be read as a table at all: too large, not UTF-8, a wrong header.
    """
    records, torn = _records(_text(data))
    if not records:
        raise InvalidInput(*torn, *([] if torn else [Fault("file", _("Expected a header line; the file is empty."))]))
    header = _header(records[0])
    if len(records) > MOST_ROWS + 1:
        raise InvalidInput(Fault("file", _("Expected at most %(most)d lines in one file.", most=MOST_ROWS)))
    rows: list[ShiftRow] = []
    named: list[Named] = []
    faults: list[Fault] = []
    for record in records[1:]:
        try:
            cells = _cells(header, record)
            named.append(_named(record.line, cells))
            rows.append(_row(record.line, cells))
        except InvalidInput as wrong:
            faults += [replace(fault, line=record.line) for fault in wrong.faults]
    return ShiftFile(rows, named, [*faults, *torn])


def _text(data: bytes) -> str:
    if len(data) > LARGEST_FILE:
        raise InvalidInput(Fault("file", _("Expected a file of at most 5 MB.")))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput(Fault("file", _("Expected a CSV file in UTF-8. Save it again as “CSV UTF-8”."))) from None


def _records(text: str) -> tuple[list[_Record], list[Fault]]:
    """The lines that are not empty; and where a quotation mark makes the rest unreadable, the fault."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    records: list[_Record] = []
    begins = 1
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if any(stripped):
                records.append(_Record(begins, stripped))
            begins = reader.line_num + 1
    except csv.Error:
        unreadable = _("This line, and all after it, cannot be read as CSV. Check its quotation marks.")
        return records, [Fault("file", unreadable, begins)]
    return records, []


def _header(record: _Record) -> list[str]:
    header = list(record.cells)
    while header and not header[-1]:
        header.pop()
    faults = [Fault(name[:40], _unknown_column(), record.line) for name in header if name not in COLUMNS]
    faults += [
        Fault(name, _("This column is missing from the header line."), record.line)
        for name in COLUMNS
        if name not in header and name not in OPTIONAL
    ]
    faults += [
        Fault(name, _("This column stands twice in the header line."), record.line)
        for name in COLUMNS
        if header.count(name) > 1
    ]
    if faults:
        raise InvalidInput(*faults)
    return header


def _unknown_column() -> str:
    columns = ", ".join(COLUMNS)
    return str(_("This column is not known. Expected, separated by commas: %(columns)s.", columns=columns))


def _cells(header: Sequence[str], record: _Record) -> dict[str, str]:
    if len(record.cells) < len(header) or any(record.cells[len(header) :]):
        found = {"expected": len(header), "found": len(record.cells)}
        raise InvalidInput(Fault("file", _("Expected %(expected)d cells, found %(found)d.", **found)))
    return dict(zip(header, record.cells, strict=False))


def _named(line: int, cells: Mapping[str, str]) -> Named:
    email, classroom = cells["tutor_email"].lower(), cells["classroom"]
    return Named(
        line,
        email if fits_one_line(email, LONGEST_EMAIL) else "",
        classroom if fits_one_line(classroom, LONGEST_NAME) else "",
    )


def _row(line: int, cells: Mapping[str, str]) -> ShiftRow:
    faults = list(_wrong_words(cells))
    try:
        starts_at, ends_at = span(cells["date"], cells["start"], cells["end"])
    except InvalidInput as wrong:
        raise InvalidInput(*faults, *wrong.faults) from None
    if faults:
        raise InvalidInput(*faults)
    return ShiftRow(
        line=line,
        external_id=cells.get("external_id") or None,
        tutor_email=cells["tutor_email"].lower(),
        classroom=cells["classroom"],
        starts_at=starts_at,
        ends_at=ends_at,
        status=ShiftStatus(cells["status"]),
        note=cells["note"].replace("\r\n", "\n") if "note" in cells else None,
    )


def _wrong_words(cells: Mapping[str, str]) -> Iterator[Fault]:
    external_id = cells.get("external_id", "")
    if external_id and not fits_one_line(external_id, LONGEST_EXTERNAL_ID):
        yield Fault("external_id", _("Expected at most 100 characters on one line."))
    if not fits_one_line(cells["tutor_email"], LONGEST_EMAIL):
        yield Fault("tutor_email", _("Expected the e-mail address of the tutor's account."))
    if not fits_one_line(cells["classroom"], LONGEST_NAME):
        yield Fault("classroom", _("Expected a name of 1 to 100 characters on one line."))
    if cells["status"] not in tuple(ShiftStatus):
        yield Fault("status", _("Expected one of: %(choices)s.", choices=", ".join(ShiftStatus)))
    note = cells.get("note", "").replace("\r\n", "\n")
    if len(note) > LONGEST_NOTE or _NOT_IN_A_NOTE.search(note):
        yield Fault("note", _("Expected at most 500 characters of plain text."))
