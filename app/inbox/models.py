"""The row of an inbox."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.columns import Base, BigInt, UtcDateTime

_WAITING = "read_at IS NULL AND archived_at IS NULL"


class Notification(Base):
    """One thing that concerns one account; `event_key` makes it once-only.

    It holds no text: title and body are rendered from the subject as the account may read it at that moment.
    """

    __tablename__ = "notification"
    __table_args__ = (
        UniqueConstraint("account_id", "event_key"),
        Index("ix_notification_box", "account_id", "created_at", "id"),
        Index("ix_notification_unread", "account_id", "created_at", "id",
              sqlite_where=text(_WAITING), postgresql_where=text(_WAITING)),
        Index("ix_notification_archived", "account_id", "created_at", "id",
              sqlite_where=text("archived_at IS NOT NULL"), postgresql_where=text("archived_at IS NOT NULL")),
        Index("ix_notification_subject", "subject_type", "subject_id"),
    )  # fmt: skip

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"))
    event_key: Mapped[str] = mapped_column(String(120))
    kind: Mapped[str] = mapped_column(String(40))
    subject_type: Mapped[str] = mapped_column(String(40))
    subject_id: Mapped[int] = mapped_column(BigInt)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    read_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    archived_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
