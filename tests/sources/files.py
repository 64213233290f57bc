"""CSV files of shifts, written as people write them."""

from app.sources.classroom.csv_file import read_csv
from app.sources.classroom.import_shifts import ImportResult, import_shifts
from app.transaction import writing

HEADER = "external_id,tutor_email,classroom,date,start,end,status,note"


def table(*lines: str, header: str = HEADER) -> bytes:
    """A file with these lines under its header."""
    return "\n".join([header, *lines, ""]).encode()


def bring_in(*lines: str, header: str = HEADER, create_classrooms: bool = False) -> ImportResult:
    """Import a file with these lines, in a transaction of its own."""
    file = read_csv(table(*lines, header=header))
    with writing() as tx:
        return import_shifts(tx, file, create_classrooms=create_classrooms)
