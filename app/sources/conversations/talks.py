"""The conversations that an account takes part in."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, select, tuple_

from app.accounts.models import Account
from app.extensions import db
from app.names import called
from app.sources.conversations.models import Conversation, ConversationMember


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation. `others` are its other members by name; `accepts`: whether its reader is told of messages."""

    id: int
    others: Sequence[str]
    accepts: bool
    last_message_at: datetime


def talks(account_id: int, after: tuple[datetime, int] | None, size: int) -> Sequence[Talk]:
    """Theirs, the last written to first, from just after (last message, id)."""
    rows = _theirs(account_id).order_by(Conversation.last_message_at.desc(), Conversation.id.desc())
    if after is not None:
        rows = rows.where(tuple_(Conversation.last_message_at, Conversation.id) < tuple_(*after))
    return _talks(account_id, rows.limit(size))


def talk(account_id: int, conversation_id: int) -> Talk | None:
    """One of them; None if there is none that this account takes part in."""
    return next(iter(_talks(account_id, _theirs(account_id).where(Conversation.id == conversation_id))), None)


_Rows = Select[int, datetime, bool]


def _theirs(account_id: int) -> _Rows:
    return (
        select(Conversation.id, Conversation.last_message_at, ConversationMember.accepts)
        .join(ConversationMember, ConversationMember.conversation_id == Conversation.id)
        .where(ConversationMember.account_id == account_id)
    )


def _talks(account_id: int, rows: _Rows) -> list[Talk]:
    found = db.session.execute(rows).all()
    others = _others(account_id, [conversation_id for conversation_id, _at, _accepts in found])
    return [Talk(one, others.get(one, ()), accepts, at) for one, at, accepts in found]


def _others(account_id: int, conversation_ids: Collection[int]) -> Mapping[int, Sequence[str]]:
    rows = db.session.execute(
        select(ConversationMember.conversation_id, Account.name)
        .join(Account, Account.id == ConversationMember.account_id)
        .where(ConversationMember.conversation_id.in_(conversation_ids), Account.id != account_id)
        .order_by(Account.name, Account.id)
    )
    named: dict[int, list[str]] = {}
    for conversation_id, name in rows:
        named.setdefault(conversation_id, []).append(called(name))
    return named
