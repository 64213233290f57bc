"""Bulk retries, and each delivery that belongs to one."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, String, UniqueConstraint, literal_column, text
from sqlalchemy.orm import Mapped, mapped_column

from app.columns import Base, BigInt, UtcDateTime
from app.operations.why import LONGEST


class ItemState(StrEnum):
    """What has become of one delivery of a bulk retry."""

    WAITING = "waiting"
    """Its turn has not come."""
    RELEASED = "released"
    """It was retried; how it stands since then, the delivery says."""
    SKIPPED = "skipped"
    """It was not retried; `why` says why."""


class BulkRetry(Base):
    """Many failed deliveries that somebody wanted to be retried, so many a minute.

    `asked`: the filter as it was chosen, for words on a page; it holds no term that somebody searched for, which may be
    a name. `total` counts the items, `released` and `skipped` those that wait no more. Until `released_until` the rate
    is used up. `finished_at`: nothing waits any more, be it that it was stopped; `stopped_by` is
    None where nobody did, and its maker may retry nothing any more.
    """

    __tablename__ = "bulk_retry"
    __table_args__ = (UniqueConstraint("made_by", "request_id"),)

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    made_by: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"))
    request_id: Mapped[str] = mapped_column(String(43))
    sent_hash: Mapped[str] = mapped_column(String(64))
    made_at: Mapped[datetime] = mapped_column(UtcDateTime)
    why: Mapped[str] = mapped_column(String(LONGEST))
    asked: Mapped[dict[str, str | int]] = mapped_column(JSON)
    rate: Mapped[int]
    with_doubles: Mapped[bool]
    total: Mapped[int] = mapped_column(default=0)
    released: Mapped[int] = mapped_column(default=0)
    skipped: Mapped[int] = mapped_column(default=0)
    released_until: Mapped[datetime] = mapped_column(UtcDateTime)
    stopped_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    stopped_by: Mapped[int | None] = mapped_column(BigInt, ForeignKey("account.id"))
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class BulkRetryItem(Base):
    """One delivery of a bulk retry. `seen_attempts`: its tries when the set was frozen; with another number it has
    moved on."""

    __tablename__ = "bulk_retry_item"
    __table_args__ = (
        CheckConstraint("state IN ({})".format(", ".join(f"'{state}'" for state in ItemState)), name="state"),
        # No delivery waits in two: of two who freeze the same set at once, each delivery is the one's or the other's.
        Index(
            "uq_bulk_retry_item_waiting",
            "delivery_id",
            unique=True,
            sqlite_where=text("state = 'waiting'"),
            postgresql_where=text("state = 'waiting'"),
        ),
        Index("ix_bulk_retry_item_state", "bulk_retry_id", "state", "delivery_id"),
    )

    bulk_retry_id: Mapped[int] = mapped_column(BigInt, ForeignKey("bulk_retry.id"), primary_key=True)
    delivery_id: Mapped[int] = mapped_column(BigInt, ForeignKey("delivery.id"), primary_key=True)
    seen_attempts: Mapped[int]
    state: Mapped[str] = mapped_column(String(10))
    why: Mapped[str | None] = mapped_column(String(20))
    acted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


WAITS = BulkRetryItem.state == literal_column(f"'{ItemState.WAITING}'")
"""SQL: its turn has not come. As the index of those has it, for SQLite to know that index again."""
