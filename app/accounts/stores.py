"""The store that a membership is of. Stands here because several sources speak of stores and none imports another."""

from datetime import datetime

from sqlalchemy import Index, String, select
from sqlalchemy.orm import Mapped, mapped_column

from app.columns import Base, BigInt, UtcDateTime
from app.extensions import db


class Store(Base):
    """A shop or service counter. An archived one is closed: nothing new happens there, and nothing of it is told.

    `address`, `phone` and `hours` are empty until somebody sets them up. `request_id` is that of the form that made it.
    """

    __tablename__ = "store"
    __table_args__ = (Index("ix_store_request_id", "request_id", unique=True),)

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    address: Mapped[str] = mapped_column(String(200), default="")
    phone: Mapped[str] = mapped_column(String(40), default="")
    hours: Mapped[str] = mapped_column(String(500), default="")
    request_id: Mapped[str | None] = mapped_column(String(43))
    sent_hash: Mapped[str | None] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    archived_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


def open_stores() -> dict[int, str]:
    """The names of the stores that are not archived, by their ids, in the order of their names."""
    rows = db.session.execute(
        select(Store.id, Store.name).where(Store.archived_at.is_(None)).order_by(Store.name, Store.id)
    )
    return dict(rows.all())
