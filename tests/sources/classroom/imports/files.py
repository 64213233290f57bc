"""CSV files of shifts, written as people write them, and what became of them."""

from sqlalchemy import select

from app.audit import COMMAND_LINE
from app.extensions import db
from app.sources.classroom.imports.csv_file import read_csv
from app.sources.classroom.imports.import_shifts import ImportResult, import_shifts
from app.sources.classroom.models import Shift

HEADER = "external_id,tutor_email,classroom,date,start,end,status,note"


def table(*lines: str, header: str = HEADER) -> bytes:
    """A file with these lines under its header."""
    return "\n".join([header, *lines, ""]).encode()


def bring_in(*lines: str, header: str = HEADER, create_classrooms: bool = False) -> ImportResult:
    """Import a file with these lines, as the command does."""
    return import_shifts(read_csv(table(*lines, header=header)), COMMAND_LINE, create_classrooms=create_classrooms)


def line(
    external_id: str = "S1", tutor: str = "hanako", classroom: str = "渋谷", day: str = "2026-11-30",
    start: str = "17:00", end: str = "21:00", status: str = "confirmed", note: str = "",
) -> str:  # fmt: skip
    """One line of a file."""
    return f"{external_id},{tutor}@example.jp,{classroom},{day},{start},{end},{status},{note}"


def stored_shifts() -> list[Shift]:
    """Every shift as it stands in the database now."""
    db.session.rollback()
    return list(db.session.scalars(select(Shift).order_by(Shift.id).execution_options(populate_existing=True)))


def counts(result: ImportResult) -> tuple[int, int, int]:
    """How many shifts were added, changed and found as they were."""
    return result.added, result.changed, result.unchanged
