"""Due ids and scans to RQ, and what stands at the heads of its queues.

The queue is a doorbell: the ledger knows what is owed. So a queue is kept short, however much is: what finds no room
in it stays in the ledger, where a worker that is at that kind goes on, and the clock comes by every second.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import chain, islice

from rq import Queue
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job
from rq.queue import EnqueueData
from rq.serializers import JSONSerializer
from sqlalchemy.exc import SQLAlchemyError

from app.clock import now, slot_of
from app.extensions import REDIS_FAULTS, broker
from app.kinds import KINDS, SCANS, QueueName, Scan, kinds_in
from app.outbox import queries, transitions
from app.outbox.queries import DueRow, batches
from app.transaction import Transaction, writing

DELIVER_JOB = "app.background.jobs.deliver"
IDS_PER_JOB = 100
JOBS_PER_QUEUE = 20
"""About 2,000 deliveries. Jobs are counted, not rows: a job whose rows went with an earlier one still costs 10 ms."""
LOST_PER_RUN = 1000
JOB_TIMEOUT = 60
"""Seconds; `deliver` stops by itself after its budget of 25 s and the request under way."""
FAILED_JOB_KEPT = 86_400
HEADS_LOOKED_AT = 100

SCAN_JOB = "app.background.jobs.scan"
FAILED_SCAN_KEPT = 30
"""Seconds; until then RQ refuses the same slot again, so a scan that broke before it began waits that long."""
WAKES_TOGETHER = timedelta(seconds=1)
"""Whatever wakes a scan within it makes one run."""

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)

log = logging.getLogger(__name__)


def after_commit(tx: Transaction) -> None:
    """Ring for what a transaction enqueued, and for the scans it woke.

    Never fails the caller: whatever goes wrong, the clock finds the rows, and each scan has its next slot.
    """
    try:
        hand_over([DueRow(delivery_id, kind, alone=False) for kind, delivery_id in tx.enqueued])
    except SQLAlchemyError as error:
        log.warning("could not mark what was handed over: %s", type(error).__name__)
    _wake(tx.woken)


def hand_over_due() -> int:
    """Hand over what is due, as far as there is room; how many the queues took. Each queue is asked for by itself: a
    full one holds up no other. Raises RedisError when Redis is away."""
    rooms = [(queue, _room(queue)) for queue in QueueName if kinds_in(queue)]
    due = [queries.due(kinds_in(queue), room * IDS_PER_JOB) for queue, room in rooms if room]
    return len(hand_over(list(chain.from_iterable(due))))


def hand_over(rows: Sequence[DueRow]) -> list[int]:
    """First RQ, then the mark. Refused: the rows stay owed and say so. Those that find no room, or are of a kind that
    is gone, just stay owed."""
    rows = [row for row in rows if row.kind in KINDS]
    if not rows:
        return []
    rung = None if broker.skipped() else _ring(rows)
    if rung == []:
        return []
    with writing() as tx:
        if rung is not None:
            return transitions.hand_over(tx, rung)
        transitions.refuse_hand_over(tx, [row.id for row in rows])
    return []


def hand_over_lost(queue: QueueName, queued_before: datetime) -> int:
    """Give RQ once more what it lost of this queue; how many that were. Room or not: they had theirs before, and while
    much is owed the clock leaves none."""
    rows = queries.lost(kinds_in(queue), queued_before, LOST_PER_RUN)
    if not rows or not _ring(rows, bounded=False):
        return 0
    log.info("%d deliveries that the queue %s lost were handed over again", len(rows), queue)
    with writing() as tx:
        return len(transitions.hand_over_again(tx, [row.id for row in rows], queued_before))


def register_scan(scan: Scan, slot: datetime) -> str:
    """Put a slot into RQ's scheduled registry, once: the slot makes the job's id, which is returned."""
    job_id = f"scan-{scan.name}-{slot:%Y%m%dT%H%M}" + (f"{slot:%S}" if slot.second else "")
    with suppress(DuplicateJobError):
        broker.queue(scan.queue).enqueue_at(
            slot,
            SCAN_JOB,
            kwargs={"name": scan.name, "slot": slot.isoformat()},
            job_id=job_id,
            unique=True,
            at_front=True,  # each delivery job ahead of it may take its 25 s
            result_ttl=0,
            failure_ttl=FAILED_SCAN_KEPT,
            description=f"scan {scan.name}",
        )
    return job_id


def oldest_job_at(queue_name: QueueName) -> datetime | None:
    """When the delivery job now at the head of this queue was put there, by our clock; None if there is none.

    Raises RedisError when Redis is away. Scan jobs, and ids whose job has vanished or is rubbish, are looked past; if
    nothing else stands at the head, the queue is taken for very old: nothing in it is lost.
    """
    ids = broker.queue(queue_name).get_job_ids(0, HEADS_LOOKED_AT)
    found = next((at for at in map(_enqueued_at, ids) if at is not None), None)
    return found or (LONG_AGO if len(ids) == HEADS_LOOKED_AT else None)


def _enqueued_at(job_id: str) -> datetime | None:
    try:
        job = Job.fetch(job_id, connection=broker.redis, serializer=JSONSerializer)
        at = datetime.fromisoformat(job.meta["at"])
    except (NoSuchJobError, KeyError, TypeError, ValueError):
        return None
    return at if at.tzinfo else None


def _wake(names: Set[str]) -> None:
    """Give each of these scans a slot of its own: the second that begins next, so that it runs after the commit.

    Wakes of one second share it. A run that is under way counts for nothing: it may have looked already.
    """
    if not names or broker.skipped():
        return
    slot = slot_of(now(), WAKES_TOGETHER) + WAKES_TOGETHER
    try:
        for name in names & SCANS.keys():
            register_scan(SCANS[name], slot)
    except REDIS_FAULTS as error:
        broker.failed()
        log.warning("Redis did not take a scan: %s", type(error).__name__)


def _room(queue: QueueName) -> int:
    return max(0, JOBS_PER_QUEUE - broker.queue(queue).count)


def _ring(rows: Iterable[DueRow], bounded: bool = True) -> list[int] | None:
    """The ids that RQ took; None if it refused. If `bounded`, no more jobs than each queue has room for."""
    by_queue: dict[QueueName, list[DueRow]] = defaultdict(list)
    for row in rows:
        by_queue[KINDS[row.kind].queue].append(row)
    rung = list[int]()
    try:
        with broker.redis.pipeline() as pipe:
            for name, its_rows in by_queue.items():
                room = _room(name) if bounded else None
                jobs = list(islice(batches(its_rows, IDS_PER_JOB), room))
                broker.queue(name).enqueue_many([_job(*one) for one in jobs], pipeline=pipe)
                rung += [one for _, ids in jobs for one in ids]
            pipe.execute()
    except REDIS_FAULTS as error:
        broker.failed()
        log.warning("Redis did not take deliveries: %s", type(error).__name__)
        return None
    return rung


def _job(kind: str, ids: list[int]) -> EnqueueData:
    return Queue.prepare_data(
        DELIVER_JOB,
        kwargs={"kind": kind, "ids": ids},
        timeout=JOB_TIMEOUT,
        result_ttl=0,
        failure_ttl=FAILED_JOB_KEPT,
        meta={"at": now().isoformat()},
        description=f"deliver {kind}",
    )
