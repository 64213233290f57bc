"""What a worker holds, and what it may say of it: the values that the verbs of `transitions.py` take."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from app.codes import CancelReason, FailureCode
from app.outbox.attempts import AttemptResult, NewAttempt
from app.outbox.state import State
from app.place import Place

REVERSIBLE = (CancelReason.LINE_DISABLED, CancelReason.RECIPIENT_DISABLED)
"""What ends for one of these may be owed again, by the same row and under the same retry key."""


FORGOTTEN: dict[str, Any] = {"frozen_request": None, "frozen_note": None}


def without_request(reason: CancelReason) -> dict[str, Any]:
    """Erases the frozen request of what ends for good. LINE may have what is owed again later: then those bytes are
    repeated, or the person has one text and we believe that they were told another."""
    return {} if reason in REVERSIBLE else FORGOTTEN


@dataclass(frozen=True, slots=True)
class Claimed:
    """A delivery in a worker's hands, as plain values."""

    id: int
    kind: str
    channel: str
    subject_type: str
    subject_id: int
    subject_version: int | None
    notification_id: int | None
    account_id: int | None
    address_type: str
    address_id: int
    gate_key: str
    expires_at: datetime | None
    attempts: int
    round_attempts: int
    next_trigger: str
    retry_key: str | None
    retry_key_used_at: datetime | None
    key_ambiguous: bool
    frozen_request: bytes | None
    frozen_note: str | None
    lease_token: str
    created_at: datetime

    @property
    def place(self) -> Place:
        """Where it stands among all that is owed."""
        return Place(self.created_at, self.id)

    def next_try(self, retry_key: str | None = None) -> NewAttempt:
        """The try that is made of it now."""
        return NewAttempt(self.id, self.attempts + 1, self.next_trigger, retry_key)


@dataclass(frozen=True, slots=True)
class Begin:
    """A request about to be made: its bytes, and the retry key it carries (None where the channel knows no keys).

    `note`: what its source is to be told of what these bytes say, as JSON; None where that is nothing.
    """

    claimed: Claimed
    request: bytes
    retry_key: str | None
    note: str | None = None

    @property
    def is_first_use(self) -> bool:
        """Whether no request was made with this key before."""
        known = self.retry_key == self.claimed.retry_key and self.claimed.retry_key_used_at is not None
        return self.retry_key is not None and not known

    def values(self, at: datetime) -> dict[str, Any]:
        """What the delivery holds from then on."""
        used = {"retry_key_used_at": at, "key_ambiguous": False} if self.is_first_use else {}
        frozen = {"frozen_request": self.request, "frozen_note": self.note} if self.retry_key else FORGOTTEN
        return {"retry_key": self.retry_key, **frozen, **used}


@dataclass(frozen=True, slots=True)
class Finish:
    """How a claim ends. Made by one of the constructors below, one for each legal move."""

    to: State
    attempt: AttemptResult | None = None
    values: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def sent(cls, attempt: AttemptResult, provider_request_id: str | None, already_accepted: bool) -> "Finish":
        """The provider accepted it."""
        sent = {"provider_request_id": provider_request_id, "already_accepted": already_accepted}
        return cls(State.SENT, attempt, {**sent, **FORGOTTEN, "failure_code": None})

    @classmethod
    def canceled(
        cls, reason: CancelReason, detail: str | None = None, attempt: AttemptResult | None = None
    ) -> "Finish":
        """The recheck said that it is no longer true; or a try found that nobody is there to be told."""
        values = {"cancel_reason": reason, "cancel_detail": detail}
        return cls(State.CANCELED, attempt, values | without_request(reason))

    @classmethod
    def retry(cls, code: FailureCode, attempt: AttemptResult) -> "Finish":
        """Another try at `attempt.next_attempt_at`."""
        return cls(State.RETRY, attempt, _failing(code, attempt))

    @classmethod
    def failed(cls, code: FailureCode, attempt: AttemptResult | None, dead_letter: bool = False) -> "Finish":
        """No further try by itself."""
        return cls(State.FAILED, attempt, _failing(code, attempt) | {"dead_letter": dead_letter})


def _failing(code: FailureCode, attempt: AttemptResult | None) -> dict[str, Any]:
    values: dict[str, Any] = {"failure_code": code, "next_attempt_at": attempt.next_attempt_at if attempt else None}
    if attempt is not None and attempt.may_have_arrived:
        values["key_ambiguous"] = True
    return values


@dataclass(frozen=True, slots=True)
class Ended:
    """One claim that ended. `attempt_id` is None when no request was made."""

    claimed: Claimed
    attempt_id: int | None
    finish: Finish

    @property
    def unanswered(self) -> AttemptResult | None:
        """The try that this was, if it ended before any request: its recheck could not be answered."""
        return self.finish.attempt if self.attempt_id is None else None
