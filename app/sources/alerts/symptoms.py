"""What is wrong at this moment, as the ledger and the pulse tell it."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, and_, func, select

from app import pulse
from app.clock import now
from app.extensions import db
from app.kinds import KINDS
from app.outbox.models import Delivery
from app.outbox.queries import standings
from app.outbox.state import State
from app.sources.alerts.models import Sort

STALE_AFTER = timedelta(days=1)
"""A failure that nobody repaired for so long is known by now: the same one tomorrow is told anew."""


@dataclass(frozen=True, slots=True)
class Symptom:
    """One thing that is wrong; `number` is how many deliveries it concerns."""

    sort: Sort
    about: str
    number: int


def symptoms() -> list[Symptom]:
    """Everything that is wrong now. Five small queries."""
    return [*_failures(), *_exhausted(), *_closed_gates(), *_silent_scans(), *_silent_workers()]


def _failures() -> list[Symptom]:
    """Refusals that wait for a person, by their code; those whose tries ran out are told together."""
    rows = select(Delivery.failure_code, func.count()).where(_lately_failed(), Delivery.dead_letter.is_(False))
    groups = db.session.execute(rows.group_by(Delivery.failure_code).order_by(Delivery.failure_code))
    return [Symptom(Sort.FAILURE, str(code), number) for code, number in groups]


def _exhausted() -> list[Symptom]:
    rows = select(func.count()).select_from(Delivery).where(_lately_failed(), Delivery.dead_letter)
    number = db.session.scalar(rows) or 0
    return [Symptom(Sort.TRIES_EXHAUSTED, "", number)] if number else []


def _lately_failed() -> ColumnElement[bool]:
    # What is tried but once is somebody's own test: they see how it ended, and it is nobody else's alarm.
    tests = [name for name, kind in KINDS.items() if kind.retry.tries == 1]
    lately = Delivery.finished_at > now() - STALE_AFTER
    return and_(Delivery.state == State.FAILED, lately, Delivery.kind.not_in(tests))


def _closed_gates() -> list[Symptom]:
    """Those that the circuit breaker closed, until a probe was accepted. Whoever pauses one knows."""
    return [Symptom(Sort.GATE_CLOSED, one.key, 0) for one in standings() if one.breaker_until is not None]


def _silent_scans() -> list[Symptom]:
    return [Symptom(Sort.SCAN_SILENT, name, 0) for name, record in sorted(pulse.scans().items()) if record.overdue]


def _silent_workers() -> list[Symptom]:
    return [] if pulse.living("worker") else [Symptom(Sort.WORKERS_SILENT, "", 0)]
