"""Browsers that agree to pushes, as the page registers them."""

from collections.abc import Mapping
from typing import Any

from app.accounts.models import Account
from app.audit import Actor
from app.extensions import db
from app.inbox.notify import notify
from app.operations import devices
from app.reach.devices import Agreed
from app.reach.models import Device
from app.tokens import digest
from app.transaction import writing
from app.vapid import public_key
from tests.factories import all_deliveries
from tests.fixtures.settings import VAPID_KEY
from tests.inbox.inboxes import about

KEY = public_key(VAPID_KEY)


def agreed(subscription: Mapping[str, Any], browser: str = "", **changes: Any) -> Agreed:
    """What this subscription agrees to, in a browser with this cookie; one of its own unless named."""
    values: dict[str, Any] = {
        "endpoint": subscription["endpoint"], **subscription["keys"], "vapid_key": KEY, "name": "Chrome · Android",
        "browser_hash": digest(browser or subscription["endpoint"]), "language": "ja",
    }  # fmt: skip
    return Agreed(**values | changes)


def register(account: int, subscription: Mapping[str, Any], browser: str = "", **changes: Any) -> int:
    """Somebody presses the button; the device's id."""
    with writing() as tx:
        name = db.session.get_one(Account, account).name
        return devices.register(tx, Actor(account, name), account, agreed(subscription, browser, **changes), None)


def tell(subject: int, *to: int, key: str = "came") -> list[int]:
    """Tell these accounts that somebody came; the ids of the deliveries that this made."""
    before = {one.id for one in all_deliveries()}
    with writing() as tx:
        notify(tx, about(subject, key=key), to)
    return [one.id for one in all_deliveries() if one.id not in before]


def devices_now() -> list[Device]:
    """Every device as it stands in the database now."""
    db.session.rollback()
    return list(db.session.query(Device).order_by(Device.id).populate_existing())
