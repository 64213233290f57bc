"""What every template may use: the reader's language, how instants are written, and the way around."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from babel.dates import format_date
from flask import Flask, request
from flask_babel import LazyString
from flask_babel import lazy_gettext as _l
from flask_login import current_user

from app import i18n
from app.clock import now
from app.config import SANDBOX_URL, Settings
from app.web import inbox, theme, times
from app.web.days import midnight
from app.web.guards import is_guest, may_enter
from app.web.links import linked
from app.web.places import own_path, split
from app.web.this_device import this_device, vapid_key, was_device
from app.web.unread import unread

HTMX_INTEGRITY = "sha384-Qp9rdC8H7EqOoX+nR0P3RPG2Noji+qdwJlGpfzwQJsfOpp3sGwIdSP9xO3+UlEhn"
"""Of dist/htmx.min.js in htmx.org 4.0.1, which is also static/vendor/htmx.min.js."""

TICK = timedelta(seconds=5)
"""How often a page that is looked at brings its live parts up to date."""


PLACES_ON_PHONES = 5
"""More do not fit into the bar under a thumb."""


@dataclass(frozen=True, slots=True)
class Place:
    """One entry of the navigation; `pages` names the group whose guard decides who sees it."""

    pages: str
    endpoint: str
    word: LazyString
    covers: tuple[str, ...]
    """The groups of pages that belong to it."""


SETTINGS = (
    "notification_settings", "device_acts", "accounts", "account_new", "account_acts", "account_deletion", "classrooms",
    "own_account",
)  # fmt: skip
TALKS = ("inquiries", "inquiry", "inquiry_acts", "conversations", "conversation", "conversation_acts")
DELIVERIES = (
    "deliveries", "delivery_search", "delivery_export", "delivery", "delivery_acts", "bulk_retries", "bulk_retry_new",
    "bulk_retry", "codes", "gates", "audit_list",
)  # fmt: skip
ANNOUNCEMENTS = ("announcements", "announcement", "announcement_edits", "announcement_publishing")

PLACES = (
    Place("overview", "overview.show", _l("Overview"), ("overview", "issue_acts")),
    Place("deliveries", "deliveries.index", _l("Deliveries"), DELIVERIES),
    Place("shifts", "shifts.index", _l("Shifts"), ("shifts", "shift", "shift_edits", "shift_acts", "shift_imports")),
    Place("publications", "publications.index", _l("Publications"), ("publications", "publication", "publishing")),
    Place("inbox", "inbox.index", _l("Inbox"), ("inbox", "inbox_acts", "notification")),
    Place("inquiries", "inquiries.index", _l("Messages"), TALKS),
    Place("announcements", "announcements.index", _l("Announcements"), ANNOUNCEMENTS),
    Place(
        "stores",
        "stores.index",
        _l("Stores"),
        ("stores", "store_admin", "store_edits", "store_people", "reports", "report_acts"),
    ),
    Place("watches", "watches.index", _l("Watches"), ("watches", "watch", "watch_new", "watch_acts")),
    Place("notification_settings", "notification_settings.show", _l("Settings"), SETTINGS),
)


def init_app(app: Flask) -> None:
    """Hand the templates what they may use."""
    settings: Settings = app.config["SETTINGS"]
    constants = {
        "sandbox_url": SANDBOX_URL if settings.sandbox else None,
        "htmx_url": settings.htmx_url,
        "htmx_integrity": HTMX_INTEGRITY,
        "zone": settings.timezone,
        "tick_seconds": TICK // timedelta(seconds=1),
    }
    app.context_processor(lambda: constants | _of_this_request())
    app.add_template_filter(linked)
    app.add_template_filter(_on_day, "on_day")
    app.add_template_filter(_weekday, "weekday")
    app.add_template_filter(_thousands, "thousands")
    app.add_template_filter(_said, "said")
    spans = (i18n.relative, i18n.duration, i18n.within)
    app.add_template_filter(i18n.time)
    app.add_template_filter(i18n.clock)
    for element in (times.relative_time, times.moment_time, times.exact_time, times.iso):
        app.add_template_filter(element)
    for written in (i18n.moment, i18n.day, *spans):
        app.add_template_filter(_in_readers_language(written), written.__name__)


def _in_readers_language(written: Callable[[Any, str], str]) -> Callable[[Any], str]:
    return lambda value: written(value, i18n.language())


def places() -> list[Place]:
    """Where the reader may go."""
    return [place for place in PLACES if may_enter(current_user.role, place.pages)]


def folded_on_phones() -> list[Place]:
    """Those that a phone's bar has no room for: it keeps the inbox, the first ones, and a way to these."""
    mine = places()
    if len(mine) <= PLACES_ON_PHONES:
        return []
    others = [place for place in mine if place.pages != inbox.pages.name]
    return others[PLACES_ON_PHONES - 2 :]


def _of_this_request() -> dict[str, object]:
    return {
        "lang": i18n.language(),
        "rendered_at": now(),
        "theme": theme.chosen(),
        "here": _here(),
        "places": places,
        "may_enter": _may_enter,
        "is_guest": is_guest,
        "folded_on_phones": folded_on_phones,
        "unread": unread,
        "vapid_key": vapid_key,
        "this_device": this_device,
        "was_device": was_device,
    }


def _may_enter(pages: str) -> bool:
    return may_enter(current_user.role, pages)


def _here() -> str:
    """Where a reader comes back to after choosing a language; for the answer to a form, the page it stood on."""
    if request.method == "GET":
        return request.full_path.removesuffix("?")
    return own_path(split(request.referrer or "").path, "/")


def _on_day(date: date) -> str:
    """A local day with its day of the week, as `day` writes the day of an instant."""
    return i18n.day(midnight(date), i18n.language())


def _weekday(date: date) -> str:
    """月, Mon."""
    return str(format_date(date, "EEE", locale=i18n.language()))


def _thousands(number: int) -> str:
    """12,345, as both languages write it."""
    return f"{number:,}"


def _said(words: Mapping[str, LazyString]) -> dict[str, str]:
    """Each word in the reader's language, looked up once for all the rows that say it."""
    return {name: str(word) for name, word in words.items()}
