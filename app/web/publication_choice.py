"""Which table is to be published: read from an address or a form, and what stands in the way of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from flask import current_app
from flask_babel import gettext as _

from app.config import Settings
from app.faults import Fault, InvalidInput
from app.sources.classroom.publication.month_table import Wanted, confirmed_shifts
from app.sources.classroom.publication.receivers import Receiver, language_of, receivers
from app.sources.classroom.shifts.listing import classroom_names
from app.web.months import Month, read_month

FIELDS = ("month", "classroom")


@dataclass(frozen=True, slots=True)
class Choice:
    """A table that can be drawn: who gets it, and how many confirmed shifts it has."""

    month: Month
    wanted: Wanted
    classroom: str | None
    receivers: Sequence[Receiver]
    shifts: int


def read_choice(given: Mapping[str, str]) -> Choice:
    """What was chosen. Raises InvalidInput with every fault."""
    classrooms = classroom_names()
    typed = {name: given.get(name, "").strip() for name in FIELDS}
    month = read_month(typed["month"])
    classroom = next((key for key in classrooms if str(key) == typed["classroom"]), None)
    faults = []
    if month is None:
        faults.append(Fault("month", _("Enter a month such as 2026-12.")))
    elif month.is_over:
        faults.append(Fault("month", _("This month is over: its table is sent to nobody.")))
    if typed["classroom"] and classroom is None:
        faults.append(Fault("classroom", _("Choose one of the list.")))
    if month is None or faults:
        raise InvalidInput(*faults)
    groups = receivers(classroom, default_group())
    wanted = Wanted(month.first, classroom, language_of(groups), _settings().zone)
    return Choice(month, wanted, classrooms[classroom] if classroom else None, groups, confirmed_shifts(wanted))


def default_group() -> str | None:
    """LINE_GROUP_ID."""
    return _settings().line_group_id


def font() -> Path | None:
    """SHIFT_FONT_PATH."""
    return _settings().shift_font_path


def _settings() -> Settings:
    settings: Settings = current_app.config["SETTINGS"]
    return settings
