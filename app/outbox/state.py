"""The states of a delivery and the moves between them, in words; no database.

pending ──hand_over──▶ queued ──claim──▶ sending ──finish──▶ sent | canceled | retry | failed
retry   ──hand_over──▶ queued              │
pending, retry (due) ──claim──▶ sending    ├──release──▶ pending            (no try used)
pending, queued, retry ──expire, cancel──▶ canceled
sending (lease over) ──rescue──▶ retry, pending or failed
failed ──retry──▶ pending (new round)      retry ──retry──▶ retry (due now)
"""

from enum import StrEnum


class State(StrEnum):
    """Where a delivery stands."""

    PENDING = "pending"
    """Owed; RQ does not have it for certain."""
    QUEUED = "queued"
    """RQ has its id."""
    SENDING = "sending"
    """A worker holds the lease."""
    RETRY = "retry"
    """Waiting for `next_attempt_at`."""
    SENT = "sent"
    """The provider accepted it (not: the person saw it)."""
    CANCELED = "canceled"
    """Rightly not sent; `cancel_reason` says why. Not an error."""
    FAILED = "failed"
    """`failure_code` says why. Only an operator moves it on."""


class Trigger(StrEnum):
    """What made a try happen."""

    AUTO = "auto"
    MANUAL = "manual"
    RECOVERY = "recovery"


class AttemptOutcome(StrEnum):
    """How one try ended."""

    ACCEPTED = "accepted"
    ALREADY_ACCEPTED = "already_accepted"
    TRANSIENT = "transient"
    REJECTED = "rejected"
    GONE = "gone"
    """The provider no longer knows the address."""
    LOST = "lost"
    """Its worker stopped without an answer; the request may have been seen."""
    UNANSWERED = "unanswered"
    """The recheck could not be answered; no request was made."""


WAITING = (State.PENDING, State.QUEUED, State.RETRY)
"""Owed, and in nobody's hands: what may be canceled, expire or be claimed."""

ALIVE = (*WAITING, State.SENDING)
"""What may still be sent."""

RETRYABLE = (State.FAILED, State.RETRY)
"""What an operator may send again."""
