"""Writing down tries: opened before the request, closed by its answer, or lost with its worker."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import or_, update

from app.clock import now
from app.outbox.models import Attempt
from app.outbox.state import AttemptOutcome
from app.transaction import Transaction


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """How a try ended, for its record. `duration` is the time between request and answer.

    `may_have_arrived`: the request was accepted, or may have been.
    """

    outcome: AttemptOutcome
    may_have_arrived: bool
    code: str | None = None
    http_status: int | None = None
    detail: str | None = None
    provider_request_id: str | None = None
    duration: timedelta | None = None
    next_attempt_at: datetime | None = None

    def trying_again_at(self, at: datetime) -> "AttemptResult":
        """The same result, with the time of the next try."""
        return replace(self, next_attempt_at=at)


def open_attempt(tx: Transaction, delivery_id: int, number: int, trigger: str, retry_key: str | None) -> int:
    """Write that a request is about to be made, and return the attempt's id. Until it is answered, it may arrive."""
    attempt = Attempt(
        delivery_id=delivery_id, number=number, trigger=trigger, started_at=now(), retry_key=retry_key,
        may_have_arrived=True,
    )  # fmt: skip
    tx.session.add(attempt)
    tx.session.flush()
    return attempt.id


def close_attempt(tx: Transaction, attempt_id: int, result: AttemptResult) -> None:
    """Write how the try ended. An answer that comes after the try was given up as lost is kept all the same."""
    still_open = or_(Attempt.finished_at.is_(None), Attempt.outcome == AttemptOutcome.LOST)
    tx.session.execute(update(Attempt).where(Attempt.id == attempt_id, still_open).values(**_columns(result)))


def lose_attempts(tx: Transaction, attempt_ids: Collection[int], code: str) -> None:
    """Give up tries whose worker is gone; that they may have arrived stands there since they were opened."""
    lost = {"finished_at": now(), "outcome": AttemptOutcome.LOST, "code": code}
    tx.session.execute(update(Attempt).where(Attempt.id.in_(attempt_ids)).values(**lost))


def note_unanswered(tx: Transaction, delivery_id: int, number: int, trigger: str, result: AttemptResult) -> None:
    """Write a try that ended before any request, because the recheck could not be answered."""
    attempt = Attempt(delivery_id=delivery_id, number=number, trigger=trigger, started_at=now())
    for column, value in _columns(result).items():
        setattr(attempt, column, value)
    tx.session.add(attempt)


def _columns(result: AttemptResult) -> dict[str, object]:
    return {
        "finished_at": now(),
        "outcome": result.outcome,
        "may_have_arrived": result.may_have_arrived,
        "code": result.code,
        "http_status": result.http_status,
        "detail": result.detail,
        "provider_request_id": result.provider_request_id,
        "duration_ms": None if result.duration is None else round(result.duration / timedelta(milliseconds=1)),
        "next_attempt_at": result.next_attempt_at,
    }
