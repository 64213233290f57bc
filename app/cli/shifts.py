"""`flask shifts`: the shifts of the tutors."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from flask.cli import AppGroup

from app import i18n
from app.audit import COMMAND_LINE
from app.cli.output import emit, explains_faults, json_option
from app.codes import CANCELLATIONS
from app.faults import Fault, InvalidInput
from app.sources.classroom.imports.csv_file import ShiftFile, read_csv
from app.sources.classroom.imports.file_clashes import Occupied
from app.sources.classroom.imports.headings import WHOLE_FILE
from app.sources.classroom.imports.import_shifts import ImportResult, import_shifts
from app.sources.classroom.imports.preview import Preview, PreviewedShift, preview

shifts = AppGroup("shifts", help="The shifts of the tutors.")


@shifts.command("import")
@click.argument("file", metavar="FILE.csv", type=click.Path(path_type=Path))
@click.option("--create-classrooms", is_flag=True, help="Make the classrooms that do not exist yet.")
@click.option("--dry-run", is_flag=True, help="Say what would happen, and store nothing.")
@json_option
@explains_faults
def import_(file: Path, create_classrooms: bool, dry_run: bool, as_json: bool) -> None:
    """Add and change shifts as a CSV file says. Either all of it is stored or, if a line is faulty, nothing.

    The first line names the columns, in any order: tutor_email, classroom, date, start, end, status, note,
    external_id, or in Japanese: 講師メール, 教室, 日付, 開始, 終了, 状態, 備考, ID.
    """
    shift_file = read_csv(_bytes(file))
    if dry_run:
        _show(shift_file, create_classrooms, as_json)
        return
    result = import_shifts(shift_file, COMMAND_LINE, create_classrooms=create_classrooms)
    emit(asdict(result) | {"dry_run": False}, as_json, [*_made(result), f"Shifts: {_figures(asdict(result))}"])


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InvalidInput(Fault(WHOLE_FILE, f"{file} cannot be read: {error.strerror}.")) from None


def _show(file: ShiftFile, create_classrooms: bool, as_json: bool) -> None:
    would = preview(file, create_classrooms=create_classrooms)
    added, changed = [asdict(one) for one in would.added], [asdict(one) for one in would.changed]
    counts = {"added": len(added), "changed": len(changed), "unchanged": would.unchanged}
    lists = {
        "new_classrooms": would.new_classrooms,
        "added_shifts": added,
        "changed_shifts": changed,
        "unreachable_tutors": [asdict(one) for one in would.unreachable],
        "clashes": [asdict(one) for one in would.clashes],
    }
    emit(
        counts | {"dry_run": True} | lists,
        as_json,
        [*_made(would), *_changes(would), *_warnings(would), f"Dry run, nothing was stored: {_figures(counts)}"],
    )


def _changes(would: Preview) -> Iterator[str]:
    for one in would.added:
        yield f"+ {_words(one)}"
    for change in would.changed:
        yield f"- {_words(change.old)}{', deleted' if change.old.deleted else ''}"
        yield f"+ {_words(change.new)}"
        for tutor in change.corrected:
            yield f"  {tutor} would get a correction"


def _warnings(would: Preview) -> Iterator[str]:
    for tutor in would.unreachable:
        yield f"! {tutor.name} cannot be reached by LINE: {CANCELLATIONS[tutor.why].cause}"
    for clash in would.clashes:
        yield f"! {clash.tutor} would have two shifts at once: {_when(clash.one)}; {_when(clash.other)}"


def _when(one: Occupied) -> str:
    return f"{one.classroom}, {i18n.moment(one.starts_at, 'en')} to {i18n.moment(one.ends_at, 'en')}"


def _words(shift: PreviewedShift) -> str:
    times = f"{i18n.moment(shift.starts_at, 'en')} to {i18n.moment(shift.ends_at, 'en')}"
    note = f", {shift.note!r}" if shift.note else ""
    return f"{shift.tutor}, {shift.classroom}, {times}, {shift.status}{note}"


def _made(result: ImportResult | Preview) -> list[str]:
    return [f"New classrooms: {', '.join(result.new_classrooms)}"] if result.new_classrooms else []


def _figures(counts: dict[str, Any]) -> str:
    return "{added} added, {changed} changed, {unchanged} unchanged.".format_map(counts)
