"""Asking a store and answering: what is written, and who is told of it in the same transaction."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from flask_babel import gettext as _
from sqlalchemy import insert, select

from app.accounts.known import hold_with
from app.accounts.memberships import members
from app.accounts.stores import Store, open_stores
from app.clock import now
from app.faults import Fault, InvalidInput
from app.inbox.notify import Event, notify
from app.names import without_edges
from app.once import make_once
from app.sources.conversations.audience import askers, called_in, side_of
from app.sources.conversations.kinds import INQUIRY_ANSWER, INQUIRY_MESSAGE, INQUIRY_SUBJECT
from app.sources.conversations.models import Inquiry, InquiryAsker, InquiryMention, InquiryMessage, Side
from app.sources.conversations.people import faults_of_mentions
from app.sources.conversations.texts import faults_of_message, faults_of_subject
from app.transaction import Transaction


class NotTheirsError(LookupError):
    """There is no such thing that this account may act on."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What somebody wrote. `mentions`: accounts of the platform's staff. `request_id` is that of the form."""

    text: str
    mentions: Collection[int]
    request_id: str

    def cleaned(self) -> "Wording":
        """The same, as it is stored: each account once."""
        return Wording(without_edges(self.text), sorted(set(self.mentions)), self.request_id)

    def sent(self) -> tuple[object, ...]:
        """What was written, of which another form would differ."""
        return self.text, self.mentions


def open_inquiry(tx: Transaction, account_id: int, store_id: int | None, subject: str, first: Wording) -> int:
    """Ask a store, once for each `request_id`; the inquiry's id.

    Raises InvalidInput with every fault, NoSuchAccountError for whoever asks.
    """
    subject, first = subject.strip(), first.cleaned()
    hold_with(tx, account_id, first.mentions)
    faults = [*_faults_of_store(store_id), *faults_of_subject(subject), *_faults_of_wording(first, account_id)]
    if faults:
        raise InvalidInput(*faults)
    at = now()
    form = {"opened_by": account_id, "request_id": first.request_id}
    written, sent = {"store_id": store_id, "subject": subject}, [store_id, subject, *first.sent()]
    made = make_once(tx, Inquiry, form, sent, **written, created_at=at, last_message_at=at)
    # Others may know one that was made before. They lock it, then the account, so here nothing of it may be locked.
    if not made.again:
        tx.session.execute(insert(InquiryAsker).values(inquiry_id=made.id, account_id=account_id, since=at))
        _say(tx, locked(tx, made.id), account_id, Side.ASKER, first)
    return made.id


def write(tx: Transaction, account_id: int, inquiry_id: int, wording: Wording) -> int:
    """Write into an inquiry, once for each `request_id`; the message's id.

    Raises NotTheirsError, NoSuchAccountError, and InvalidInput with every fault, also for an inquiry that was closed.
    """
    wording, inquiry = wording.cleaned(), locked(tx, inquiry_id)
    side = side_of(account_id, inquiry_id)
    if side is None:
        raise NotTheirsError(inquiry_id)
    hold_with(tx, account_id, wording.mentions)
    if faults := [*_faults_of_standing(tx, inquiry), *_faults_of_wording(wording, account_id)]:
        raise InvalidInput(*faults)
    return _say(tx, inquiry, account_id, side, wording)


def delete_message(tx: Transaction, account_id: int, inquiry_id: int, message_id: int) -> bool:
    """Take back one's own message, and with it whom it called in; False when there is none of theirs."""
    own = (InquiryMessage.inquiry_id == inquiry_id) & (InquiryMessage.author_id == account_id)
    found = tx.session.scalar(select(InquiryMessage).where(own, InquiryMessage.id == message_id).with_for_update())
    if found is None:
        return False
    found.deleted_at = found.deleted_at or now()
    return True


def locked(tx: Transaction, inquiry_id: int) -> Inquiry:
    """The inquiry, which nobody else acts on until the end of the transaction. Raises NotTheirsError."""
    found = tx.session.scalar(select(Inquiry).where(Inquiry.id == inquiry_id).with_for_update())
    if found is None:
        raise NotTheirsError(inquiry_id)
    return found


def _say(tx: Transaction, inquiry: Inquiry, author_id: int, side: Side, wording: Wording) -> int:
    at = now()
    form = {"author_id": author_id, "request_id": wording.request_id}
    written = {"inquiry_id": inquiry.id, "text": wording.text}
    made = make_once(tx, InquiryMessage, form, [inquiry.id, *wording.sent()], **written, side=side, created_at=at)
    if made.again:
        return made.id
    inquiry.last_message_at = at
    if wording.mentions:
        mentioned = [{"message_id": made.id, "account_id": account_id} for account_id in wording.mentions]
        tx.session.execute(insert(InquiryMention), mentioned)
    _tell(tx, inquiry, _Said(made.id, author_id, side), wording.mentions)
    return made.id


@dataclass(frozen=True, slots=True)
class _Said:
    message_id: int
    author_id: int
    side: Side


def _tell(tx: Transaction, inquiry: Inquiry, said: _Said, mentions: Collection[int]) -> None:
    """An asker's message: the store, and whoever was called in. An answer: the askers, and whom it calls in itself."""
    if said.side is Side.ASKER:
        notify(tx, _event(INQUIRY_MESSAGE, inquiry, said), {*members(inquiry.store_id), *called_in(inquiry.id)})
    else:
        notify(tx, _event(INQUIRY_ANSWER, inquiry, said), askers(inquiry.id))
        notify(tx, _event(INQUIRY_MESSAGE, inquiry, said), mentions)


def _event(kind: str, inquiry: Inquiry, said: _Said) -> Event:
    # One key for both kinds: who asks and was called in, too, is told of a message once.
    key = f"{INQUIRY_SUBJECT}:{said.message_id}"
    return Event(kind, key, INQUIRY_SUBJECT, said.message_id, said.author_id, f"store:{inquiry.store_id}")


def _faults_of_wording(wording: Wording, by: int) -> Iterator[Fault]:
    yield from faults_of_message(wording.text)
    yield from faults_of_mentions(wording.mentions, by)


def _faults_of_store(store_id: int | None) -> Iterator[Fault]:
    if store_id not in open_stores():
        yield Fault("store", _("Choose a store that is in use."))


def _faults_of_standing(tx: Transaction, inquiry: Inquiry) -> Iterator[Fault]:
    if inquiry.closed_at is not None:
        yield Fault("text", _("This inquiry was closed. Reopen it to write."))
    if _closed_down(tx, inquiry.store_id) is not None:
        yield Fault("text", _("The store was archived, so nobody there would read this."))
    if not askers(inquiry.id):
        yield Fault("text", _("Nobody who asked is left, so nobody would read this."))


def _closed_down(tx: Transaction, store_id: int) -> datetime | None:
    return tx.session.scalar(select(Store.archived_at).where(Store.id == store_id))
