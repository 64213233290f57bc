"""Once something was sent: what was said is kept, and the watch knows what it told last."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import String, case, literal, null, select, update

from app.accounts.models import Account
from app.clock import now
from app.columns import BigInt, UtcDateTime
from app.inbox.models import Notification
from app.kinds import Told
from app.sources.prices.audience import KIND, SUBJECT
from app.sources.prices.models import Finding, Said, Watch
from app.sources.prices.saying import Saying, saying_of
from app.transaction import Transaction


def note_told(tx: Transaction, sent: Sequence[Told]) -> None:
    """Keep what each delivery said. The first of a finding moves `last_notified_*` of its watch and fills the inbox."""
    # In the order of the watches, as detection holds them.
    noted = [(one.delivery.id, saying_of(one.note)) for one in sent]
    said = sorted(noted, key=lambda one: (one[1].watch_id, one[0]))
    told = _held(tx, [saying.finding_id for _id, saying in said])
    kept = [_kept(delivery_id, saying) for delivery_id, saying in said if saying.finding_id in told]
    if kept:
        tx.execute(tx.insert(Said), kept)
    for _delivery_id, saying in said:
        if told.get(saying.finding_id, now()) is None:
            told[saying.finding_id] = now()
            _note_first(tx, saying)


def _held(tx: Transaction, finding_ids: Sequence[int]) -> dict[int, datetime | None]:
    """When each was told first. One whose account was deleted meanwhile is gone."""
    rows = select(Finding.id, Finding.told_at).where(Finding.id.in_(finding_ids)).order_by(Finding.id)
    return dict(tx.session.execute(rows.with_for_update()).all())


def _kept(delivery_id: int, saying: Saying) -> dict[str, Any]:
    return {"delivery_id": delivery_id, "finding_id": saying.finding_id, "price": saying.price,
            "currency": saying.currency, "target": saying.wish.target, "percent": saying.wish.percent,
            "baseline": saying.wish.baseline, "read_at": saying.read_at}  # fmt: skip


def _note_first(tx: Transaction, saying: Saying) -> None:
    tx.execute(update(Finding).where(Finding.id == saying.finding_id).values(told_at=now()))
    tx.execute(
        update(Watch)
        .where(Watch.id == saying.watch_id)
        .values(
            last_notified_price=saying.price,
            last_notified_at=now(),
            # A look that came after the price was read for this may have seen that it is over already.
            false_since=case((Watch.false_since > saying.read_at, Watch.false_since), else_=null()),
        )
    )
    _fill_inbox(tx, saying)


def _fill_inbox(tx: Transaction, saying: Saying) -> None:
    columns = ["account_id", "event_key", "kind", "subject_type", "subject_id", "created_at"]
    texts = [literal(one, String) for one in (f"{KIND}:{saying.finding_id}", KIND, SUBJECT)]
    values = (*texts, literal(saying.finding_id, BigInt), literal(now(), UtcDateTime))
    # Whoever deletes the account holds it, and waits for the delivery that is held here: not waiting for them in turn.
    # Their inbox is going anyway.
    theirs = (
        select(Account.id, *values)
        .join(Watch, Watch.account_id == Account.id)
        .where(Watch.id == saying.watch_id, Account.deleted_at.is_(None))
        .with_for_update(read=True, key_share=True, of=Account, skip_locked=True)
    )
    rows = tx.insert(Notification).from_select(columns, theirs)
    tx.execute(rows.on_conflict_do_nothing(index_elements=["account_id", "event_key"]))
