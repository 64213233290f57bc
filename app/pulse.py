"""What the background last said of itself: the background writes, pages and /readyz read."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from flask_babel import LazyString
from flask_babel import lazy_gettext as _l
from sqlalchemy import JSON, ColumnElement, String, delete, insert, or_, select, update
from sqlalchemy.orm import Mapped, mapped_column

from app.clock import now, slot_of
from app.columns import Base, UtcDateTime
from app.extensions import db
from app.transaction import Transaction

SILENT_AFTER = timedelta(seconds=45)
"""A process whose last heartbeat is older is taken for dead."""

FORGOTTEN_AFTER = timedelta(days=1)

OVERDUE_AFTER = timedelta(minutes=3)

SCAN_NAMES: dict[str, LazyString] = {
    "reminders": _l("Reminders"),
    "announcements": _l("Announcements"),
    "prices": _l("Prices"),
    "recovery": _l("Recovery"),
    "watch": _l("Watch"),
    "roll_up": _l("Counting the hours"),
    "bulk_retry": _l("Bulk retries"),
    "guests": _l("Forgetting guests"),
}
"""What people call each scan."""


class ScanRecord(Base):
    """One scan: which slot it did last, who holds it until when, and what its last run found."""

    __tablename__ = "scan"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    every_seconds: Mapped[int]
    last_slot: Mapped[datetime | None] = mapped_column(UtcDateTime)
    running_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    figures: Mapped[dict[str, int] | None] = mapped_column(JSON)
    error: Mapped[str | None] = mapped_column(String(200))

    @property
    def next_at(self) -> datetime:
        """When its next slot begins, which may have passed; now, if it never ran."""
        every = timedelta(seconds=self.every_seconds)
        return slot_of(self.last_slot, every) + every if self.last_slot else now()

    @property
    def running(self) -> bool:
        """Whether a run holds it at this moment."""
        return self.running_until is not None and self.running_until > now()

    @property
    def overdue(self) -> bool:
        """Whether it is so late that it is not merely waiting for a worker."""
        return not self.running and now() - self.next_at > OVERDUE_AFTER


class Heartbeat(Base):
    """One background process, by its own name; `role` is `worker` or `clock`."""

    __tablename__ = "heartbeat"

    name: Mapped[str] = mapped_column(String(120), primary_key=True)
    role: Mapped[str] = mapped_column(String(20))
    queues: Mapped[str] = mapped_column(String(80))
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    beat_at: Mapped[datetime] = mapped_column(UtcDateTime)


class QueueDepth(Base):
    """How many jobs stood in one queue of Redis when the clock last looked."""

    __tablename__ = "queue_depth"

    queue: Mapped[str] = mapped_column(String(20), primary_key=True)
    jobs: Mapped[int]
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime)

    @property
    def stale(self) -> bool:
        """Whether the clock has not looked for so long that nobody knows: it is gone, or Redis does not answer."""
        return self.seen_at < now() - SILENT_AFTER


def take(
    tx: Transaction, name: str, every: timedelta, slot: datetime, lease: timedelta, *, overlapping: bool = False
) -> bool:
    """Take a scan for one slot, by compare-and-set. False if the slot was done, or another holds the scan.

    `overlapping`: whoever holds it keeps nobody out.

    A slot done more than a period ahead was done by a clock that was wrong, and does not count.
    """
    _ensure_row(tx, name, every)
    wrong_clock = ScanRecord.last_slot > now() + every
    undone = or_(ScanRecord.last_slot.is_(None), ScanRecord.last_slot < slot, wrong_clock)
    free = or_(ScanRecord.running_until.is_(None), ScanRecord.running_until <= now())
    return _begin(tx, name, slot, lease, undone if overlapping else undone & free)


def start(tx: Transaction, name: str, every: timedelta, lease: timedelta) -> None:
    """Begin a run that a person asked for: it waits for nobody, since every scan may overlap with itself."""
    _ensure_row(tx, name, every)
    _begin(tx, name, now(), lease, ScanRecord.name == name)


def finish(tx: Transaction, name: str, figures: dict[str, int] | None, error: str | None) -> None:
    """Leave the figures of a run that ended, or the name of the error that ended it."""
    tx.session.execute(
        update(ScanRecord)
        .where(ScanRecord.name == name)
        .values(running_until=None, finished_at=now(), figures=figures, error=error)
    )


def beat(tx: Transaction, name: str, role: str, queues: str, started_at: datetime) -> None:
    """Say that this process lives, and forget processes silent for a day."""
    alive = update(Heartbeat).where(Heartbeat.name == name).values(beat_at=now(), queues=queues)
    if tx.session.execute(alive.returning(Heartbeat.name)).first() is None:
        tx.session.execute(
            insert(Heartbeat).values(name=name, role=role, queues=queues, started_at=started_at, beat_at=now())
        )
        tx.session.execute(delete(Heartbeat).where(Heartbeat.beat_at < now() - FORGOTTEN_AFTER))


def stop(tx: Transaction, name: str) -> None:
    """Say goodbye: a process that ended in order is not a silent one."""
    tx.session.execute(delete(Heartbeat).where(Heartbeat.name == name))


def note_depths(tx: Transaction, jobs: Mapping[str, int]) -> None:
    """Leave how many jobs stand in each queue."""
    rows = [{"queue": queue, "jobs": number, "seen_at": now()} for queue, number in jobs.items()]
    new = tx.insert(QueueDepth)
    seen = {"jobs": new.excluded.jobs, "seen_at": new.excluded.seen_at}
    tx.execute(new.on_conflict_do_update(index_elements=["queue"], set_=seen), rows)


def depths() -> dict[str, QueueDepth]:
    """What the clock last saw of each queue, by its name."""
    return {depth.queue: depth for depth in db.session.scalars(select(QueueDepth))}


def scans() -> dict[str, ScanRecord]:
    """Every scan that ever ran, by name."""
    return {record.name: record for record in db.session.scalars(select(ScanRecord))}


def living(*roles: str) -> list[Heartbeat]:
    """The processes of these roles that spoke lately."""
    heard = Heartbeat.role.in_(roles) & (Heartbeat.beat_at >= now() - SILENT_AFTER)
    return list(db.session.scalars(select(Heartbeat).where(heard).order_by(Heartbeat.name)))


def _ensure_row(tx: Transaction, name: str, every: timedelta) -> None:
    seconds = int(every.total_seconds())
    known = update(ScanRecord).where(ScanRecord.name == name).values(every_seconds=seconds)
    if tx.session.execute(known.returning(ScanRecord.name)).first() is None:
        tx.session.execute(tx.insert(ScanRecord).values(name=name, every_seconds=seconds).on_conflict_do_nothing())


def _begin(tx: Transaction, name: str, slot: datetime, lease: timedelta, guard: ColumnElement[bool]) -> bool:
    began = (
        update(ScanRecord)
        .where(ScanRecord.name == name, guard)
        .values(last_slot=slot, running_until=now() + lease, started_at=now(), finished_at=None, error=None)
    )
    return tx.session.execute(began.returning(ScanRecord.name)).first() is not None
