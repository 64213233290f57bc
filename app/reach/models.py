"""LINE links, which say which LINE user an account is, and LINE groups."""

import re
from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, String
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
