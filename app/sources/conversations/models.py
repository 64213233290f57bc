"""What customers ask stores, and what accounts tell each other."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.columns import Base, BigInt, UtcDateTime


class Side(StrEnum):
    """For whom somebody speaks in an inquiry."""

    ASKER = "asker"
    STORE = "store"


class Inquiry(Base):
    """What somebody asks a store. `request_id` is that of the form, which opens one, however often it is sent."""

    __tablename__ = "inquiry"
    __table_args__ = (
        UniqueConstraint("opened_by", "request_id"),
        Index("ix_inquiry_store", "store_id", "last_message_at", "id"),
    )

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    store_id: Mapped[int] = mapped_column(BigInt, ForeignKey("store.id"))
    opened_by: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"))
    request_id: Mapped[str] = mapped_column(String(43))
    sent_hash: Mapped[str | None] = mapped_column(String(64))
    subject: Mapped[str] = mapped_column(String(100))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    last_message_at: Mapped[datetime] = mapped_column(UtcDateTime)
    closed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class InquiryAsker(Base):
    """One account that asks. Whoever opened the inquiry stays one of them."""

    __tablename__ = "inquiry_asker"
    __table_args__ = (Index("ix_inquiry_asker_account", "account_id"),)

    inquiry_id: Mapped[int] = mapped_column(BigInt, ForeignKey("inquiry.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"), primary_key=True)
    since: Mapped[datetime] = mapped_column(UtcDateTime)


class Message:
    """What inquiries and conversations have in common: one thing that somebody wrote.

    Deleted softly: the row stays where it stood, and nobody sees its text again.
    """

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    author_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"))
    request_id: Mapped[str] = mapped_column(String(43))
    sent_hash: Mapped[str | None] = mapped_column(String(64))
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class InquiryMessage(Message, Base):
    """One message of an inquiry. `side` is the one that its author spoke for then, whatever they are today."""

    __tablename__ = "inquiry_message"
    __table_args__ = (
        CheckConstraint("side IN ('asker', 'store')", name="side"),
        UniqueConstraint("author_id", "request_id"),
        Index("ix_inquiry_message_inquiry", "inquiry_id", "id"),
    )

    inquiry_id: Mapped[int] = mapped_column(BigInt, ForeignKey("inquiry.id"))
    side: Mapped[str] = mapped_column(String(10))


class InquiryMention(Base):
    """Somebody of the platform's staff whom a message calls in. It counts until that message is deleted."""

    __tablename__ = "inquiry_mention"
    __table_args__ = (Index("ix_inquiry_mention_account", "account_id"),)

    message_id: Mapped[int] = mapped_column(BigInt, ForeignKey("inquiry_message.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"), primary_key=True)


class Conversation(Base):
    """What several accounts tell each other in private."""

    __tablename__ = "conversation"
    __table_args__ = (UniqueConstraint("started_by", "request_id"),)

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    started_by: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"))
    request_id: Mapped[str] = mapped_column(String(43))
    sent_hash: Mapped[str | None] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    last_message_at: Mapped[datetime] = mapped_column(UtcDateTime)


class ConversationMember(Base):
    """Somebody who takes part; whoever leaves has no row any more. `accepts`: whether they want to be told."""

    __tablename__ = "conversation_member"
    __table_args__ = (Index("ix_conversation_member_account", "account_id"),)

    conversation_id: Mapped[int] = mapped_column(BigInt, ForeignKey("conversation.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"), primary_key=True)
    since: Mapped[datetime] = mapped_column(UtcDateTime)
    accepts: Mapped[bool] = mapped_column(default=True)


class ConversationMessage(Message, Base):
    """One message of a conversation."""

    __tablename__ = "conversation_message"
    __table_args__ = (
        UniqueConstraint("author_id", "request_id"),
        Index("ix_conversation_message_conversation", "conversation_id", "id"),
    )

    conversation_id: Mapped[int] = mapped_column(BigInt, ForeignKey("conversation.id"))
