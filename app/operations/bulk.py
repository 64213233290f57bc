"""Retrying many failed deliveries at once: who wants it freezes the set, and may stop it.

The set is what it was when it was frozen, however long it takes to release; a delivery that has moved on by then is
skipped. A delivery that failed waits in one bulk retry at most.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from flask_babel import gettext as _
from sqlalchemy import case, func, literal, null, select, true, update

from app import audit
from app.accounts.signed_in import Who
from app.audit import CLOCK, Actor, Detail
from app.clock import now
from app.columns import BigInt, UtcDateTime, there_is
from app.faults import Fault, InvalidInput
from app.once import make_once
from app.operations.bulk_models import WAITS, BulkRetry, BulkRetryItem, ItemState
from app.operations.bulk_plan import RATES, Selection, Skip, chosen, skipped_because
from app.operations.why import checked, noted
from app.outbox.models import Delivery
from app.transaction import Transaction

SUBJECT = "bulk_retry"
SCAN = "bulk_retry"
"""Releases what waits."""


class NothingToRetryError(Exception):
    """None of what was chosen can be retried, or not any more."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody wants to be retried, so many a minute. `asked` is the filter as it was chosen, without any term
    that was searched for; `why` the operator's own words, which may be none."""

    selection: Selection
    asked: Mapping[str, str | int]
    rate: int
    with_doubles: bool
    why: str


def begin(tx: Transaction, who: Who, request_id: str, wanted: Wanted) -> int:
    """Freeze the set, once for each form, and let it be released; the id of the bulk retry.

    Raises InvalidInput, NothingToRetryError.
    """
    why = _checked(wanted)
    at, form = now(), {"made_by": who.id, "request_id": request_id}
    sent = (repr(wanted.selection), wanted.rate, wanted.with_doubles, why)
    said: Detail = {"rate": wanted.rate, "with_doubles": wanted.with_doubles}
    made = make_once(
        tx, BulkRetry, form, sent, asked=dict(wanted.asked), made_at=at, released_until=at, why=why, **said
    )
    if not made.again:
        total, skipped = _freeze(tx, made.id, wanted, at)
        if total == skipped:
            raise NothingToRetryError
        counted = update(BulkRetry).where(BulkRetry.id == made.id).values(total=total, skipped=skipped)
        tx.session.execute(counted)
        audit.note(tx, who.actor, "begin_bulk_retry", (SUBJECT, made.id), {"total": total, **said, **noted(why)})
        tx.wake(SCAN)
    return made.id


def stop(tx: Transaction, who: Who, bulk_id: int) -> bool:
    """What waits is not retried any more; False if nothing waited. Whoever releases some at this moment comes first."""
    return _end(tx, who.actor, bulk_id)


def stop_without_right(tx: Transaction, bulk_id: int) -> None:
    """The same where nobody stops it: whoever wanted it may retry nothing any more."""
    _end(tx, CLOCK, bulk_id)


def _end(tx: Transaction, actor: Actor, bulk_id: int) -> bool:
    at = now()
    over = {
        "stopped_at": at, "stopped_by": actor.account_id, "finished_at": at,
        "skipped": BulkRetry.total - BulkRetry.released,
    }  # fmt: skip
    going_on = (BulkRetry.id == bulk_id) & BulkRetry.finished_at.is_(None)
    released = tx.session.scalar(update(BulkRetry).where(going_on).values(**over).returning(BulkRetry.released))
    if released is None:
        return False
    waiting = update(BulkRetryItem).where(BulkRetryItem.bulk_retry_id == bulk_id, WAITS)
    tx.session.execute(waiting.values(state=ItemState.SKIPPED, why=Skip.STOPPED, acted_at=at))
    audit.note(tx, actor, "stop_bulk_retry", (SUBJECT, bulk_id), {"released": released})
    return True


def _checked(wanted: Wanted) -> str:
    """The operator's words as they were meant. Raises InvalidInput."""
    if wanted.rate not in RATES:
        raise InvalidInput(Fault("rate", _("Choose one of the list.")))
    return checked(wanted.why)


def _freeze(tx: Transaction, bulk_id: int, wanted: Wanted, at: datetime) -> tuple[int, int]:
    """How many they are, and how many of them are skipped at once.

    Asked twice, for what somebody else froze at the same moment: the first time the database leaves it out without a
    word, the second time it is found waiting elsewhere, and skipped for that.
    """
    total = _freeze_the_rest(tx, bulk_id, wanted, at) + _freeze_the_rest(tx, bulk_id, wanted, at)
    skipped = (BulkRetryItem.bulk_retry_id == bulk_id) & (BulkRetryItem.state == ItemState.SKIPPED)
    return total, tx.session.scalar(select(func.count()).where(skipped)) or 0


def _freeze_the_rest(tx: Transaction, bulk_id: int, wanted: Wanted, at: datetime) -> int:
    """Make an item of every delivery that has none here so far; how many that were."""
    why = skipped_because(at, with_doubles=wanted.with_doubles, own_id=bulk_id).label("why")
    mine = (BulkRetryItem.bulk_retry_id == bulk_id) & (BulkRetryItem.delivery_id == Delivery.id)
    missing = chosen(wanted.selection) & ~there_is(BulkRetryItem, where=mine)
    each = select(Delivery.id, Delivery.attempts, why).where(missing).subquery().c
    goes = each.why.is_(None)
    columns = {
        BulkRetryItem.bulk_retry_id: literal(bulk_id, BigInt),
        BulkRetryItem.delivery_id: each.id,
        BulkRetryItem.seen_attempts: each.attempts,
        BulkRetryItem.state: case((goes, ItemState.WAITING.value), else_=ItemState.SKIPPED.value),
        BulkRetryItem.why: each.why,
        BulkRetryItem.acted_at: case((goes, null()), else_=literal(at, UtcDateTime)),
    }
    # In their order, so that two who freeze the same deliveries do not wait for each other.
    rows = select(*columns.values()).where(true()).order_by(each.id)
    items = tx.insert(BulkRetryItem).from_select([column.key for column in columns], rows)
    return tx.count(items.on_conflict_do_nothing())
