"""Something that the operators should know, from when it began until it was over."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from app.columns import Base, BigInt, UtcDateTime

_OPEN = text("ended_at IS NULL")


class Sort(StrEnum):
    """What may be wrong."""

    FAILURE = "failure"
    TRIES_EXHAUSTED = "tries_exhausted"
    SCAN_SILENT = "scan_silent"
    WORKERS_SILENT = "workers_silent"
    GATE_CLOSED = "gate_closed"


class Alert(Base):
    """`about` says which: the failure code, the scan or the gate; empty where there is but one.

    `number` counts deliveries. Of each there is at most one that is not over.
    """

    __tablename__ = "alert"
    __table_args__ = (
        Index("uq_alert_open", "sort", "about", unique=True, sqlite_where=_OPEN, postgresql_where=_OPEN),
    )  # fmt: skip

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    sort: Mapped[str] = mapped_column(String(20))
    about: Mapped[str] = mapped_column(String(300))
    number: Mapped[int]
    began_at: Mapped[datetime] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
