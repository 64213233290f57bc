"""`flask shifts`: the shifts of the tutors."""

from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import click
from flask.cli import AppGroup

from app.cli.output import emit, explains_faults, json_option
from app.faults import Fault, InvalidInput
from app.sources.classroom.csv_file import ShiftFile, read_csv
from app.sources.classroom.import_shifts import ImportResult, import_shifts
from app.transaction import writing

shifts = AppGroup("shifts", help="The shifts of the tutors.")


class _RolledBack(Exception):  # noqa: N818  # nothing went wrong
    """Ends a dry run."""


@shifts.command("import")
@click.argument("file", metavar="FILE.csv", type=click.Path(path_type=Path))
@click.option("--create-classrooms", is_flag=True, help="Make the classrooms that do not exist yet.")
@click.option("--dry-run", is_flag=True, help="Say what would happen, and store nothing.")
@json_option
@explains_faults
def import_(file: Path, create_classrooms: bool, dry_run: bool, as_json: bool) -> None:
    """Add and change shifts as a CSV file says. Either all of it is stored or, if a line is faulty, nothing.

    The first line names the columns: external_id, tutor_email, classroom, date, start, end, status, note.
    """
    result = _import(read_csv(_bytes(file)), create_classrooms, dry_run)
    emit(asdict(result) | {"dry_run": dry_run}, as_json, _sentences(result, dry_run))


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InvalidInput(Fault("file", f"{file} cannot be read: {error.strerror}.")) from None


def _import(file: ShiftFile, create_classrooms: bool, dry_run: bool) -> ImportResult:
    with suppress(_RolledBack), writing() as tx:
        result = import_shifts(tx, file, create_classrooms=create_classrooms)
        if dry_run:
            raise _RolledBack
    return result


def _sentences(result: ImportResult, dry_run: bool) -> list[str]:
    made = [f"New classrooms: {', '.join(result.new_classrooms)}"] if result.new_classrooms else []
    figures = f"{result.added} added, {result.changed} changed, {result.unchanged} unchanged."
    return [*made, f"Dry run, nothing was stored: {figures}" if dry_run else f"Shifts: {figures}"]
