"""The heading line of a shift file: which column stands where, and what its faults call it."""

import csv
import io
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _

from app.faults import Fault, InvalidInput

JAPANESE = {
    "tutor_email": "講師メール",
    "classroom": "教室",
    "date": "日付",
    "start": "開始",
    "end": "終了",
    "status": "状態",
    "note": "備考",
    "external_id": "ID",
}
"""The heading of each column for those who do not write the English one.

The id comes last: Excel takes a file that begins with ID for one of another format (SYLK), and complains.
"""

COLUMNS = tuple(JAPANESE)
OPTIONAL = ("note", "external_id")

WHOLE_FILE = "file"
"""The field of a fault that no single column has."""

DELIMITERS = ",\t;"
MOST_STRANGE = 20

_COLUMN_OF = {column: column for column in COLUMNS} | {
    heading.casefold(): column for column, heading in JAPANESE.items()
}


@dataclass(frozen=True, slots=True)
class Headings:
    """`columns`: what stands at each place, None where there is no heading. `names`: what this file calls each."""

    columns: Sequence[str | None]
    names: Mapping[str, str]


def read_headings(line: int, cells: Sequence[str]) -> Headings:
    """Understand the heading line. Raises InvalidInput with every heading that is unknown, missing or there twice."""
    columns = [_COLUMN_OF.get(_plain(cell)) for cell in cells]
    present = [column for column in columns if column is not None]
    if not present:
        nothing = _("Expected a header line first. The columns are: %(columns)s.", columns=_all())
        raise InvalidInput(Fault(WHOLE_FILE, nothing, line))
    names = _names(cells, set(present))
    unknown = _("This column is not known. The columns are: %(columns)s.", columns=_all())
    missing, twice = (
        _("This column is missing from the header line."),
        _("This column stands twice in the header line."),
    )
    strange = dict.fromkeys(cell[:40] for cell, column in zip(cells, columns, strict=True) if cell and not column)
    # A file that is no shift file can have thousands: the first ones say so.
    faults = [Fault(cell, unknown, line) for cell in list(strange)[:MOST_STRANGE]]
    faults += [Fault(names[one], missing, line) for one in COLUMNS if one not in present and one not in OPTIONAL]
    faults += [Fault(names[one], twice, line) for one in COLUMNS if present.count(one) > 1]
    if faults:
        raise InvalidInput(*faults)
    return Headings(columns, names)


def _names(cells: Sequence[str], present: Collection[str]) -> dict[str, str]:
    """Each in the language in which the file writes it; what it lacks, in Japanese if it writes any column so."""
    english = {_plain(cell) for cell in cells}.intersection(COLUMNS)
    writes_japanese = not english.issuperset(present)
    return {
        column: heading if writes_japanese and column not in english else column for column, heading in JAPANESE.items()
    }


def delimiter_of(text: str) -> str:
    """What separates the cells: whatever makes the most headings of the first line that says something."""
    blank = DELIMITERS + ' "\u3000\r\n'
    first = next((line for line in io.StringIO(text, newline="") if line.strip(blank)), "")
    return max(DELIMITERS, key=lambda delimiter: _headings_in(first, delimiter))


def _headings_in(line: str, delimiter: str) -> int:
    try:
        return sum(_plain(cell) in _COLUMN_OF for cells in csv.reader([line], delimiter=delimiter) for cell in cells)
    except csv.Error:
        return 0


def _plain(cell: str) -> str:
    return unicodedata.normalize("NFKC", cell).strip().casefold()


def _all() -> str:
    return f"{', '.join(JAPANESE.values())} ({', '.join(COLUMNS)})"
