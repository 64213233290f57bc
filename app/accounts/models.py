"""The account: one person who may sign in, be told something, or both; and what lets that person in."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from app.columns import Base, BigInt, UtcDateTime


class Role(StrEnum):
    """What an account may do on the platform as a whole."""

    ADMIN = "admin"
    STAFF = "staff"
    MEMBER = "member"
    GUEST = "guest"
    """Without an e-mail address: somebody who is known by one browser alone."""


NAMED = (Role.ADMIN, Role.STAFF, Role.MEMBER)
"""The roles that may be given: of whoever has an account of their own."""

STAFF = frozenset({Role.ADMIN, Role.STAFF})
"""Platform staff: who may see what is not their own."""


class Account(Base):
    """`email` is lower case and unique; a guest's is none. Nobody signs in as an account without a `password_hash`.

    Not `active` means suspended. One that was deleted stays as an empty row, for what refers to it: not active, without
    a name, its e-mail address replaced by one that is none.
    """

    __tablename__ = "account"
    __table_args__ = (
        CheckConstraint("role IN ('admin', 'staff', 'member', 'guest')", name="role"),
        CheckConstraint("language IN ('ja', 'en')", name="language"),
    )

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    email: Mapped[str] = mapped_column(String(254), unique=True)
    name: Mapped[str] = mapped_column(String(100))
    role: Mapped[str] = mapped_column(String(10))
    language: Mapped[str] = mapped_column(String(2))
    password_hash: Mapped[str | None] = mapped_column(String(200))
    active: Mapped[bool] = mapped_column(default=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Invitation(Base):
    """A link by which one person sets a password, once. Of several, the newest is good.

    The token is kept nowhere: our signing key makes it of the salt. An id is never given again, for deliveries keep it.
    """

    __tablename__ = "invitation"
    __table_args__ = (Index("ix_invitation_account", "account_id", "id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)
    used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    created_by: Mapped[int | None] = mapped_column(BigInt, ForeignKey("account.id"))
    """The account that made it; None for the command line."""
    salt: Mapped[str | None] = mapped_column(String(32))
    """None for those of before: their tokens were random, and cannot be made again."""


class BrowserSession(Base):
    """One browser that is signed in, until the row is deleted: a copy of its cookie then opens nothing either."""

    __tablename__ = "browser_session"
    __table_args__ = (Index("ix_browser_session_account", "account_id", "seen_at"),)

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    browser: Mapped[str] = mapped_column(String(60))
    """What kind of browser it is, for its owner to tell two apart; empty when it does not say."""
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime)
    """To the hour."""
    browser_hash: Mapped[str | None] = mapped_column(String(64))
    """What devices know this browser by (`device.browser_hash`), once it has that cookie."""
