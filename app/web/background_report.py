"""What the background last said of itself, and what of it should worry an operator."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from flask_babel import gettext as _

from app import i18n, pulse
from app.kinds import QueueName
from app.pulse import Heartbeat, QueueDepth, ScanRecord
from app.web import words


@dataclass(frozen=True, slots=True)
class ScanLine:
    """One scan. `next_at` is when it is due, which may have passed."""

    name: str
    last_at: datetime | None
    running: bool
    next_at: datetime
    overdue: bool
    figures: Mapping[str, int]
    error: str | None


@dataclass(frozen=True, slots=True)
class ProcessLine:
    """One background process that spoke lately."""

    name: str
    role: str
    queues: str
    beat_at: datetime


@dataclass(frozen=True, slots=True)
class QueueLine:
    """One queue of Redis. `jobs` is None where nobody knows: the clock has not looked lately, or Redis is away."""

    name: str
    jobs: int | None
    seen_at: datetime | None


@dataclass(frozen=True, slots=True)
class BackgroundReport:
    """Everything, with the alarms as sentences."""

    queues: Sequence[QueueLine]
    processes: Sequence[ProcessLine]
    scans: Sequence[ScanLine]
    alarms: Sequence[str]


def report() -> BackgroundReport:
    """Read it all."""
    living = pulse.living("worker", "clock")
    workers, clocks = ([beat for beat in living if beat.role == role] for role in ("worker", "clock"))
    scans = [_scan(record) for _name, record in sorted(pulse.scans().items())]
    alarms = _silence(workers, clocks) + [sentence for scan in scans for sentence in _trouble(scan)]
    return BackgroundReport(_queues(), [_process(beat) for beat in (*workers, *clocks)], scans, alarms)


def _queues() -> list[QueueLine]:
    """In the order in which a worker looks at them."""
    depths = pulse.depths()
    return [_queue(name, depths.get(name)) for name in QueueName]


def _queue(name: QueueName, depth: QueueDepth | None) -> QueueLine:
    known = depth is not None and not depth.stale
    return QueueLine(name, depth.jobs if depth and known else None, depth.seen_at if depth else None)


def _scan(record: ScanRecord) -> ScanLine:
    return ScanLine(
        name=str(pulse.SCAN_NAMES.get(record.name, record.name)),
        last_at=record.finished_at or record.started_at,
        running=record.running,
        next_at=record.next_at,
        overdue=record.overdue,
        figures={str(words.FIGURES.get(name, name)): number for name, number in (record.figures or {}).items()},
        error=record.error,
    )


def _process(beat: Heartbeat) -> ProcessLine:
    return ProcessLine(beat.name, str(words.BACKGROUND_ROLES.get(beat.role, beat.role)), beat.queues, beat.beat_at)


def _silence(workers: Sequence[Heartbeat], clocks: Sequence[Heartbeat]) -> list[str]:
    alarms = []
    if not workers:
        alarms.append(_("No worker has been heard from lately, so nothing is being sent. Start one: python worker.py"))
    if not clocks:
        alarms.append(_("The clock has not been heard from lately: nothing is handed over, and no scan runs."))
    return alarms


def _trouble(scan: ScanLine) -> list[str]:
    if scan.error:
        return [_("The scan “%(name)s” broke off: %(error)s.", name=scan.name, error=scan.error)]
    if scan.overdue:
        due = i18n.moment(scan.next_at, i18n.language())
        return [_("The scan “%(name)s” was due at %(due)s and has not run.", name=scan.name, due=due)]
    return []
