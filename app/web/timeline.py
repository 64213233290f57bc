"""What happened to one delivery, as one list, oldest first: made, tried, acted upon, ended without a try."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app import audit
from app.codes import Words
from app.operations.deliveries import SUBJECT
from app.outbox import queries
from app.outbox.models import Attempt, Delivery
from app.outbox.state import AttemptOutcome, State
from app.web import words
from app.web.delivery_rows import reason_of, tail

_COLOURS = {
    AttemptOutcome.ACCEPTED: State.SENT,
    AttemptOutcome.ALREADY_ACCEPTED: State.SENT,
    AttemptOutcome.REJECTED: State.FAILED,
    AttemptOutcome.GONE: State.CANCELED,
    None: State.SENDING,
}


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that happened to the delivery as a whole. `part` names the template that tells it."""

    at: datetime
    part: str
    colour: str
    reason: Words | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Tried:
    """One try. `sentences` say how it ended; there are none while it is under way."""

    at: datetime
    number: int
    trigger: str
    sentences: Sequence[str]
    code: str | None
    http_status: int | None
    detail: str | None
    duration_ms: int | None
    provider_request_id: str | None
    key_tail: str | None
    next_attempt_at: datetime | None
    colour: str
    part: str = "tried"


@dataclass(frozen=True, slots=True)
class Acted:
    """What an operator did."""

    at: datetime
    who: str
    act: str
    facts: Mapping[str, str | int | bool | None]
    colour: str = "canceled"
    part: str = "acted"


Entry = Happened | Tried | Acted


def timeline(delivery: Delivery) -> list[Entry]:
    """Everything that is known of it."""
    attempts = queries.timeline(delivery.id)
    entries: list[Entry] = [Happened(delivery.created_at, "made", State.PENDING)]
    entries += [_tried(attempt) for attempt in attempts]
    entries += [_acted(entry) for entry in audit.entries(SUBJECT, delivery.id)]
    if delivery.finished_at is not None and not _ended_by_its_last(attempts, delivery):
        reason, detail = reason_of(delivery.reason), delivery.cancel_detail
        entries.append(Happened(delivery.finished_at, "not_sent", delivery.state, reason, detail))
    return sorted(entries, key=lambda entry: entry.at)


def _ended_by_its_last(attempts: Sequence[Attempt], delivery: Delivery) -> bool:
    """Whether the last try already tells how it ended: sent, or failed with that try's code."""
    failed_there = bool(attempts) and attempts[-1].code == delivery.failure_code
    return delivery.state == State.SENT or (delivery.state == State.FAILED and failed_there)


def _tried(attempt: Attempt) -> Tried:
    outcome = AttemptOutcome(attempt.outcome) if attempt.outcome else None
    return Tried(
        at=attempt.started_at,
        number=attempt.number,
        trigger=str(words.TRIGGERS[attempt.trigger]),
        sentences=_sentences(outcome, attempt.code),
        code=attempt.code,
        http_status=attempt.http_status,
        detail=attempt.detail,
        duration_ms=attempt.duration_ms,
        provider_request_id=attempt.provider_request_id,
        key_tail=tail(attempt.retry_key),
        next_attempt_at=attempt.next_attempt_at,
        colour=_COLOURS.get(outcome, State.RETRY),
    )


def _sentences(outcome: AttemptOutcome | None, code: str | None) -> list[str]:
    """How it ended, and the cause; the cause alone where it says both."""
    if outcome is None:
        return []
    reason = reason_of(code)
    if reason is None or outcome is AttemptOutcome.LOST:
        return [str(words.OUTCOMES[outcome])]
    return [str(words.OUTCOMES[outcome])] * (outcome is AttemptOutcome.UNANSWERED) + [str(reason.cause)]


def _acted(entry: audit.AuditEntry) -> Acted:
    return Acted(entry.at, entry.actor_name, str(words.ACTS_DONE.get(entry.act, entry.act)), entry.detail)
