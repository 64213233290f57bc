"""Releasing what waits in bulk retries, at the rate that each has: every item is an ordinary retry, by who wanted it.

A run takes as many as the rate allows since the last one, and wakes the next. What it retries, what it writes down of
that, and what it notes of the items are one transaction: killed anywhere, it has retried each of them or none.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any

from sqlalchemy import Row, Select, and_, select, update

from app import audit
from app.accounts.models import Account, Role
from app.audit import Actor
from app.clock import now, pause
from app.extensions import db
from app.operations.bulk import SCAN, stop_without_right
from app.operations.bulk_models import WAITS, BulkRetry, BulkRetryItem, ItemState
from app.operations.bulk_plan import needs_new_key, skipped_because
from app.operations.deliveries import SUBJECT
from app.outbox import transitions
from app.outbox.models import Delivery
from app.outbox.state import State
from app.transaction import PAUSE, Transaction, writing

MINUTE = timedelta(minutes=1)
"""A run that comes later than that makes up for no more than it."""
MOST_AT_ONCE = 100
"""Items in one transaction, however much the rate allows: a person's click waits for it on SQLite, 20 ms."""


def release_waiting() -> dict[str, int]:
    """One run of the scan: how many deliveries were retried, and how many skipped."""
    figures = Counter(retried=0, passed_over=0)
    for bulk_id in _unfinished():
        more = True
        while more:
            with writing() as tx:
                done = release(tx, bulk_id)
            figures.update(done)
            more = sum(done.values()) == MOST_AT_ONCE
            pause(PAUSE)
    return dict(figures)


def release(tx: Transaction, bulk_id: int) -> dict[str, int]:
    """Retry as many of one bulk retry as its rate allows now, and skip what stands between; or end it, if whoever
    wanted it may retry nothing any more. Of two who come at once the second does nothing."""
    bulk = tx.session.execute(_held(bulk_id)).first()
    if bulk is None:
        return {}
    at = now()
    since = _since(bulk.released_until, at)
    allowed = max(0, min((at - since) * bulk.rate // MINUTE, MOST_AT_ONCE))
    maker = _maker(tx, bulk.made_by)
    if not maker.may_retry:
        stop_without_right(tx, bulk_id)
        return {}
    actor = Actor(bulk.made_by, maker.name)
    waiting = tx.session.execute(_next(bulk_id, MOST_AT_ONCE if allowed else 0, at, bulk.with_doubles)).all()
    items = _up_to(allowed, waiting)
    retried = _retry(tx, actor, bulk_id, items)
    skipped = {item.delivery_id: item.why or State.FAILED for item in items if item.delivery_id not in retried}
    _settle(tx, bulk_id, retried, skipped, at)
    left = bulk.total - bulk.released - bulk.skipped - len(items)
    counted = {
        "released": bulk.released + len(retried),
        "skipped": bulk.skipped + len(skipped),
        "released_until": since + MINUTE * len(retried) / bulk.rate,
        "finished_at": None if left else at,
    }
    tx.session.execute(update(BulkRetry).where(BulkRetry.id == bulk_id).values(**counted))
    if left:
        tx.wake(SCAN)
    return {"retried": len(retried), "passed_over": len(skipped)}


def _since(released_until: datetime, at: datetime) -> datetime:
    """From when on the rate is free. The clocks of two machines differ a little; what lies further ahead than that was
    written by a clock that was wrong, and does not count."""
    return at if released_until > at + MINUTE else max(released_until, at - MINUTE)


def _unfinished() -> Sequence[int]:
    return db.session.scalars(select(BulkRetry.id).where(BulkRetry.finished_at.is_(None)).order_by(BulkRetry.id)).all()


def _held(bulk_id: int) -> Select[*tuple[Any, ...]]:
    """The bulk retry, if something of it waits and nobody else releases or stops it."""
    columns = (
        BulkRetry.id, BulkRetry.rate, BulkRetry.with_doubles, BulkRetry.total, BulkRetry.released, BulkRetry.skipped,
        BulkRetry.released_until, BulkRetry.made_by,
    )  # fmt: skip
    going_on = (BulkRetry.id == bulk_id) & BulkRetry.finished_at.is_(None)
    return select(*columns).where(going_on).with_for_update(skip_locked=True)


def _maker(tx: Transaction, account_id: int) -> Row[*tuple[Any, ...]]:
    """Who wanted it, and whether they may still retry; held before any delivery, as whoever deletes an account takes
    them: the audit refers to it, and in another order the two could wait for each other."""
    may_retry = and_(Account.active.expression, Account.role == Role.ADMIN).label("may_retry")
    row = select(Account.name, may_retry).where(Account.id == account_id)
    return tx.session.execute(row.with_for_update(read=True, key_share=True)).one()


def _next(bulk_id: int, limit: int, at: datetime, with_doubles: bool) -> Select[*tuple[Any, ...]]:
    """The next items with their deliveries, which nobody else moves from now on."""
    columns = (
        BulkRetryItem.delivery_id, BulkRetryItem.seen_attempts, Delivery.failure_code, Delivery.key_ambiguous,
        needs_new_key(at).label("new_key"),
        skipped_because(at, with_doubles=with_doubles, own_id=bulk_id).label("why"),
    )  # fmt: skip
    rows = select(*columns).join(Delivery, Delivery.id == BulkRetryItem.delivery_id)
    waiting = rows.where(BulkRetryItem.bulk_retry_id == bulk_id, WAITS).order_by(BulkRetryItem.delivery_id)
    return waiting.limit(limit).with_for_update(of=Delivery, skip_locked=True)


def _up_to(allowed: int, items: Sequence[Row[*tuple[Any, ...]]]) -> Sequence[Row[*tuple[Any, ...]]]:
    """The first of them, with no more to be retried among them than is allowed: what is skipped takes no time."""
    numbers = accumulate(item.why is None for item in items)
    return [item for item, number in zip(items, numbers, strict=True) if number <= allowed]


def _retry(tx: Transaction, actor: Actor, bulk_id: int, items: Collection[Row[*tuple[Any, ...]]]) -> set[int]:
    """Retry those that are to be; the ids of those that stood as they did when the set was frozen."""
    alike: dict[tuple[bool, int], list[int]] = defaultdict(list)
    for item in items:
        if item.why is None:
            alike[item.new_key, item.seen_attempts].append(item.delivery_id)
    retried = set[int]()
    for (new_key, seen_attempts), ids in alike.items():
        retried.update(transitions.retry_failed(tx, ids, new_key, seen_attempts))
    facts = {
        item.delivery_id: {
            "state": State.FAILED, "code": item.failure_code, "new_key": item.new_key,
            "may_double": item.new_key and item.key_ambiguous, "bulk_retry": bulk_id,
        }
        for item in items if item.delivery_id in retried
    }  # fmt: skip
    audit.note_each(tx, actor, "retry", SUBJECT, facts)
    return retried


def _settle(tx: Transaction, bulk_id: int, retried: set[int], skipped: dict[int, str], at: datetime) -> None:
    """Note of each item what has become of it."""
    by_why: dict[str | None, list[int]] = defaultdict(list)
    if retried:
        by_why[None] = sorted(retried)
    for delivery_id, why in skipped.items():
        by_why[why].append(delivery_id)
    for because, ids in by_why.items():
        state = ItemState.SKIPPED if because else ItemState.RELEASED
        these = (BulkRetryItem.bulk_retry_id == bulk_id) & BulkRetryItem.delivery_id.in_(ids)
        tx.session.execute(update(BulkRetryItem).where(these).values(state=state, why=because, acted_at=at))
