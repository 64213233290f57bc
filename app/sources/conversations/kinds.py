"""The three kinds of this source. All are private: what people write is shown in the inbox alone."""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, SQLColumnExpression, and_, or_, select, tuple_
from sqlalchemy.orm import aliased

from app.accounts.models import Account
from app.accounts.stores import Store
from app.codes import CancelReason
from app.columns import there_is
from app.extensions import db
from app.inbox.kind import NotifyingKind
from app.kinds import Cancel, Description, Due, Send, Verdict
from app.names import called
from app.sources.conversations import messages
from app.sources.conversations.audience import is_member, may_read_inquiry
from app.sources.conversations.messages import Said
from app.sources.conversations.models import ConversationMember, ConversationMessage, Inquiry, InquiryMessage

INQUIRY_MESSAGE, INQUIRY_ANSWER, CONVERSATION_MESSAGE = "inquiry_message", "inquiry_answer", "conversation_message"
INQUIRY_SUBJECT, CONVERSATION_SUBJECT = "inquiry_message", "conversation_message"


class AboutInquiry(NotifyingKind):
    """A message of an inquiry, for whoever may read that inquiry."""

    category = "inquiries"
    private = True

    def readable(
        self, account_id: SQLColumnExpression[int], subject_id: SQLColumnExpression[int]
    ) -> ColumnElement[bool]:
        """Not deleted, and in an inquiry that this account may read."""
        said = aliased(InquiryMessage)
        present = (said.id == subject_id) & said.deleted_at.is_(None)
        return there_is(said, where=present & may_read_inquiry(account_id, said.inquiry_id))

    def matches(self, words: str, subject_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
        """By its text, and by the subject line of its inquiry."""
        said, about = aliased(InquiryMessage), aliased(Inquiry)
        holds = or_(said.text.icontains(words, autoescape=True), about.subject.icontains(words, autoescape=True))
        return there_is(said, about, where=and_(said.id == subject_id, about.id == said.inquiry_id, holds))

    def texts(self, subject_ids: Collection[int]) -> Mapping[int, Description]:
        """The subject line, the store, and who wrote what."""
        rows = db.session.execute(
            select(InquiryMessage.id, Inquiry.id, Store.name, Inquiry.subject, Account.name, InquiryMessage.text)
            .join(Inquiry, Inquiry.id == InquiryMessage.inquiry_id)
            .join(Store, Store.id == Inquiry.store_id)
            .join(Account, Account.id == InquiryMessage.author_id)
            .where(InquiryMessage.id.in_(subject_ids))
        )
        return {said.id: self._description(said) for said in (Said(*row) for row in rows)}

    def over(self, subject_ids: Collection[int]) -> Mapping[int, CancelReason]:
        """Deleted; or of a store that was closed, of which nothing is told any more."""
        rows = db.session.execute(
            select(InquiryMessage.id, InquiryMessage.deleted_at, Store.archived_at, Inquiry.closed_at)
            .join(Inquiry, Inquiry.id == InquiryMessage.inquiry_id)
            .join(Store, Store.id == Inquiry.store_id)
            .where(InquiryMessage.id.in_(subject_ids))
        )
        reasons = {
            message_id: CancelReason.SUBJECT_DELETED if deleted_at else self._settled(archived_at, closed_at)
            for message_id, deleted_at, archived_at, closed_at in rows
        }
        return {message_id: reason for message_id, reason in reasons.items() if reason is not None}

    def _settled(self, archived_at: datetime | None, _closed_at: datetime | None) -> CancelReason | None:
        # An answer is news to its askers also when the store closed the inquiry with it.
        return CancelReason.SUBJECT_RESOLVED if archived_at else None

    @abstractmethod
    def _description(self, said: Said) -> Description:
        """In the words of this kind."""


class ToStore(AboutInquiry):
    """An inquiry was opened, or written to by an asker; for the store's people and whoever was called in."""

    name = INQUIRY_MESSAGE
    generic = messages.INQUIRY_MESSAGE

    def _settled(self, archived_at: datetime | None, closed_at: datetime | None) -> CancelReason | None:
        # Nobody waits for the store any more once the inquiry is closed.
        return CancelReason.SUBJECT_RESOLVED if archived_at or closed_at else None

    def _description(self, said: Said) -> Description:
        return messages.to_store(said)


class ToAskers(AboutInquiry):
    """The store has answered."""

    name = INQUIRY_ANSWER
    generic = messages.INQUIRY_ANSWER

    def _description(self, said: Said) -> Description:
        return messages.to_askers(said)


class ToMembers(NotifyingKind):
    """A message of a conversation, for its other members."""

    name = CONVERSATION_MESSAGE
    category = "conversations"
    generic = messages.CONVERSATION_MESSAGE
    private = True

    def readable(
        self, account_id: SQLColumnExpression[int], subject_id: SQLColumnExpression[int]
    ) -> ColumnElement[bool]:
        """Not deleted, and in a conversation that this account takes part in."""
        said = aliased(ConversationMessage)
        present = (said.id == subject_id) & said.deleted_at.is_(None)
        return there_is(said, where=present & is_member(account_id, said.conversation_id))

    def matches(self, words: str, subject_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
        """By its text."""
        said = aliased(ConversationMessage)
        return there_is(said, where=(said.id == subject_id) & said.text.icontains(words, autoescape=True))

    def texts(self, subject_ids: Collection[int]) -> Mapping[int, Description]:
        """Who wrote what."""
        rows = db.session.execute(
            select(ConversationMessage.id, ConversationMessage.conversation_id, Account.name, ConversationMessage.text)
            .join(Account, Account.id == ConversationMessage.author_id)
            .where(ConversationMessage.id.in_(subject_ids))
        )
        return {message_id: messages.to_members(called(name), text, f"/conversations/{whole}#message-{message_id}")
                for message_id, whole, name, text in rows}  # fmt: skip

    def over(self, subject_ids: Collection[int]) -> Mapping[int, CancelReason]:
        """Deleted."""
        gone = select(ConversationMessage.id).where(
            ConversationMessage.id.in_(subject_ids), ConversationMessage.deleted_at.is_not(None)
        )
        return dict.fromkeys(db.session.scalars(gone), CancelReason.SUBJECT_DELETED)

    def recheck(self, deliveries: Sequence[Due]) -> Mapping[int, Verdict]:
        """And does this member still accept messages? Notifications that they have stay readable all the same."""
        silent = self._silent(deliveries)
        return {
            due_id: Cancel(CancelReason.MESSAGES_OFF) if due_id in silent and isinstance(verdict, Send) else verdict
            for due_id, verdict in super().recheck(deliveries).items()
        }

    def _silent(self, deliveries: Sequence[Due]) -> set[int]:
        rows = db.session.execute(
            select(ConversationMessage.id, ConversationMember.account_id)
            .join(ConversationMember, ConversationMember.conversation_id == ConversationMessage.conversation_id)
            .where(
                tuple_(ConversationMessage.id, ConversationMember.account_id).in_(
                    [(due.subject_id, due.account_id) for due in deliveries]
                ),
                ConversationMember.accepts.is_(False),
            )
        )
        silent = {(message_id, account_id) for message_id, account_id in rows}
        return {due.id for due in deliveries if (due.subject_id, due.account_id) in silent}
