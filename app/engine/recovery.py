"""Finding what the queue or a worker lost: leases that ran out, ids that RQ lost, times that passed."""

from datetime import timedelta

from app.clock import now
from app.engine.handover import hand_over_due, hand_over_lost, oldest_job_at
from app.extensions import broker
from app.kinds import QueueName, kinds_in
from app.outbox import transitions
from app.outbox.retry_key import LIFETIME
from app.transaction import writing

LOST_AFTER = timedelta(seconds=60)
ROWS_PER_RUN = 1000


def recover() -> dict[str, int]:
    """Take back what dead workers held, end what is too late, and ring again for what RQ lost. Returns figures."""
    with writing() as tx:
        figures = transitions.rescue(tx, ROWS_PER_RUN)
    with writing() as tx:
        figures["expired"] = len(transitions.expire(tx, limit=ROWS_PER_RUN))
    with writing() as tx:
        transitions.forget_frozen(tx, now() - LIFETIME, ROWS_PER_RUN)
    if broker.answers():
        figures["lost_by_queue"] = sum(_recover_queue(queue) for queue in QueueName if kinds_in(queue))
        figures["handed_over"] = hand_over_due()
    return figures


def _recover_queue(queue: QueueName) -> int:
    """RQ is first-in first-out: older than the job at the head means gone. A long queue is never taken for a loss."""
    return hand_over_lost(queue, (oldest_job_at(queue) or now()) - LOST_AFTER)
