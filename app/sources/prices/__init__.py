"""Price watches that are checked again before they speak.

The verbs, for pages and commands (each takes the account that acts, and raises NoSuchWatchError for others' watches):

    preview.preview(url, endpoint=None)     what a page (or JSON endpoint) says now, within 3 s, outside transactions;
                                            InvalidInput, or a Preview whose `silence` says that there is a way on
    wishes.read_wish(trigger, target, percent, reading, currency)           what a form wants to be waited for
    watch.watch(tx, account_id, preview.item, preview.reading, wished)      watch what was previewed
    watch.pause, resume, remove(tx, account_id, watch_id)
    watch.look_now(tx, account_id, watch_id)
    watch.forget(tx, account_id)    an account is deleted
    inherit.take_over(tx, guest_id, account_id)     a guest signs in
    listing.watches_of(account_id), listing.watch_of(account_id, watch_id)
    listing.was_watched(account_id, watch_id)
    listing.histories_of(item_ids, size), listing.story_of(watch_id, size), listing.numbers_of(watch_id)
    listing.is_reached(account_id)  whether anything is where the account wants to be told
    messages.money(amount, currency), messages.why(code)    words for a page; a push leads to messages.page_of(watch_id)
"""

from datetime import timedelta

from app.kinds import InboxKind, QueueName, Scan
from app.sources.prices.detect import detect
from app.sources.prices.inherit import take_over
from app.sources.prices.kinds import PriceDrop, PriceUnreadable
from app.sources.prices.watch import SCAN, forget

__all__ = ["SCANS", "forget", "kinds", "take_over"]

SCANS: tuple[Scan, ...] = (Scan(SCAN, timedelta(minutes=10), QueueName.SLOW, detect),)


def kinds(retries: int) -> tuple[InboxKind, ...]:
    """What prices tell, each at most so many times again (`OUTBOX_MAX_RETRY`)."""
    return (PriceDrop(retries), PriceUnreadable())
