"""Announcements, what they say in each language, and how far each has been told."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.columns import Base, BigInt, UtcDateTime


class Phase(StrEnum):
    """Where an announcement stands. One that is to be published later is a draft until then."""

    DRAFT = "draft"
    PUBLISHED = "published"
    ARCHIVED = "archived"


class Audience(StrEnum):
    """To whom it is announced, by what they may do on the platform."""

    EVERYONE = "everyone"
    STAFF = "staff"
    MEMBERS = "members"


class Announcement(Base):
    """`fallback`: the language that those get whose own is not written; None: they are not told.

    `revision` rises with every change of what is written or of when it is published: who meant to change a draft did
    not mean what everybody sees. `edition` rises when it is told anew: what is still owed of an earlier one is not sent
    any more.
    """

    __tablename__ = "announcement"
    __table_args__ = (
        CheckConstraint("phase IN ('draft', 'published', 'archived')", name="phase"),
        CheckConstraint("audience IN ('everyone', 'staff', 'members')", name="audience"),
        CheckConstraint("fallback IN ('ja', 'en')", name="fallback"),
        UniqueConstraint("created_by", "request_id"),
    )

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    phase: Mapped[str] = mapped_column(String(10))
    audience: Mapped[str] = mapped_column(String(10))
    fallback: Mapped[str | None] = mapped_column(String(2))
    revision: Mapped[int] = mapped_column(default=1)
    edition: Mapped[int] = mapped_column(default=1)
    created_by: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    publish_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    published_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    edited_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    """When what readers had seen already was changed."""
    archived_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    request_id: Mapped[str] = mapped_column(String(43))
    sent_hash: Mapped[str] = mapped_column(String(64))


class AnnouncementText(Base):
    """What an announcement says in one language."""

    __tablename__ = "announcement_text"
    __table_args__ = (CheckConstraint("language IN ('ja', 'en')", name="language"),)

    announcement_id: Mapped[int] = mapped_column(BigInt, ForeignKey("announcement.id"), primary_key=True)
    language: Mapped[str] = mapped_column(String(2), primary_key=True)
    title: Mapped[str] = mapped_column(String(100))
    body: Mapped[str] = mapped_column(String(4000))


class FanOut(Base):
    """How far one edition has been told: to the accounts up to `cursor`, by their ids, of those up to `last_id`.

    `cursor` and the counts move in the transaction that tells a chunk. `lease_token` is whose turn it is, as long as
    `lease_until` has not passed. `skipped`: accounts whose rows the database refuses. `stopped_at`: it is not told any
    more, because the announcement was archived or is told anew, and nothing of it waits any longer.
    """

    __tablename__ = "fan_out"

    announcement_id: Mapped[int] = mapped_column(BigInt, ForeignKey("announcement.id"), primary_key=True)
    edition: Mapped[int] = mapped_column(primary_key=True)
    cursor: Mapped[int] = mapped_column(BigInt, default=0)
    last_id: Mapped[int] = mapped_column(BigInt)
    notified: Mapped[int] = mapped_column(default=0)
    skipped: Mapped[int] = mapped_column(default=0)
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    lease_token: Mapped[str | None] = mapped_column(String(32))
    lease_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    stopped_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
