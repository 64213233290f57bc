"""Writing down tries: opened before the request, closed by its answer, or lost with its worker."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import Table, bindparam, insert, or_, select, update

from app.clock import now
from app.columns import NOW
from app.outbox.models import Attempt
from app.outbox.state import AttemptOutcome
from app.transaction import Transaction

_ATTEMPT: Table = Attempt.__table__  # type: ignore[assignment]  # as a table it takes many sets of values at once

_OPENED = (
    insert(_ATTEMPT).values(started_at=NOW, may_have_arrived=True).returning(_ATTEMPT.c.delivery_id, _ATTEMPT.c.id)
)


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


@dataclass(frozen=True, slots=True)
class NewAttempt:
    """Which try of which delivery this is, and what set it off."""

    delivery_id: int
    number: int
    trigger: str
    retry_key: str | None = None


def open_attempts(tx: Transaction, tries: Sequence[NewAttempt]) -> dict[int, int]:
    """Write that requests are about to be made; the attempts' ids by delivery. Until they are answered, they may
    arrive."""
    if not tries:
        return {}
    made = tx.execute(_OPENED, [{name: getattr(one, name) for name in NewAttempt.__slots__} for one in tries])
    return {row.delivery_id: row.id for row in made}


def close_attempts(tx: Transaction, results: Mapping[int, AttemptResult]) -> None:
    """Write how tries ended, by their ids. An answer that comes after its try was given up as lost is kept all the
    same."""
    if not results:
        return
    still_open = or_(_ATTEMPT.c.finished_at.is_(None), _ATTEMPT.c.outcome == AttemptOutcome.LOST)
    closed = update(_ATTEMPT).where(_ATTEMPT.c.id == bindparam("attempt_id"), still_open)
    tx.execute(closed, [_columns(result) | {"attempt_id": one} for one, result in sorted(results.items())])


def open_attempts_of(tx: Transaction, delivery_ids: Collection[int]) -> dict[int, int]:
    """The attempts without an answer of these deliveries: their ids by delivery."""
    unanswered = Attempt.delivery_id.in_(delivery_ids) & Attempt.finished_at.is_(None)
    return dict(tx.session.execute(select(Attempt.delivery_id, Attempt.id).where(unanswered)).all())


def lose_attempts(tx: Transaction, attempt_ids: Collection[int], code: str) -> None:
    """Give up tries whose worker is gone; that they may have arrived stands there since they were opened."""
    lost = {"finished_at": now(), "outcome": AttemptOutcome.LOST, "code": code}
    tx.session.execute(update(Attempt).where(Attempt.id.in_(attempt_ids)).values(**lost))


def note_unanswered(tx: Transaction, tries: Sequence[tuple[NewAttempt, AttemptResult]]) -> None:
    """Write tries that ended before any request, because the recheck could not be answered."""
    if tries:
        started = {"started_at": now()}
        tx.session.execute(insert(Attempt), [asdict(one) | started | _columns(result) for one, result in tries])


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
