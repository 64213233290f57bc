"""The addresses: LINE links and groups, and devices; and what people chose about being reached."""

import re
from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from app.columns import Base, BigInt, UtcDateTime

LINE_USER_ID = re.compile(r"U[0-9a-f]{32}")
"""The form of a user id (LINE Messaging API reference, `destination`)."""

LINE_GROUP_ID = re.compile(r"[CR][0-9a-f]{32}")
"""The form of a group's or room's id, as webhooks give it."""


class LineGroup(Base):
    """A LINE group (or room) that our LINE account is a member of. `language` is what it is written to in."""

    __tablename__ = "line_group"
    __table_args__ = (CheckConstraint("language IN ('ja', 'en')", name="language"),)

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    line_group_id: Mapped[str] = mapped_column(String(33), unique=True)
    name: Mapped[str] = mapped_column(String(100))
    language: Mapped[str] = mapped_column(String(2))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class LineLink(Base):
    """At most one per account, and no LINE user is linked twice. `enabled` is the person's own switch."""

    __tablename__ = "line_link"

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"), unique=True)
    line_user_id: Mapped[str] = mapped_column(String(33), unique=True)
    enabled: Mapped[bool] = mapped_column(default=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Device(Base):
    """A browser that agreed to pushes; it belongs to the account that registered it last.

    `endpoint` is a capability: whoever has it can push, so it is shown and logged nowhere. `endpoint_hash` makes it
    unique, for an endpoint may be too long to be indexed. `vapid_key` is the public key that it was made for.
    `browser_hash` is the digest of a cookie: the server knows by it which device a request comes from. `gate_key` names
    its push service, whose failures it shares. An id is never
    given again, or what is still owed to a removed device could go to the next one.
    """

    __tablename__ = "device"
    __table_args__ = (
        CheckConstraint("language IN ('ja', 'en')", name="language"),
        Index("ix_device_account", "account_id"),
        Index("ix_device_gate", "gate_key"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"))
    endpoint: Mapped[str] = mapped_column(String(2048))
    endpoint_hash: Mapped[str] = mapped_column(String(64), unique=True)
    p256dh: Mapped[str] = mapped_column(String(100))
    auth: Mapped[str] = mapped_column(String(30))
    vapid_key: Mapped[str] = mapped_column(String(90))
    gate_key: Mapped[str] = mapped_column(String(300))
    browser_hash: Mapped[str | None] = mapped_column(String(64), unique=True)
    name: Mapped[str] = mapped_column(String(100))
    language: Mapped[str] = mapped_column(String(2))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    last_success_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    last_failure_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    last_failure_code: Mapped[str | None] = mapped_column(String(40))


class Preference(Base):
    """What somebody chose for one category on one channel; without a row the channel's own default holds."""

    __tablename__ = "preference"

    account_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"), primary_key=True)
    category: Mapped[str] = mapped_column(String(40), primary_key=True)
    channel: Mapped[str] = mapped_column(String(20), primary_key=True)
    enabled: Mapped[bool]


class QuietHours(Base):
    """When somebody wants no push and no LINE message: from one minute of the day to another, in TIMEZONE."""

    __tablename__ = "quiet_hours"
    __table_args__ = (CheckConstraint("starts_at_minute BETWEEN 0 AND 1439", name="starts"),
                      CheckConstraint("ends_at_minute BETWEEN 0 AND 1439", name="ends"),
                      CheckConstraint("starts_at_minute <> ends_at_minute", name="some"))  # fmt: skip

    account_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"), primary_key=True)
    starts_at_minute: Mapped[int]
    ends_at_minute: Mapped[int]
