"""Who reads and who is told: asked of the database at the moment it matters."""

from sqlalchemy import BigInteger, ColumnElement, SQLColumnExpression, and_, literal, or_, select
from sqlalchemy.orm import aliased

from app.accounts.memberships import works_for
from app.accounts.models import STAFF, Account
from app.accounts.stores import Store
from app.columns import there_is
from app.extensions import db
from app.sources.conversations.models import (
    ConversationMember,
    Inquiry,
    InquiryAsker,
    InquiryMention,
    InquiryMessage,
    Side,
)  # fmt: skip

Id = SQLColumnExpression[int]


def may_read_inquiry(account_id: Id, inquiry_id: Id) -> ColumnElement[bool]:
    """SQL: its askers, the people of its store while that is open, and the platform's staff who were called in."""
    return or_(
        _asks(account_id, inquiry_id), _works_there(account_id, inquiry_id), _was_called_in(account_id, inquiry_id)
    )


def is_member(account_id: Id, conversation_id: Id) -> ColumnElement[bool]:
    """SQL: whether this account takes part in the conversation now."""
    part = (ConversationMember.conversation_id == conversation_id) & (ConversationMember.account_id == account_id)
    return there_is(ConversationMember, where=part)


def side_of(account_id: int, inquiry_id: int) -> Side | None:
    """For whom this account speaks in an inquiry now; None when it may not write there."""
    who, where = literal(account_id, BigInteger), literal(inquiry_id, BigInteger)
    asks, works = db.session.execute(select(_asks(who, where), _works_there(who, where))).one()
    if asks:
        return Side.ASKER
    return Side.STORE if works else None


def askers(inquiry_id: int) -> list[int]:
    """The accounts that ask."""
    return list(db.session.scalars(select(InquiryAsker.account_id).where(InquiryAsker.inquiry_id == inquiry_id)))


def called_in(inquiry_id: int) -> list[int]:
    """The platform's staff who were mentioned in an inquiry and still have that role."""
    rows = select(Account.id).where(_was_called_in(Account.id, literal(inquiry_id, BigInteger)))
    return list(db.session.scalars(rows.order_by(Account.id)))


def accepting(conversation_id: int) -> list[int]:
    """The members of a conversation who accept messages."""
    wanting = (ConversationMember.conversation_id == conversation_id) & ConversationMember.accepts
    return list(db.session.scalars(select(ConversationMember.account_id).where(wanting)))


def _asks(account_id: Id, inquiry_id: Id) -> ColumnElement[bool]:
    part = (InquiryAsker.inquiry_id == inquiry_id) & (InquiryAsker.account_id == account_id)
    return there_is(InquiryAsker, where=part)


def _works_there(account_id: Id, inquiry_id: Id) -> ColumnElement[bool]:
    asked = aliased(Inquiry)
    open_store = (Store.id == asked.store_id) & Store.archived_at.is_(None)
    works = works_for(account_id, asked.store_id)
    return there_is(asked, Store, where=and_(asked.id == inquiry_id, open_store, works))


def _was_called_in(account_id: Id, inquiry_id: Id) -> ColumnElement[bool]:
    message, person = aliased(InquiryMessage), aliased(Account)
    mentioned = and_(
        InquiryMention.account_id == account_id,
        InquiryMention.message_id == message.id,
        message.inquiry_id == inquiry_id,
        message.deleted_at.is_(None),
        person.id == InquiryMention.account_id,
        person.role.in_(STAFF),
    )
    return there_is(InquiryMention, message, person, where=mentioned)
