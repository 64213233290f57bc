"""A hundred deliveries that are due or were lost, beside whatever else a ledger holds; and the same ones once more."""

from datetime import timedelta

from sqlalchemy import delete, insert, update

from app.clock import now
from app.outbox.models import Attempt, Delivery
from app.outbox.state import State
from app.transaction import writing

DUE, LOST, HELD, BEGUN = 40, 30, 15, 15
"""Owed; lost by the queue; in the hands of a worker that is gone, and such with a request begun."""


def owe() -> range:
    """Write them down; their ids."""
    at = now()
    same = {
        "kind": "shift_reminder", "channel": "line", "subject_type": "none", "subject_id": 1,
        "address_type": "line_link", "address_id": 1, "address_label": "講師", "gate_key": "line", "state": "pending",
        "next_trigger": "auto", "created_at": at, "updated_at": at, "attempts": 0, "round_attempts": 0, "rescues": 0,
        "key_ambiguous": False, "dead_letter": False, "already_accepted": False,
    }  # fmt: skip
    with writing() as tx:
        rows = [{"dedup_key": f"owed:{one}", **same} for one in range(DUE + LOST + HELD + BEGUN)]
        ids = tx.session.scalars(insert(Delivery).returning(Delivery.id), rows).all()
    owed = range(min(ids), max(ids) + 1)
    assert len(owed) == len(rows)
    restore(owed)
    return owed


def restore(owed: range) -> None:
    """Let them stand where they stood, and nothing be owed since."""
    long_ago = now() - timedelta(hours=1)
    plain = {
        "state": State.PENDING, "next_attempt_at": None, "queued_at": None, "rescues": 0, "lease_token": None,
        "lease_until": None, "failure_code": None, "key_ambiguous": False, "next_trigger": "auto",
    }  # fmt: skip
    lost = {"state": State.QUEUED, "queued_at": long_ago}
    dead = {"state": State.SENDING, "lease_token": "gone", "lease_until": long_ago}
    opened = {"number": 1, "trigger": "auto", "started_at": long_ago, "may_have_arrived": True}
    with writing() as tx:
        tx.session.execute(delete(Attempt).where(Attempt.delivery_id >= owed.start))
        tx.session.execute(delete(Delivery).where(Delivery.id >= owed.stop))
        for some, values in ((owed, plain), (owed[DUE:], lost), (owed[DUE + LOST :], dead)):
            tx.session.execute(update(Delivery).where(Delivery.id.between(some.start, some.stop - 1)).values(**values))
        tx.session.execute(insert(Attempt), [{"delivery_id": one, **opened} for one in owed[-BEGUN:]])
