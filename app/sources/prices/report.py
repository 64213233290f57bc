"""Telling whoever watches an item, once and in their inbox alone, that it gives no price any more."""

from sqlalchemy import select, update

from app.inbox.notify import Event, put
from app.sources.prices.audience import ITEM, UNREADABLE
from app.sources.prices.find import local_day
from app.sources.prices.looking import Look
from app.sources.prices.models import Item, Watch
from app.transaction import slices, writing

LIVE = (Watch.removed_at.is_(None), Watch.paused_at.is_(None))


def report(look: Look) -> None:
    """At most once a day for each item, however often it comes and goes. Whoever is killed over it is reported by the
    next look: that it was done is noted last."""
    item_id = look.item.id
    event = Event(UNREADABLE, f"{UNREADABLE}:{item_id}:{local_day(look.at)}", ITEM, item_id)
    with writing() as tx:
        watchers = tx.session.scalars(select(Watch.account_id).where(Watch.item_id == item_id, *LIVE).distinct()).all()
    for some in slices(watchers):
        with writing() as tx:
            put(tx, event, some)
    with writing() as tx:
        still_failing = (Item.id == item_id, Item.failing_since.is_not(None))
        tx.execute(update(Item).where(*still_failing).values(reported_at=look.at))
