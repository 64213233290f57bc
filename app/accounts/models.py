"""The account: one person who may sign in, be told something, or both."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, String
from sqlalchemy.orm import Mapped, mapped_column

from app.columns import Base, BigInt, UtcDateTime


class Role(StrEnum):
    """What an account may do on the platform as a whole."""

    ADMIN = "admin"
    STAFF = "staff"
    MEMBER = "member"


STAFF = frozenset({Role.ADMIN, Role.STAFF})
"""Platform staff: who may see what is not their own."""


class Account(Base):
    """`email` is lower case and unique; without a `password_hash` nobody can sign in as this account."""

    __tablename__ = "account"
    __table_args__ = (
        CheckConstraint("role IN ('admin', 'staff', 'member')", name="role"),
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
