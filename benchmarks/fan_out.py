"""How fast an announcement is told to everybody: beside adding the same rows one by one, and ten times as many beside
ten times the time. Each account has 1.2 devices on the average."""

from itertools import count
from time import perf_counter

from app.accounts.models import Account, Role
from app.accounts.signed_in import Who
from app.clock import now
from app.inbox.models import Notification
from app.outbox.models import Delivery
from app.reach.models import Device
from app.sources.announcements.fan_out import announce
from app.sources.announcements.fields import Fields, Text
from app.sources.announcements.models import Audience
from app.sources.announcements.progress import progress_of
from app.sources.announcements.publish import publish
from app.sources.announcements.write import draft
from app.tokens import request_id
from app.transaction import writing
from benchmarks.filling import filling, instant, put
from benchmarks.house import DATABASES, house
from benchmarks.memory import peak_of
from benchmarks.rounds import medians
from benchmarks.table import Bounded, Line, show, show_bounded

FEW, MANY, ADDED = 10_000, 100_000, 5_000
"""Accounts that are told, and those whose rows are added one by one."""
TARGETS = {"sqlite": 10, "postgresql": 5}
WHO = Who(1, "a1@example.jp", "Who", Role.ADMIN, "ja")
WORDS = Fields({"ja": Text("休業のお知らせ", "年末は休みます。")}, None, Audience.EVERYONE)


def main() -> None:
    """Measure and print."""
    for database in DATABASES:
        with house(database):
            _fill(FEW)
            (few,) = medians(lambda: _told(FEW))
        with house(database):
            _fill(MANY)
            memory = peak_of(lambda: _told(MANY))
            many, added = medians(lambda: _told(MANY), _added)
        rows = Line("session.add_all, and a commit", _rows(MANY) / many, _rows(ADDED) / added, TARGETS[database])
        show(f"Telling {MANY:,} accounts: rows, {database}", [rows])
        growth = Bounded("ten times as many", many * 1000, few * 10_000, 1.2)
        show_bounded(f"Growth, {database}", f"{MANY:,}", f"10 × {FEW:,}", [growth])
        print(f"{'memory needed to tell them':44}{memory:9.1f} MB")


def _fill(accounts: int) -> None:
    at = now().replace(microsecond=0)
    since = instant(at, "0")
    with filling(Account, Device) as connection:
        put(connection, Account, accounts, {
            "id": "i", "email": "'a' || i || '@example.jp'", "name": "'name ' || i", "role": "'member'",
            "language": "'ja'", "active": "true", "created_at": since,
        })  # fmt: skip
        devices = accounts * 6 // 5
        put(connection, Device, devices, {
            "account_id": f"1 + i % {accounts}", "endpoint": "'https://push.example/' || i",
            "endpoint_hash": "'h' || i",
            "gate_key": "'web_push:push.example'", "p256dh": "'p'", "auth": "'a'", "vapid_key": "'v'",
            "name": "'Firefox'", "language": "'ja'", "created_at": since,
        })  # fmt: skip


def _rows(accounts: int) -> float:
    """The notifications and deliveries of so many accounts."""
    return 2.2 * accounts


def _told(accounts: int) -> float:
    """Seconds that the scan takes to tell everybody of a new announcement."""
    with writing() as tx:
        announcement_id = draft(tx, WHO, WORDS, request_id())
    with writing() as tx:
        publish(tx, WHO, announcement_id, 1)
    begun = perf_counter()
    while announce()["notified"]:
        pass
    took = perf_counter() - begun
    progress = progress_of(announcement_id)
    assert progress is not None
    assert progress.notified == accounts
    assert progress.on_the_way == accounts * 6 // 5
    return took


_keys = count(1)


def _added() -> float:
    """Seconds that it takes to add the rows of some accounts as one would write it."""
    key, at = f"added:{next(_keys)}", now()
    begun = perf_counter()
    with writing() as tx:
        told = [
            Notification(
                account_id=one, event_key=key, kind="announcement", subject_type="announcement", subject_id=1,
                created_at=at,
            )
            for one in range(1, ADDED + 1)
        ]  # fmt: skip
        tx.session.add_all(told)
        tx.session.flush()
        tx.session.add_all(
            Delivery(
                kind="announcement", channel="web_push", dedup_key=f"notification:{one.id}:device:{device}",
                subject_type="announcement", subject_id=1, subject_version=1, notification_id=one.id,
                account_id=one.account_id, address_type="device", address_id=device, address_label="name · Firefox",
                gate_key="web_push:push.example", expires_at=at, state="pending", next_trigger="auto", created_at=at,
                updated_at=at,
            )
            for one in told for device in (range(2) if one.account_id % 5 == 0 else range(1))
        )  # fmt: skip
    return perf_counter() - begun


if __name__ == "__main__":
    main()
