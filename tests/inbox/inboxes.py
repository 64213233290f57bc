"""Filling inboxes and looking into them."""

from itertools import count
from typing import Any

from app.clock import now
from app.extensions import db
from app.inbox.notify import Event, notify
from app.inbox.queries import Box, page
from app.kinds import Reader
from app.place import Place
from app.reach.addresses import push_gate
from app.reach.models import Device, Preference, QuietHours
from app.transaction import writing

_numbers = count(1)


def about(subject: int, *, key: str = "came", by: int | None = None) -> Event:
    """Somebody came."""
    return Event("greeting", f"{key}:{subject}", "account", subject, by)


def tell(subject: int, *to: int, key: str = "came") -> list[int]:
    """Tell these accounts that somebody came; the ids of the new notifications."""
    with writing() as tx:
        return notify(tx, about(subject, key=key), to)


def titles(account: int, box: Box = Box.ALL, words: str = "", after: Place | None = None) -> list[str]:
    """What the inbox shows, newest first, in English."""
    db.session.rollback()
    return [item.title for item in page(Reader(account, "member"), box, words, after, 100, "en").items]


def said(account: int) -> list[tuple[str, str]]:
    """Title and body of everything in the inbox, newest first, in English."""
    db.session.rollback()
    return [(item.title, item.body) for item in page(Reader(account, "member"), Box.ALL, "", None, 100, "en").items]


def make_device(account: int, **changes: Any) -> int:
    """A device that agreed to pushes, and its id. Its keys are no real ones."""
    number = next(_numbers)
    endpoint = changes.get("endpoint", f"https://updates.push.services.mozilla.com/wpush/{number}")
    values: dict[str, Any] = {
        "account_id": account, "endpoint": endpoint, "gate_key": push_gate(endpoint),
        "endpoint_hash": f"{number:064x}", "p256dh": "p", "auth": "a", "vapid_key": "v", "name": "Firefox",
        "language": "ja", "created_at": now(),
    }  # fmt: skip
    with writing() as tx:
        device = Device(**values | changes)
        tx.session.add(device)
        tx.session.flush()
        return device.id


def chosen(account: int, category: str, channel: str, enabled: bool) -> None:
    """Somebody's choice for one category on one channel."""
    with writing() as tx:
        tx.session.add(Preference(account_id=account, category=category, channel=channel, enabled=enabled))


def quiet(account: int, starts: int, ends: int) -> None:
    """Somebody's quiet hours, in minutes of the day."""
    with writing() as tx:
        tx.session.add(QuietHours(account_id=account, starts_at_minute=starts, ends_at_minute=ends))
