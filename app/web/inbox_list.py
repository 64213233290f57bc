"""The rows of an inbox as a page shows them: by day, with what came meanwhile."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import groupby

from flask_babel import gettext as _
from flask_login import current_user

from app.clock import now
from app.i18n import day as day_of
from app.i18n import language, zone
from app.inbox import queries
from app.inbox.queries import Item, Page
from app.place import Place
from app.reach.own_devices import has_device
from app.web import cursors
from app.web.inbox_asked import Asked

ROWS_PER_PAGE = 50
LONGEST_LIST = 200
"""Rows after which a list no longer grows by itself: each tick renders all of them anew."""


@dataclass(frozen=True, slots=True)
class Day:
    """The notifications of one day. `continued`: its heading already stands above."""

    date: date
    word: str
    continued: bool
    items: Sequence[Item]


@dataclass(frozen=True, slots=True)
class Listing:
    """What is on the screen. `new` came since it was opened; `next` is where more begins."""

    days: Sequence[Day]
    new: int
    seen: str | None
    next: str | None
    rows: int
    grows: bool
    offers_devices: bool
    """Whether it is empty, and its reader gets pushes nowhere."""

    @property
    def more_than_shown(self) -> str:
        """`new` as it is written: beyond the badge's limit nobody counts."""
        return capped(self.new)


def listing(asked: Asked) -> Listing:
    """The list as the reader sees it now: a page of it, or all that is already on the screen."""
    on_screen = asked.seen is not None
    size = LONGEST_LIST if on_screen else ROWS_PER_PAGE
    page = _page(asked, size, asked.through)
    new = 0
    if asked.seen is not None and asked.after is None:
        new = queries.newer_than(current_user.reader, asked.box, asked.q, asked.seen)
    if new and not page.items:  # an empty list has no reader to disturb
        return listing(replace(asked, seen=None, through=None))
    return _listing(asked, page, new, rows=len(page.items))


def appended(asked: Asked) -> Listing:
    """The page that is put under what is already on the screen."""
    page = _page(asked, ROWS_PER_PAGE, None)
    return _listing(asked, page, 0, rows=asked.above + len(page.items))


def capped(number: int) -> str:
    """A number as a badge shows it: 3, 99+."""
    return f"{queries.BADGE_STOPS_AT}+" if number > queries.BADGE_STOPS_AT else str(number)


def _page(asked: Asked, size: int, through: Place | None) -> Page:
    return queries.page(
        current_user.reader, asked.box, asked.q, asked.after, size, language(), asked.seen, through
    )  # fmt: skip


def _listing(asked: Asked, page: Page, new: int, *, rows: int) -> Listing:
    first = page.items[0] if page.items else None
    seen = asked.seen or (Place(first.created_at, first.id) if first else None)
    return Listing(
        days=_days(page.items, asked.after if asked.above else None),
        new=new,
        seen=_word(seen),
        next=_word(page.next),
        rows=rows,
        grows=rows < LONGEST_LIST,
        offers_devices=not rows and not has_device(current_user.id),
    )


def _word(place: Place | None) -> str | None:
    return cursors.write(place) if place else None


def _days(items: Sequence[Item], after: Place | None) -> list[Day]:
    above = _date(after.at) if after else None
    return [
        Day(date, _name(date, found[0].created_at), date == above, found)
        for date, group in groupby(items, lambda item: _date(item.created_at))
        for found in [list(group)]
    ]


def _name(date: date, instant: datetime) -> str:
    today = _date(now())
    if date == today:
        return str(_("Today"))
    return str(_("Yesterday")) if date == today - timedelta(days=1) else day_of(instant, language())


def _date(instant: datetime) -> date:
    return instant.astimezone(zone()).date()
