"""Deliveries as a page shows them: plain values in the reader's language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.accounts.models import Role
from app.clock import now
from app.codes import CANCELLATIONS, FAILURES, Words
from app.kinds import INBOX_KINDS, KINDS, Description, Reader
from app.names import called
from app.operations.deliveries import Offer, offer
from app.outbox.listing import KEY_TAIL
from app.outbox.models import Delivery
from app.outbox.retry_key import key_ends_at
from app.outbox.state import State
from app.web import ledger_words, words

AT_REST = (State.SENT, State.CANCELED, State.FAILED)

HOUR = timedelta(hours=1)
SOON = timedelta(hours=3)
"""A retry key that LINE forgets sooner than this is shown as urgent."""


NOBODY = Reader(0, Role.MEMBER)
"""Who may read nothing: a private text shows in the inbox alone, also to an operator whom it was written to."""


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """One delivery. `to` is the label of the address, never the provider's id of it.

    To whoever is no administrator nothing says whom it was for, what it said, or what a source or a person wrote.
    """

    id: int
    state: State
    headline: str
    link: str | None
    kind: str
    channel: str
    about: str
    """What it is about, as the filter of the list names it."""
    account_id: int | None
    """Whose it is."""
    to: str
    created_at: datetime
    finished_at: datetime | None
    next_attempt_at: datetime | None
    expires_at: datetime | None
    attempts: int
    code: str | None
    reason: Words | None
    cancel_detail: str | None
    dead_letter: bool
    already_accepted: bool
    dedup_key: str | None
    provider_request_id: str | None
    key_tail: str | None
    key_used_at: datetime | None
    key_ends_at: datetime | None
    """When LINE forgets the retry key; None while it was never used."""
    key_left: timedelta | None
    """How long it will still recognise it; None when it was never used or is forgotten."""
    key_hours_left: int
    """Whole ones, of the 24."""
    key_soon_over: bool
    at_rest: bool
    """Whether nothing more happens by itself."""
    offer: Offer
    retry_means: str | None
    """What Retry would do, in a sentence; None where it is not offered."""


def rows(deliveries: Sequence[Delivery], reader: Reader, language: str) -> list[DeliveryRow]:
    """All of them in one go: one question to each kind, however many there are. What the reader may not know of people
    is withheld here, so that no page can show it."""
    kinds = {name: str(words.KINDS.get(name, name)) for name in {delivery.kind for delivery in deliveries}}
    if not sees_people(reader):
        return [_without_people(delivery, kinds) for delivery in deliveries]
    described = _describe(deliveries, reader, language)
    return [_row(delivery, kinds, described.get((delivery.kind, delivery.subject_id))) for delivery in deliveries]


def sees_people(reader: Reader) -> bool:
    """Whether this reader may know whom deliveries are for, and what was said to and of them."""
    return reader.role == Role.ADMIN


def tail(retry_key: str | None) -> str | None:
    """The end of a retry key."""
    return f"…{retry_key[-KEY_TAIL:]}" if retry_key else None


def reason_of(code: str | None) -> Words | None:
    """The sentences of a failure code or a cancel reason; None for one of an older version."""
    return _SENTENCES.get(code) if code else None


_SENTENCES = {str(code): said for code, said in (*FAILURES.items(), *CANCELLATIONS.items())}


def _describe(deliveries: Sequence[Delivery], reader: Reader, language: str) -> Mapping[tuple[str, int], Description]:
    described: dict[tuple[str, int], Description] = {}
    for name in {delivery.kind for delivery in deliveries} & KINDS.keys():
        subjects = [delivery.subject_id for delivery in deliveries if delivery.kind == name]
        private = name in INBOX_KINDS and INBOX_KINDS[name].private
        found = KINDS[name].describe(subjects, NOBODY if private else reader, language)
        described |= {(name, subject_id): description for subject_id, description in found.items()}
    return described


def _headline(kind: str, description: Description) -> str:
    """What tells one delivery from another: of a notification its title, of a shift what it says of it."""
    return description.title if kind in INBOX_KINDS else description.body or description.title


def _retry_means(delivery: Delivery, offered: Offer) -> str:
    if not offered.keyed:
        return str(ledger_words.TAKES_ITS_PLACE if offered.may_double else ledger_words.NOTHING_ARRIVED)
    if delivery.retry_key is None:
        return str(ledger_words.FIRST_TIME)
    return str(ledger_words.NEW_KEY if offered.new_key else ledger_words.SAME_KEY)


def _without_people(delivery: Delivery, kinds: Mapping[str, str]) -> DeliveryRow:
    """The same for somebody who may look and not act. Its once-only key holds the number of an account."""
    row = _row(delivery, kinds, None)
    to = str(ledger_words.ADDRESSEES.get(delivery.address_type, delivery.address_type))
    acts = replace(row.offer, retry=False, rotate_key=False, another_key=False, cancel=False)
    return replace(
        row, headline=row.kind, link=None, to=to, account_id=None, cancel_detail=None, dedup_key=None, offer=acts,
        retry_means=None,
    )  # fmt: skip


def _row(delivery: Delivery, kinds: Mapping[str, str], description: Description | None) -> DeliveryRow:
    kind = kinds[delivery.kind]
    code = delivery.reason
    ends_at = key_ends_at(delivery.retry_key_used_at) if delivery.retry_key_used_at else None
    left = ends_at - now() if ends_at and ends_at > now() else None
    offered = offer(delivery)
    return DeliveryRow(
        id=delivery.id,
        state=State(delivery.state),
        headline=_headline(delivery.kind, description) if description else kind,
        link=description.link if description else None,
        kind=kind,
        channel=str(words.CHANNELS.get(delivery.channel, delivery.channel)),
        about=f"{delivery.subject_type}:{delivery.subject_id}",
        account_id=delivery.account_id,
        to=called(delivery.address_label),
        created_at=delivery.created_at,
        finished_at=delivery.finished_at,
        next_attempt_at=delivery.next_attempt_at,
        expires_at=delivery.expires_at,
        attempts=delivery.attempts,
        code=code,
        reason=reason_of(code),
        cancel_detail=delivery.cancel_detail,
        dead_letter=delivery.dead_letter,
        already_accepted=delivery.already_accepted,
        dedup_key=delivery.dedup_key,
        provider_request_id=delivery.provider_request_id,
        key_tail=tail(delivery.retry_key),
        key_used_at=delivery.retry_key_used_at,
        key_ends_at=ends_at,
        key_left=left,
        key_hours_left=left // HOUR if left else 0,
        key_soon_over=left is not None and left < SOON,
        at_rest=State(delivery.state) in AT_REST,
        offer=offered,
        retry_means=_retry_means(delivery, offered) if offered.retry else None,
    )
