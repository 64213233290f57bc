"""`flask publications`: shift tables for LINE groups."""

from datetime import date
from pathlib import Path

import click
from flask import current_app
from flask.cli import AppGroup

from app import tokens
from app.audit import COMMAND_LINE
from app.cli.output import emit, explains_faults, json_option
from app.clock import now
from app.config import Settings
from app.faults import Fault, InvalidInput
from app.sources.classroom.publication.month_table import Wanted, month_bounds
from app.sources.classroom.publication.publish import NoGroupError
from app.sources.classroom.publication.published import get_publication
from app.sources.classroom.publication.receivers import Receiver, language_of, receivers
from app.sources.classroom.publication.send import SentTable, send_drawn, send_picture
from app.sources.classroom.publication.table.fonts import FontMissing
from app.sources.classroom.publication.table.layout import NoShifts
from app.sources.classroom.publication.table.picture import read_picture
from app.sources.classroom.shifts.listing import classroom_names

publications = AppGroup("publications", help="Shift tables for LINE groups.")


@publications.command("send")
@click.argument("month", metavar="MONTH")
@click.option("--classroom", metavar="NAME", help="Only this classroom's shifts. Without: those of all.")
@click.option("--image", type=click.Path(path_type=Path), help="Send this picture instead of drawing the table.")
@json_option
@explains_faults
def send(month: str, classroom: str | None, image: Path | None, as_json: bool) -> None:
    """Draw the shift table of MONTH (2026-12) and owe it to its LINE groups."""
    settings: Settings = current_app.config["SETTINGS"]
    classroom_id = _classroom(classroom)
    groups = receivers(classroom_id, settings.line_group_id)
    wanted = Wanted(_month(month, settings), classroom_id, language_of(groups), settings.zone)
    sent = _send(wanted, _picture(image), settings)
    table = get_publication(sent.id)
    document = {
        "id": sent.id,
        "month": f"{wanted.month:%Y-%m}",
        "classroom": classroom,
        "revision": table.revision if table else None,
        "groups": [group.name for group in groups],
        "missing_characters": list(sent.missing),
    }
    emit(document, as_json, _sentences(document["revision"], groups, sent))


def _month(written: str, settings: Settings) -> date:
    try:
        month = date.fromisoformat(f"{written}-01")
    except ValueError:
        raise InvalidInput(Fault("month", "Expected a month such as 2026-12.")) from None
    if not 1970 < month.year < 9000:
        raise InvalidInput(Fault("month", "Expected a month such as 2026-12."))
    if month_bounds(month, settings.zone)[1] <= now():
        raise InvalidInput(Fault("month", "This month is over: its table is sent to nobody."))
    return month


def _classroom(name: str | None) -> int | None:
    if name is None:
        return None
    found = [classroom_id for classroom_id, known in classroom_names().items() if known == name]
    if not found:
        raise InvalidInput(Fault("classroom", "No classroom has this name."))
    return found[0]


def _picture(image: Path | None) -> bytes | None:
    if image is None:
        return None
    try:
        return read_picture(image.read_bytes()).png
    except OSError as error:
        raise InvalidInput(Fault("image", f"{image} cannot be read: {error.strerror}.")) from None


def _send(wanted: Wanted, picture: bytes | None, settings: Settings) -> SentTable:
    request_id, default = tokens.request_id(), settings.line_group_id
    try:
        if picture is not None:
            return send_picture(COMMAND_LINE, wanted, picture, request_id=request_id, default_group=default)
        font = settings.shift_font_path
        return send_drawn(COMMAND_LINE, wanted, request_id=request_id, default_group=default, font=font)
    except NoShifts:
        raise InvalidInput(Fault("month", "No shift of this month is confirmed, so nothing was sent.")) from None
    except FontMissing as error:
        raise InvalidInput(Fault("SHIFT_FONT_PATH", str(error))) from None
    except NoGroupError:
        message = "No LINE group gets this table. Choose one at /settings/classrooms, or set LINE_GROUP_ID."
        raise InvalidInput(Fault("LINE_GROUP_ID", message)) from None


def _sentences(revision: object, groups: list[Receiver], sent: SentTable) -> list[str]:
    names = ", ".join(group.name for group in groups)
    told = [f"Publication {sent.id} (revision {revision}) is on its way to: {names}."]
    if sent.missing:
        told.append(f"No font has these characters, so they are drawn as 〓: {' '.join(sent.missing)}")
    return told
