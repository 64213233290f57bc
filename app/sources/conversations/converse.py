"""Private conversations: starting one, writing into it, and each member's own part."""

from collections.abc import Collection

from flask_babel import gettext as _
from sqlalchemy import ColumnElement, delete, insert, select, update

from app.accounts.known import hold_active
from app.clock import now
from app.faults import Fault, InvalidInput
from app.inbox.notify import Event, notify
from app.names import without_edges
from app.once import make_once
from app.sources.conversations.audience import accepting
from app.sources.conversations.kinds import CONVERSATION_MESSAGE, CONVERSATION_SUBJECT
from app.sources.conversations.models import Conversation, ConversationMember, ConversationMessage
from app.sources.conversations.texts import faults_of_message
from app.transaction import Transaction

MOST_MEMBERS = 20
"""In one conversation, whoever starts it included."""


class NotAMemberError(LookupError):
    """There is no such conversation that this account takes part in."""


def start(tx: Transaction, account_id: int, emails: Collection[str], text: str, request_id: str) -> int:
    """Begin a conversation with its first message, once for each `request_id`; its id.

    Raises InvalidInput with every fault, also for a form that was sent before with something else in it, and
    NoSuchAccountError for whoever begins it.
    """
    text = without_edges(text)
    others = _others(tx, account_id, emails, faults_of_message(text))
    at = now()
    form = {"started_by": account_id, "request_id": request_id}
    made = make_once(tx, Conversation, form, [sorted(others), text], created_at=at, last_message_at=at)
    if made.again:
        return made.id
    members = [account_id, *others]
    rows = [{"conversation_id": made.id, "account_id": one, "since": at, "accepts": True} for one in members]
    tx.session.execute(insert(ConversationMember), rows)
    _say(tx, account_id, made.id, text, request_id)
    return made.id


def say(tx: Transaction, account_id: int, conversation_id: int, text: str, request_id: str) -> int:
    """Write to the others, once for each `request_id`; the message's id. Raises NotAMemberError and InvalidInput."""
    text, members = without_edges(text), _locked_members(tx, conversation_id)
    if account_id not in members:
        raise NotAMemberError(conversation_id)
    faults = faults_of_message(text)
    if len(members) == 1:
        faults.append(Fault("text", _("Everybody else has left, so nobody would read this.")))
    if faults:
        raise InvalidInput(*faults)
    return _say(tx, account_id, conversation_id, text, request_id)


def delete_message(tx: Transaction, account_id: int, conversation_id: int, message_id: int) -> bool:
    """Take back one's own message; False when there is none of theirs."""
    own = (ConversationMessage.conversation_id == conversation_id) & (ConversationMessage.author_id == account_id)
    one = select(ConversationMessage).where(own, ConversationMessage.id == message_id)
    found = tx.session.scalar(one.with_for_update())
    if found is None:
        return False
    found.deleted_at = found.deleted_at or now()
    return True


def set_accepting(tx: Transaction, account_id: int, conversation_id: int, accepts: bool) -> bool:
    """Whether this member wants to be told of what the others write; False when it is no member."""
    chosen = update(ConversationMember).where(_part(account_id, conversation_id)).values(accepts=accepts)
    return tx.session.scalar(chosen.returning(ConversationMember.account_id)) is not None


def leave(tx: Transaction, account_id: int, conversation_id: int) -> bool:
    """End one's part: nothing of it can be read or is told any more. False when there was none."""
    left = delete(ConversationMember).where(_part(account_id, conversation_id))
    return tx.session.scalar(left.returning(ConversationMember.account_id)) is not None


def _others(tx: Transaction, account_id: int, emails: Collection[str], faults: list[Fault]) -> list[int]:
    if len(set(emails)) > MOST_MEMBERS:
        raise InvalidInput(_too_many(), *faults)
    try:
        others = [one.id for one in hold_active(tx, emails, "emails", by=account_id) if one.id != account_id]
    except InvalidInput as error:
        raise InvalidInput(*error.faults, *faults) from error
    if not others:
        faults.append(Fault("emails", _("Enter the e-mail address of at least one other account.")))
    if len(others) >= MOST_MEMBERS:
        faults.append(_too_many())
    if faults:
        raise InvalidInput(*faults)
    return others


def _too_many() -> Fault:
    return Fault("emails", _("Choose at most %(number)d others.", number=MOST_MEMBERS - 1))


def _say(tx: Transaction, author_id: int, conversation_id: int, text: str, request_id: str) -> int:
    at = now()
    form = {"author_id": author_id, "request_id": request_id}
    sent = [conversation_id, text]
    made = make_once(tx, ConversationMessage, form, sent, conversation_id=conversation_id, text=text, created_at=at)
    if made.again:
        return made.id
    tx.session.execute(update(Conversation).where(Conversation.id == conversation_id).values(last_message_at=at))
    event = Event(CONVERSATION_MESSAGE, f"{CONVERSATION_SUBJECT}:{made.id}", CONVERSATION_SUBJECT, made.id, author_id)
    notify(tx, event, accepting(conversation_id))
    return made.id


def _locked_members(tx: Transaction, conversation_id: int) -> set[int]:
    # Of two at once, one leaving and one writing, the second finds the members as the first left them.
    rows = select(ConversationMember.account_id).where(ConversationMember.conversation_id == conversation_id)
    return set(tx.session.scalars(rows.order_by(ConversationMember.account_id).with_for_update()))


def _part(account_id: int, conversation_id: int) -> ColumnElement[bool]:
    return (ConversationMember.conversation_id == conversation_id) & (ConversationMember.account_id == account_id)
