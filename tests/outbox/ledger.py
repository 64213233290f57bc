"""Deliveries put into any state, and what the tables hold of them afterwards."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from sqlalchemy import select

from app.clock import now
from app.codes import CancelReason, FailureCode
from app.extensions import db
from app.outbox import transitions
from app.outbox.models import Attempt, Delivery
from app.outbox.moves import Begin, Claimed
from app.outbox.state import State, Trigger
from app.transaction import Transaction, writing
from tests.factories import change, make_tutor, owe

KEY = "11111111-1111-4111-8111-111111111111"
OTHER_KEY = "22222222-2222-4222-8222-222222222222"
REQUEST = b'{"to":"U1","messages":[]}'

MINUTE = timedelta(minutes=1)


@contextmanager
def quietly() -> Iterator[Transaction]:
    """A write transaction after which no doorbell rings."""
    with writing() as tx:
        yield tx
        tx.enqueued.clear()


def owing(**changes: Any) -> int:
    """A pending delivery, due now."""
    tutor = make_tutor()
    with quietly() as tx:
        return owe(tx, tutor, **changes)


def place(state: State, **changes: Any) -> int:
    """A delivery in this state, as it would have come there; with `changes` to its columns."""
    delivery_id = owing()
    change(Delivery, delivery_id, **_usual(state) | changes)
    return delivery_id


def move(delivery_id: int, state: State) -> None:
    """Put it into another state behind everybody's back; a lease that is held stays held."""
    change(Delivery, delivery_id, state=state)


def claimed(delivery_id: int) -> Claimed:
    """Claimed by a worker."""
    with quietly() as tx:
        (one,) = transitions.claim(tx, "probe", [delivery_id])
    return one


def begun(one: Claimed, key: str | None = KEY, request: bytes = REQUEST) -> int:
    """A request about to be made, and its attempt's id."""
    with quietly() as tx:
        return transitions.begin(tx, [Begin(one, request, key)])[one.id]


def row(delivery_id: int) -> dict[str, Any]:
    """Every column of a delivery as the database holds it now."""
    db.session.rollback()
    found = db.session.execute(select(Delivery.__table__).where(Delivery.id == delivery_id)).mappings().one()
    return dict(found)


def rows(delivery_ids: Iterable[int]) -> list[dict[str, Any]]:
    """Every column of each."""
    return [row(delivery_id) for delivery_id in delivery_ids]


def tries(delivery_id: int) -> list[dict[str, Any]]:
    """Every column of each of its attempts, oldest first."""
    db.session.rollback()
    found = select(Attempt.__table__).where(Attempt.delivery_id == delivery_id).order_by(Attempt.number)
    return [dict(one) for one in db.session.execute(found).mappings()]


def _usual(state: State) -> dict[str, Any]:
    at = now()
    usual: dict[State, dict[str, Any]] = {
        State.PENDING: {},
        State.QUEUED: {"queued_at": at},
        State.SENDING: {"queued_at": at, "lease_token": "a" * 32, "lease_until": at + transitions.LEASE},
        State.RETRY: {"failure_code": FailureCode.LINE_TIMEOUT, "attempts": 1, "round_attempts": 1},
        State.SENT: {"finished_at": at, "attempts": 1, "round_attempts": 1},
        State.CANCELED: {"finished_at": at, "cancel_reason": CancelReason.BY_OPERATOR},
        State.FAILED: {
            "finished_at": at, "failure_code": FailureCode.LINE_BAD_REQUEST, "attempts": 1, "round_attempts": 1,
        },
    }  # fmt: skip
    return {"state": state, "next_trigger": Trigger.AUTO, **usual[state]}
