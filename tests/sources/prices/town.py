"""Shoppers, what they watch, and looking at what became of it."""

from decimal import Decimal
from typing import Any

from sqlalchemy import func, select

from app.clock import now
from app.extensions import db
from app.reach.preferences import LINE
from app.sources.prices.detect import detect
from app.sources.prices.models import Item, Said, Watch
from app.sources.prices.preview import preview
from app.sources.prices.watch import watch
from app.sources.prices.wishes import read_wish
from app.transaction import writing
from tests.factories import all_deliveries, make_tutor
from tests.inbox.inboxes import chosen


def shopper(*, language: str = "ja") -> int:
    """Somebody who wants to be told of prices over LINE."""
    account = make_tutor(language=language)
    chosen(account, "prices", LINE, enabled=True)
    return account


def watching(account: int, url: str, trigger: str = "below_target", target: str = "1500", percent: str = "20") -> int:
    """Preview the page and watch it, as the form does; the watch's id."""
    seen = preview(url)
    wished = read_wish(trigger, target, percent, seen.reading, seen.currency)
    with writing() as tx:
        return watch(tx, account, seen.item, seen.reading, wished).id


def look() -> dict[str, int]:
    """The scan finds every item due."""
    with writing() as tx:
        for item in tx.session.scalars(select(Item).where(Item.next_look_at.is_not(None))):
            item.next_look_at = now()
    return detect()


def watch_now(watch_id: int) -> Watch:
    """The watch as it stands."""
    db.session.rollback()
    found = db.session.get(Watch, watch_id, populate_existing=True)
    assert found is not None
    return found


def item_now() -> Item:
    """The only item, as it stands."""
    db.session.rollback()
    return db.session.scalars(select(Item).execution_options(populate_existing=True)).one()


def ends() -> list[tuple[str, str | None]]:
    """State and reason of every delivery, oldest first."""
    return [(one.state, one.reason) for one in all_deliveries()]


def said() -> list[Decimal]:
    """The prices that were said, in the order of their deliveries."""
    db.session.rollback()
    return list(db.session.scalars(select(Said.price).order_by(Said.delivery_id)))


def number_of(table: Any) -> int:
    """How many rows there are."""
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(table)) or 0
