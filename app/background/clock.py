"""The clock: every second it rings for what is due, and sees to it that each scan's next run stands in RQ."""

import logging
from contextlib import suppress
from datetime import datetime
from threading import Thread

from flask import Flask
from rq.job import JobStatus
from rq.scheduler import RQScheduler
from rq.serializers import JSONSerializer

from app import pulse
from app.background import inline, stop
from app.background.health import beat_in_thread
from app.background.scans import due_slot
from app.background.timetable import timetable
from app.clock import monotonic
from app.engine.handover import hand_over_due, register_scan
from app.extensions import REDIS_FAULTS, broker, db
from app.kinds import QueueName, Scan
from app.transaction import writing

TICK = 1.0
LOCKS_EVERY = 30.0
SCANS_EVERY = 5.0
DEPTHS_EVERY = 10.0
INLINE_ENDS = 4.0

log = logging.getLogger(__name__)


class Clock:
    """One process runs it; a second does no harm. All times here are monotonic seconds.

    `inline_after`: no Redis, or no worker, for so many seconds, and what is urgent goes out without them.
    """

    def __init__(self, app: Flask, inline_after: float = 120.0) -> None:
        self._app = app
        self._inline_after = inline_after
        self._scheduler = RQScheduler(
            list(QueueName), connection=broker.redis, serializer=JSONSerializer, logging_level=logging.WARNING
        )
        self._locks_at = self._scans_at = self._depths_at = float("-inf")
        self._answered_at = self._worked_at = monotonic()
        self._inline: Thread | None = None
        self._registered: dict[str, str] = {}

    def run(self) -> None:
        """Tick until this process is asked to end."""
        stop.on_signals()
        heart = beat_in_thread(self._app, "clock", "")
        while not stop.wait(TICK):
            self.tick()
        self.stop()
        heart.join(timeout=2.0)

    def tick(self) -> None:
        """One second's work. An outage of Redis or of the database is waited out."""
        try:
            with self._app.app_context():
                if broker.answers():
                    self._ring()
                else:
                    self._without_redis()
        except REDIS_FAULTS:
            broker.failed()
        except Exception as error:
            # An outage of the database, or rubbish in Redis: whatever it is, the next tick must come.
            log.warning("a tick of the clock broke off: %s", type(error).__name__)

    def stop(self) -> None:
        """Give the scheduler's locks back, so that the next clock need not wait a minute for them to run out.

        Whatever is being sent inline is waited for as long as a supervisor is patient.
        """
        if self._inline is not None:
            self._inline.join(timeout=INLINE_ENDS)
        with suppress(*REDIS_FAULTS):
            self._scheduler.release_locks()

    def look_after_scans_next(self) -> None:
        """Take the locks and register the scans at the next tick: Redis may have forgotten both."""
        self._locks_at = self._scans_at = float("-inf")

    def _ring(self) -> None:
        self._answered_at = monotonic()
        hand_over_due()
        if monotonic() - self._locks_at >= LOCKS_EVERY:
            self._scheduler.acquire_locks()
            self._locks_at = monotonic()
        if monotonic() - self._scans_at >= SCANS_EVERY:
            self._register_scans()
            self._look_for_workers()
            self._scans_at = monotonic()
        self._scheduler.enqueue_scheduled_jobs()
        if monotonic() - self._depths_at >= DEPTHS_EVERY:  # last: whatever becomes of it, what is due was rung for
            self._depths_at = monotonic()
            _note_depths()

    def _register_scans(self) -> None:
        records = pulse.scans()
        slots = {name: record.last_slot for name, record in records.items()}
        db.session.close()
        for name, scan in timetable().items():
            self._register(scan, due_slot(scan, slots.get(name)))

    def _register(self, scan: Scan, slot: datetime) -> None:
        job_id = register_scan(scan, slot)
        before = self._registered.get(scan.name, job_id)
        if before != job_id:
            # Its time is over. While no worker lives they would pile up, one for each slot.
            withdraw(scan, before)
        self._registered[scan.name] = job_id

    def _look_for_workers(self) -> None:
        """Redis takes everything, and nobody comes for it: then the watch must tell, and reminders must go out."""
        if pulse.living("worker"):
            self._worked_at = monotonic()
        db.session.close()
        self._go_inline(self._worked_at)

    def _without_redis(self) -> None:
        self.look_after_scans_next()
        self._go_inline(self._answered_at)

    def _go_inline(self, well_until: float) -> None:
        away_for = monotonic() - well_until
        if away_for >= self._inline_after and (self._inline is None or not self._inline.is_alive()):
            # In a thread: a slow LINE must not stop the clock from seeing that all is well again.
            self._inline = Thread(target=inline.run, args=(self._app,), name="inline", daemon=True)
            self._inline.start()


def _note_depths() -> None:
    jobs = {str(name): broker.queue(name).count for name in QueueName}
    with writing() as tx:
        pulse.note_depths(tx, jobs)


def withdraw(scan: Scan, job_id: str) -> None:
    """Take a slot back that no worker came to."""
    job = broker.queue(scan.queue).fetch_job(job_id)
    if job is not None and job.get_status() in (JobStatus.QUEUED, JobStatus.SCHEDULED):
        job.delete()
