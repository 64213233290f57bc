"""What was written, as its readers see it: plain values, and no text of a deleted message."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.accounts.models import Account
from app.extensions import db
from app.names import called
from app.sources.conversations.models import ConversationMessage, InquiryMention, InquiryMessage, Side

MESSAGES_PER_PAGE = 100


@dataclass(frozen=True, slots=True)
class Line:
    """One message. `text` is None once it was deleted; `side` is None in a conversation."""

    id: int
    author_id: int
    author: str
    text: str | None
    at: datetime
    side: Side | None
    mentions: Sequence[str]


@dataclass(frozen=True, slots=True)
class Lines:
    """Some messages, oldest first. `before` leads to those before them; None when these are the first."""

    lines: Sequence[Line]
    before: int | None


def lines_of_inquiry(inquiry_id: int, before: int | None) -> Lines:
    """The last messages of an inquiry, or the last before that one."""
    rows = (
        select(InquiryMessage, Account.name)
        .join(Account, Account.id == InquiryMessage.author_id)
        .where(InquiryMessage.inquiry_id == inquiry_id)
        .order_by(InquiryMessage.id.desc())
    )
    if before is not None:
        rows = rows.where(InquiryMessage.id < before)
    found = list(db.session.execute(rows.limit(MESSAGES_PER_PAGE + 1)).all())
    mentions = _mentions([message.id for message, _name in found])
    return _lines(
        [_line(message, called(name), Side(message.side), mentions.get(message.id, ())) for message, name in found]
    )


def lines_of_conversation(conversation_id: int, before: int | None) -> Lines:
    """The last messages of a conversation, or the last before that one."""
    rows = (
        select(ConversationMessage, Account.name)
        .join(Account, Account.id == ConversationMessage.author_id)
        .where(ConversationMessage.conversation_id == conversation_id)
        .order_by(ConversationMessage.id.desc())
    )
    if before is not None:
        rows = rows.where(ConversationMessage.id < before)
    found = db.session.execute(rows.limit(MESSAGES_PER_PAGE + 1))
    return _lines([_line(message, called(name), None, ()) for message, name in found])


def _lines(newest_first: Sequence[Line]) -> Lines:
    shown = newest_first[:MESSAGES_PER_PAGE]
    before = shown[-1].id if len(newest_first) > MESSAGES_PER_PAGE else None
    return Lines(shown[::-1], before)


def _line(
    message: InquiryMessage | ConversationMessage, author: str, side: Side | None, mentions: Sequence[str]
) -> Line:
    deleted = message.deleted_at is not None
    text, named = (None, ()) if deleted else (message.text, mentions)
    return Line(message.id, message.author_id, author, text, message.created_at, side, named)


def _mentions(message_ids: Sequence[int]) -> Mapping[int, Sequence[str]]:
    rows = db.session.execute(
        select(InquiryMention.message_id, Account.name)
        .join(Account, Account.id == InquiryMention.account_id)
        .where(InquiryMention.message_id.in_(message_ids))
        .order_by(Account.name)
    )
    named: dict[int, list[str]] = {}
    for message_id, name in rows:
        named.setdefault(message_id, []).append(called(name))
    return named
