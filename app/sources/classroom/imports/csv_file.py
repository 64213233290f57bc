"""A file of shifts as a spreadsheet saves it: bytes to rows, with every fault that can be seen without the database."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from flask_babel import gettext as _

from app.clock import now
from app.faults import Fault, InvalidInput
from app.sources.classroom.imports.decoding import text_of
from app.sources.classroom.imports.headings import WHOLE_FILE, Headings, delimiter_of, read_headings
from app.sources.classroom.imports.shift_rows import Named, ShiftRow, named_by, plain, row_of

MOST_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class ShiftFile:
    """What a file says, and what is wrong with it. The import adds the faults that only the database can tell.

    `headings`: what the file calls each column.
    """

    rows: Sequence[ShiftRow]
    named: Sequence[Named]
    faults: Sequence[Fault]
    headings: Mapping[str, str] = field(default_factory=dict)

    def fault(self, column: str, message: str, line: int) -> Fault:
        """A fault of this file, in its own words."""
        return Fault(self.headings.get(column, column), message, line)


@dataclass(frozen=True, slots=True)
class _Record:
    line: int
    cells: list[str]


def read_csv(data: bytes, near: datetime | None = None) -> ShiftFile:
    """The shifts of a file, times read in this installation's zone, days without a year near this instant, or now.

    Raises InvalidInput when the file cannot be read as a table at all: too large, no text, wrong headings.
    """
    text = text_of(data)
    records, torn = _records(text, delimiter_of(text))
    if not records:
        empty = Fault(WHOLE_FILE, _("Expected a header line; the file is empty."))
        raise InvalidInput(*(torn or [empty]))
    headings = read_headings(records[0].line, records[0].cells)
    if len(records) > MOST_ROWS + 1:
        raise InvalidInput(Fault(WHOLE_FILE, _("Expected at most %(most)d lines in one file.", most=MOST_ROWS)))
    near = near or now()
    rows: list[ShiftRow] = []
    named: list[Named] = []
    faults: list[Fault] = []
    for record in records[1:]:
        try:
            cells = plain(_cells(headings, record))
            named.append(named_by(record.line, cells))
            rows.append(row_of(record.line, cells, near))
        except InvalidInput as wrong:
            faults += [
                replace(one, field=headings.names.get(one.field, one.field), line=record.line) for one in wrong.faults
            ]
    return ShiftFile(rows, named, [*faults, *torn], headings.names)


def _records(text: str, delimiter: str) -> tuple[list[_Record], list[Fault]]:
    """The lines that are not empty; and where a quotation mark makes the rest unreadable, the fault."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    records: list[_Record] = []
    begins = 1
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if any(stripped):
                records.append(_Record(begins, stripped))
            begins = reader.line_num + 1
            if len(records) > MOST_ROWS + 1:
                break  # too many already; what follows changes nothing
    except csv.Error:
        unreadable = _("This line, and all after it, cannot be read as CSV. Check its quotation marks.")
        return records, [Fault(WHOLE_FILE, unreadable, begins)]
    return records, []


def _cells(headings: Headings, record: _Record) -> dict[str, str]:
    """The cells by their columns. Excel leaves out empty ones at the end of a line, and adds some that mean nothing."""
    known = dict.fromkeys((column for column in headings.columns if column is not None), "")
    for place, cell in enumerate(record.cells):
        column = headings.columns[place] if place < len(headings.columns) else None
        if column is not None:
            known[column] = cell
        elif cell:
            raise InvalidInput(Fault(WHOLE_FILE, _("“%(cell)s” stands in a column without a heading.", cell=cell[:40])))
    return known
