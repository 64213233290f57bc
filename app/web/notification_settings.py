"""How somebody is reached: this device, all devices, which categories where, and quiet hours."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from flask import current_app, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.config import Settings
from app.faults import InvalidInput
from app.i18n import zone
from app.kinds import INBOX_KINDS
from app.reach.people import get_person
from app.reach.preferences import DEFAULTS, LINE, WEB_PUSH, choices, set_preferences
from app.reach.quiet_hours import clear_quiet_hours, quiet_hours_of, set_quiet_hours
from app.transaction import writing
from app.web import words
from app.web.device_rows import device_rows
from app.web.forms import by_field
from app.web.guards import GUESTS_TOO, Pages
from app.web.this_device import was_device
from app.web.trials import TrialRow, trial_row

ADDRESS = "/settings/notifications"

Answer = Response | tuple[str, int]

pages = Pages("notification_settings", open_to=GUESTS_TOO)


@dataclass(frozen=True, slots=True)
class Choice:
    """One box to tick."""

    channel: str
    value: str
    on: bool


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """One category, with a box for each channel that can be chosen."""

    name: str
    words: words.CategoryWords
    choices: tuple[Choice, ...]


@pages.get("/settings")
def index() -> Response:
    """The first of the settings that everybody has."""
    return redirect(url_for("notification_settings.show"))


@pages.get(ADDRESS)
def show() -> str:
    """How it stands now. Opening it asks for nothing."""
    return page()


@pages.post(f"{ADDRESS}/choices")
def choose() -> Answer:
    """Save which category goes where."""
    ticked = set(request.form.getlist("choice"))
    boxes = [box for row in _categories() for box in row.choices]
    with writing() as tx:
        set_preferences(tx, current_user.id, {_pair(box.value): box.value in ticked for box in boxes})
    return done(_("Your choices were saved."))


@pages.post(f"{ADDRESS}/quiet-hours")
def choose_quiet_hours() -> Answer:
    """Save the quiet hours, or have none any more."""
    try:
        with writing() as tx:
            if request.form.get("act") == "clear":
                clear_quiet_hours(tx, current_user.id)
            else:
                form = request.form
                set_quiet_hours(tx, current_user.id, form.get("starts", ""), form.get("ends", ""))
    except InvalidInput as error:
        return page(by_field(error.faults)), 422
    return done(_("Your quiet hours were saved."))


def done(told: str) -> Response:
    """Back to the page, which says what was done."""
    flash(told)
    return redirect(url_for("notification_settings.show"), 303)


def page(faults: Mapping[str, str] = MappingProxyType({}), refused_device: int | None = None) -> str:
    """The page as it stands now, with what was typed and refused."""
    devices = device_rows()
    here = next((one.device for one in devices if one.device.here), None)
    return render_template(
        "notification_settings/show.html",
        devices=devices,
        here=here,
        known_as="on" if here else "lapsed" if was_device() else "unset",
        trial=_asked_trial(),
        categories=_categories(),
        line=_has_line(),
        sandbox=has_sandbox_devices(),
        quiet=_quiet(),
        zone=zone().key,
        typed=request.form,
        faults=faults,
        refused_device=refused_device,
        words=words,
    )


def has_sandbox_devices() -> bool:
    """Whether the sandbox may lend a device."""
    settings: Settings = current_app.config["SETTINGS"]
    return settings.has_sandbox_devices


def _categories() -> list[CategoryRow]:
    present = {kind.category for kind in INBOX_KINDS.values() if current_user.role in kind.concerns}
    chosen, channels = choices(current_user.id), (WEB_PUSH, LINE) if _has_line() else (WEB_PUSH,)
    return [
        CategoryRow(name, words.CATEGORIES[name], tuple(
            Choice(channel, f"{name}:{channel}", chosen.get((name, channel), DEFAULTS[channel])) for channel in channels
        ))
        for name in sorted(present, key=list(words.CATEGORIES).index)
    ]  # fmt: skip


def _has_line() -> bool:
    person = get_person(current_user.id)
    return person is not None and person.line != "none"


def _quiet() -> tuple[str, str] | None:
    hours = quiet_hours_of([current_user.id]).get(current_user.id)
    return (_clock(hours[0]), _clock(hours[1])) if hours else None


def _clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"


def _pair(value: str) -> tuple[str, str]:
    category, _colon, channel = value.partition(":")
    return category, channel


def _asked_trial() -> TrialRow | None:
    return trial_row(request.args.get("test", type=int))
