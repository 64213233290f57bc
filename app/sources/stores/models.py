"""The faults that are reported at a store, and what people say to a report."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.columns import Base, BigInt, UtcDateTime


class Report(Base):
    """A fault that somebody found at a store. `resolutions` counts how often it was resolved; the form makes it once.

    It is open until `resolved_at` is set, which reopening takes back. Deleting is soft, and for good.
    """

    __tablename__ = "report"
    __table_args__ = (
        UniqueConstraint("reporter_id", "request_id"),
        Index("ix_report_store", "store_id", "id"),
        Index("ix_report_reporter", "reporter_id", "id"),
    )

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    store_id: Mapped[int] = mapped_column(BigInt, ForeignKey("store.id"))
    reporter_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"))
    title: Mapped[str] = mapped_column(String(100))
    description: Mapped[str] = mapped_column(String(2000))
    request_id: Mapped[str] = mapped_column(String(43))
    sent_hash: Mapped[str | None] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    resolved_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    resolutions: Mapped[int] = mapped_column(default=0)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Saying(StrEnum):
    """What a reaction says."""

    ME_TOO = "me_too"
    SOLVED = "solved"


class Reaction(Base):
    """One account's word on a report. Taken back it keeps its row, so that saying it again is no second event."""

    __tablename__ = "reaction"
    __table_args__ = (
        UniqueConstraint("report_id", "account_id", "says"),
        CheckConstraint("says IN ('me_too', 'solved')", name="says"),
    )

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    report_id: Mapped[int] = mapped_column(BigInt, ForeignKey("report.id"))
    account_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"))
    says: Mapped[str] = mapped_column(String(10))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    taken_back_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
