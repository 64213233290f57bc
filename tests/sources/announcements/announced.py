"""Writing and publishing announcements, crowds to tell them to, and looking at who has it."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import func, insert, select, update

from app.accounts.models import Account, Role
from app.accounts.signed_in import Who
from app.clock import now
from app.extensions import db
from app.inbox.models import Notification
from app.outbox.models import Delivery
from app.reach.addresses import push_gate
from app.reach.models import Device
from app.sources.announcements.fan_out import announce
from app.sources.announcements.fields import Fields, Text
from app.sources.announcements.kinds import KIND
from app.sources.announcements.models import Announcement, Audience, FanOut
from app.sources.announcements.publish import archive, publish
from app.sources.announcements.write import draft
from app.tokens import digest, request_id
from app.transaction import Transaction, writing
from tests.factories import make_account, soon

JA, EN = Text("休業のお知らせ", "年末は休みます。"), Text("We are closed", "At the end of the year.")


def author() -> Who:
    """An administrator who writes."""
    return Who(make_account("admin", name="管理"), "admin@example.jp", "管理", Role.ADMIN, "ja")


def fields(
    *, audience: Audience = Audience.EVERYONE, fallback: str | None = None, texts: Mapping[str, Text] | None = None
) -> Fields:
    """Something to announce, in both languages unless said otherwise."""
    return Fields({"ja": JA, "en": EN} if texts is None else texts, fallback, audience)


def written(who: Who, what: Fields | None = None) -> int:
    """A draft, and its id."""
    with writing() as tx:
        return draft(tx, who, what or fields(), request_id())


def published(who: Who | None = None, what: Fields | None = None) -> int:
    """An announcement that is published, of which nobody has been told yet; its id."""
    who = who or author()
    announcement_id = written(who, what)
    with writing() as tx:
        assert publish(tx, who, announcement_id, 1)
    return announcement_id


def archived(tx: Transaction, who: Who, announcement_id: int) -> bool:
    """Archive it as it stands."""
    seen = tx.session.scalar(select(Announcement.revision).where(Announcement.id == announcement_id))
    assert seen is not None
    return archive(tx, who, announcement_id, seen)


def crowd(number: int, **values: Any) -> list[int]:
    """So many accounts, made at one go; their ids, which rise."""
    at, first = now(), (db.session.scalar(select(func.max(Account.id))) or 0) + 1
    person = {"role": "member", "language": "ja", "active": True, "created_at": at, "name": "会員"} | values
    with writing() as tx:
        made = insert(Account).returning(Account.id)
        rows = [person | {"email": f"crowd{one}@example.jp"} for one in range(first, first + number)]
        return sorted(tx.session.scalars(made, rows))


def give_devices(accounts: Sequence[int], subscriptions: Sequence[Mapping[str, Any]], language: str = "ja") -> None:
    """Each of these accounts has one of these browsers."""
    same = {"vapid_key": "v", "name": "Firefox", "language": language, "created_at": now()}
    rows = [
        same | own["keys"] | {
            "account_id": account, "endpoint": own["endpoint"], "endpoint_hash": digest(own["endpoint"]),
            "gate_key": push_gate(own["endpoint"]),
        }
        for account, own in zip(accounts, subscriptions, strict=True)
    ]  # fmt: skip
    with writing() as tx:
        tx.session.execute(insert(Device), rows)


def told() -> list[int]:
    """The accounts that have it in their inboxes, each as often as they have it."""
    db.session.rollback()
    announced = select(Notification.account_id).where(Notification.kind == KIND)
    return list(db.session.scalars(announced.order_by(Notification.account_id)))


def states() -> dict[str, int]:
    """How many deliveries stand in each state."""
    db.session.rollback()
    return dict(db.session.execute(select(Delivery.state, func.count()).group_by(Delivery.state)).all())


def walk_of(announcement_id: int) -> FanOut:
    """How far its present edition has been told."""
    db.session.rollback()
    edition = select(Announcement.edition).where(Announcement.id == announcement_id).scalar_subquery()
    rows = select(FanOut).where(FanOut.announcement_id == announcement_id, FanOut.edition == edition)
    return db.session.scalars(rows.execution_options(populate_existing=True)).one()


def tell_everybody() -> None:
    """Let the scan run until there is nobody left to tell."""
    while announce()["notified"]:
        pass


def leases_over() -> None:
    """As if so much time had passed that every lease has run out, and whatever the queue lost is missed."""
    long_ago = soon(minutes=-5)
    with writing() as tx:
        tx.session.execute(update(Delivery).where(Delivery.queued_at.is_not(None)).values(queued_at=long_ago))
        tx.session.execute(update(FanOut).where(FanOut.lease_until.is_not(None)).values(lease_until=long_ago))
        leased = update(Delivery).where(Delivery.lease_until.is_not(None))
        tx.session.execute(leased.values(lease_until=long_ago))
