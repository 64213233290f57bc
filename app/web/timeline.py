"""What happened to one delivery, as one list, oldest first: made, tried, acted upon, ended without a try."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from app import audit
from app.codes import BY_THE_CHECK, Words
from app.kinds import Reader
from app.operations.deliveries import SUBJECT
from app.outbox import queries
from app.outbox.models import Attempt, Delivery
from app.outbox.state import AttemptOutcome, State
from app.web import words
from app.web.delivery_rows import reason_of, sees_people, tail
from app.web.tries import Ending, ending_of

FAILED = _l("It failed without another try.")
FOUND = _l("The check right before sending found: it is not to be sent.")
NOT_SENT = _l("It was not sent.")
CHECKED = _l("Checked right before: it was still true and still wanted.")


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that happened to the delivery as a whole. `part` names the template that tells it."""

    at: datetime
    part: str
    colour: str
    reason: Words | None = None
    code: str | None = None
    detail: str | None = None
    told: str = ""
    """What happened, where its part tells several things."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One try. `ending` tells in a word how it ended, `sentences` why; `checked`: what the check before it said."""

    at: datetime
    number: int
    trigger: str
    ending: Ending
    checked: str
    sentences: Sequence[str]
    code: str | None
    http_status: int | None
    detail: str | None
    duration_ms: int | None
    provider_request_id: str | None
    key_tail: str | None
    next_attempt_at: datetime | None
    part: str = "tried"

    @property
    def colour(self) -> str:
        """That of its ending."""
        return self.ending.colour


@dataclass(frozen=True, slots=True)
class Acted:
    """What an operator did, and why, if they said so."""

    at: datetime
    who: str
    act: str
    why: str
    facts: Mapping[str, str | int | bool | None]
    colour: str = "canceled"
    part: str = "acted"


Entry = Happened | Tried | Acted


def timeline(delivery: Delivery, reader: Reader) -> list[Entry]:
    """Everything that is known of it, and that this reader may know."""
    attempts, all_of_it = queries.timeline(delivery.id), sees_people(reader)
    entries: list[Entry] = [Happened(delivery.created_at, "made", State.PENDING)]
    entries += [_tried(attempt, all_of_it) for attempt in attempts]
    entries += [_acted(entry, all_of_it) for entry in audit.entries(SUBJECT, delivery.id)]
    if delivery.finished_at is not None and not _ended_by_its_last(attempts, delivery):
        entries.append(_not_sent(delivery, delivery.finished_at, all_of_it))
    return sorted(entries, key=lambda entry: entry.at)


def _ended_by_its_last(attempts: Sequence[Attempt], delivery: Delivery) -> bool:
    """Whether the last try already tells how it ended: sent, or failed with that try's code."""
    failed_there = bool(attempts) and attempts[-1].code == delivery.failure_code
    return delivery.state == State.SENT or (delivery.state == State.FAILED and failed_there)


def _not_sent(delivery: Delivery, at: datetime, all_of_it: bool) -> Happened:
    code, detail = delivery.reason, delivery.cancel_detail if all_of_it else None
    # A source's own words come from its check alone.
    checked = code in BY_THE_CHECK or delivery.cancel_detail is not None
    told = FAILED if delivery.state == State.FAILED else FOUND if checked else NOT_SENT
    return Happened(at, "not_sent", delivery.state, reason_of(code), code, detail, str(told))


def _tried(attempt: Attempt, all_of_it: bool) -> Tried:
    outcome = AttemptOutcome(attempt.outcome) if attempt.outcome else None
    unanswered = outcome is AttemptOutcome.UNANSWERED
    return Tried(
        at=attempt.started_at,
        number=attempt.number,
        trigger=str(words.TRIGGERS[attempt.trigger]),
        ending=ending_of(outcome, attempt.may_have_arrived),
        checked=str(words.OUTCOMES[AttemptOutcome.UNANSWERED] if unanswered else CHECKED),
        sentences=_sentences(outcome, attempt.code),
        code=attempt.code,
        http_status=attempt.http_status,
        detail=attempt.detail if all_of_it else None,
        duration_ms=attempt.duration_ms,
        provider_request_id=attempt.provider_request_id,
        key_tail=tail(attempt.retry_key),
        next_attempt_at=attempt.next_attempt_at,
    )


def _sentences(outcome: AttemptOutcome | None, code: str | None) -> list[str]:
    """The cause, and what its outcome means where that says more."""
    reason = reason_of(code)
    if outcome is None:
        return []
    if reason is None or outcome is AttemptOutcome.LOST:
        return [str(words.OUTCOMES[outcome])]
    return [str(reason.cause)]


def _acted(entry: audit.AuditEntry, all_of_it: bool) -> Acted:
    who, why = (entry.who, entry.why) if all_of_it else (_("An administrator"), "")
    return Acted(entry.at, who, str(words.ACTS_DONE.get(entry.act, entry.act)), why, entry.detail)
