"""One verb per arrow of `state.py`, each a compare-and-set: nobody else writes `Delivery.state`.

Every verb says in its WHERE clause which state it leaves, so that of two who try only one succeeds, and a worker
that lost its lease changes nothing. What comes back is what really moved.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, case, func, select, update

from app.clock import now
from app.codes import CancelReason, FailureCode
from app.columns import NOW, there_is, unindexed
from app.kinds import KINDS
from app.outbox import gates, hours
from app.outbox.attempts import close_attempts, lose_attempts, note_unanswered, open_attempts, open_attempts_of
from app.outbox.models import Attempt, Delivery, DeliveryHour
from app.outbox.moves import FORGOTTEN, REVERSIBLE, Begin, Claimed, Ended, without_request
from app.outbox.order import OLDEST_FIRST, comes_after
from app.outbox.queries import is_claimable, is_claimable_with, is_due, waits
from app.outbox.retry_key import oldest_usable
from app.outbox.state import RETRYABLE, WAITING, State, Trigger
from app.outbox.statements import BLIND, DELIVERY, held, lock_some, move, owe_again, skipping_locked, write_each
from app.place import Place
from app.tokens import lease_token
from app.transaction import Transaction

LEASE = timedelta(seconds=120)
REFUSED_WAIT = timedelta(minutes=15)
"""What a row shows as its next try while Redis is away; it is due at once when Redis answers."""
FREE_RESCUES = 5

_WITHOUT_QUEUE_CODE = func.nullif(Delivery.failure_code, FailureCode.QUEUE_ENQUEUE_FAILED)
_ONE_TRY_MORE: dict[str, Any] = {"attempts": Delivery.attempts + 1, "round_attempts": Delivery.round_attempts + 1}
_UNLEASED: dict[str, Any] = {"lease_token": None, "lease_until": None}
_WITHOUT_KEY: dict[str, Any] = {"retry_key": None, "retry_key_used_at": None, "key_ambiguous": False, **FORGOTTEN}
_DUE = and_(DELIVERY.c.id.in_(bindparam("ids", expanding=True)), unindexed(is_due()))
_HANDED_OVER = update(DELIVERY).where(_DUE).values(
    state=State.QUEUED, queued_at=NOW, updated_at=NOW, next_attempt_at=None, failure_code=_WITHOUT_QUEUE_CODE
).returning(DELIVERY.c.id)  # fmt: skip


def hand_over(tx: Transaction, ids: Collection[int]) -> list[int]:
    """pending, retry (due) → queued. Called *after* RQ took them: a mark that outruns the queue is a lie."""
    return list(tx.execute(_HANDED_OVER, {"ids": list(ids)}).scalars())


def hand_over_again(tx: Transaction, ids: Collection[int], queued_before: datetime) -> list[int]:
    """queued → queued: RQ lost them and was given them once more."""
    lost = (Delivery.state == State.QUEUED) & (Delivery.queued_at < queued_before)
    return move(tx, update(Delivery).where(Delivery.id.in_(ids), unindexed(lost)).values(queued_at=now()))


def refuse_hand_over(tx: Transaction, ids: Collection[int]) -> list[int]:
    """pending → pending: RQ did not take them. A retry row keeps its own code and time."""
    refused = {"failure_code": FailureCode.QUEUE_ENQUEUE_FAILED, "next_attempt_at": now() + REFUSED_WAIT}
    owed = and_(Delivery.state == State.PENDING, is_due())
    return move(tx, update(Delivery).where(Delivery.id.in_(ids), unindexed(owed)).values(**refused))


def claim(tx: Transaction, kind: str, ids: Sequence[int]) -> list[Claimed]:
    """pending, queued, retry → sending, for those of this kind that are due or queued; ends those that are too late."""
    if not ids:
        return []
    _expire(tx, and_(Delivery.id.in_(ids), unindexed(and_(Delivery.kind == kind, _is_late()))), len(ids))
    taken = is_claimable_with(kind, ids)
    probes = _at_gates_wanting_a_probe(tx, taken)
    taken = and_(taken, Delivery.id.not_in([one for behind in probes.values() for one in behind[1:]]))
    free = skipping_locked(select(Delivery.id).where(taken))
    leased = {"state": State.SENDING, "lease_token": lease_token(), "lease_until": now() + LEASE}
    cleared = {"next_attempt_at": None, "failure_code": _WITHOUT_QUEUE_CODE, "updated_at": now()}
    # The state is tested again outside: PostgreSQL re-reads a row that changed while it waited for it.
    claimed = update(Delivery).where(Delivery.id.in_(free), taken).values(**leased, **cleared)
    columns = [getattr(Delivery, name) for name in Claimed.__slots__]
    rows = tx.session.execute(claimed.returning(*columns), execution_options=BLIND)
    held_now = sorted((Claimed(*row) for row in rows), key=lambda one: one.place)
    for one in held_now:
        if one.gate_key in probes:
            gates.let_through(tx, one.gate_key, one.id)
    return held_now


def _at_gates_wanting_a_probe(tx: Transaction, wanted: ColumnElement[bool]) -> dict[str, list[int]]:
    """The ids of these behind each such gate, oldest first: the first may go, and the others wait for its answer."""
    behind = select(Delivery.id).where(wanted).order_by(*OLDEST_FIRST)
    return {gate: lock_some(tx, behind.where(Delivery.gate_key == gate)) for gate in gates.hold_wanting_a_probe(tx)}


def claim_due(
    tx: Transaction, kind: str, limit: int, full: Collection[str], after: Place | None = None
) -> list[Claimed]:
    """The same for whatever is owed of this kind `after` this place, oldest first; nothing behind the gates that are
    `full`. What no job will come for goes before what has one in the queue: so few jobs find that others took theirs.
    """
    free = select(Delivery.id).where(Delivery.kind == kind, unindexed(and_(is_claimable(), Delivery.rescues == 0)))
    if after is not None:
        free = free.where(comes_after(after))
    if full:
        free = free.where(Delivery.gate_key.not_in(full))
    found: list[int] = []
    for state in WAITING:  # one at a time: an index then gives them in order
        of_state = free.where(Delivery.state == state).order_by(*OLDEST_FIRST)
        found += lock_some(tx, of_state.limit(limit - len(found))) if len(found) < limit else []
    return claim(tx, kind, found)


def begin(tx: Transaction, requests: Sequence[Begin]) -> dict[int, int]:
    """sending → sending: requests are about to be made. Gives the attempt's id for each whose lease still holds.

    Committed *before* the request: after a power cut the key's first use, and the bytes sent with it, are known.
    """
    at = now()
    leased = and_(held([one.claimed for one in requests]), Delivery.lease_until > at)
    used = select(Delivery.id, Delivery.retry_key_used_at).where(leased).with_for_update()
    used_at = dict(tx.session.execute(used).all())
    begun = [one for one in requests if one.claimed.id in used_at and _key_is_good(one, used_at[one.claimed.id])]
    values = {one.claimed.id: one.values(at) for one in begun}
    write_each(tx, values, {**_ONE_TRY_MORE, "lease_until": now() + LEASE})
    return open_attempts(tx, [one.claimed.next_try(one.retry_key) for one in begun])


def _key_is_good(one: Begin, first_use: datetime | None) -> bool:
    """It was young enough when the request was chosen; waiting for the lock may have made it too old."""
    return first_use is None or one.is_first_use or first_use > oldest_usable(now())


def renew(tx: Transaction, claims: Sequence[Claimed]) -> list[Claimed]:
    """sending → sending: a longer lease while a batch runs. Returns those that are still held."""
    leased = update(Delivery).where(held(claims), Delivery.lease_until > now())
    kept = set(move(tx, leased.values(lease_until=now() + LEASE)))
    return [one for one in claims if one.id in kept]


def finish(tx: Transaction, ended: Sequence[Ended]) -> set[int]:
    """sending → sent, canceled, retry, failed; fenced by the lease token. Returns the ids that moved.

    Where the lease was lost, the late answer is kept on its attempt and changes no state.
    """
    at, claims = now(), [one.claimed for one in ended]
    # Deliveries before their attempts, as `rescue` takes them: in another order the two could wait for each other.
    ours = set(tx.session.scalars(select(Delivery.id).where(held(claims)).with_for_update()))
    moving = [one for one in ended if one.claimed.id in ours]
    asked = {one.claimed.id: _ending(one, at) for one in moving if not one.unanswered}
    unasked = {one.claimed.id: _ending(one, at) for one in moving if one.unanswered}
    write_each(tx, asked, _UNLEASED)
    write_each(tx, unasked, {**_UNLEASED, **_ONE_TRY_MORE})
    close_attempts(tx, {one.attempt_id: one.finish.attempt for one in ended if one.attempt_id and one.finish.attempt})
    note_unanswered(tx, [(one.claimed.next_try(), one.unanswered) for one in moving if one.unanswered])
    return ours


def _ending(one: Ended, at: datetime) -> dict[str, Any]:
    finished = {} if one.finish.to is State.RETRY else {"finished_at": at}
    return {"state": one.finish.to, "next_trigger": Trigger.AUTO, **finished, **one.finish.values}


def release(tx: Transaction, claims: Sequence[Claimed], until: datetime | None = None) -> list[int]:
    """sending → pending, before `begin` only; no try is used. `until` postpones it (UTC)."""
    if not claims:
        return []
    open_try = there_is(Attempt, where=(Attempt.delivery_id == Delivery.id) & Attempt.finished_at.is_(None))
    given_back = {"state": State.PENDING, "next_attempt_at": until, **_UNLEASED}
    return move(tx, update(Delivery).where(held(claims), ~open_try).values(**given_back))


def rescue(tx: Transaction, limit: int) -> dict[str, int]:
    """sending (lease over) → retry or failed with an open try, which is lost and counts; else → pending, free.

    Returns how many were `lost` (a try), `released` (free) and `failed`.
    """
    over = and_(Delivery.state == State.SENDING, Delivery.lease_until <= now(), Delivery.kind.in_(list(KINDS)))
    found = tx.session.execute(
        skipping_locked(
            select(Delivery.id, Delivery.kind, Delivery.round_attempts, Delivery.rescues, Delivery.lease_token)
            .where(over).order_by(Delivery.lease_until).limit(limit)
        )
    ).all()  # fmt: skip
    tries = open_attempts_of(tx, [row.id for row in found])
    figures = {"lost": 0, "released": 0, "failed": 0}
    for row in found:
        lost = row.id in tries
        exhausted = row.round_attempts >= KINDS[row.kind].retry.tries if lost else row.rescues + 1 >= FREE_RESCUES
        to = State.FAILED if exhausted else State.RETRY if lost else State.PENDING
        guard = and_(Delivery.id == row.id, Delivery.state == State.SENDING, Delivery.lease_token == row.lease_token)
        move(tx, update(Delivery).where(guard).values(**_rescued(to, lost)))
        figures["failed" if exhausted else "lost" if lost else "released"] += 1
    lose_attempts(tx, tries.values(), FailureCode.WORKER_LOST)
    return figures


def _rescued(to: State, lost: bool) -> dict[str, Any]:
    values: dict[str, Any] = {"state": to, "rescues": Delivery.rescues + 1, "next_attempt_at": None, **_UNLEASED}
    if lost:
        values |= {"key_ambiguous": True, "next_trigger": Trigger.RECOVERY}
    if lost or to is State.FAILED:
        values["failure_code"] = FailureCode.WORKER_LOST
    if to is State.FAILED:
        values |= {"dead_letter": True, "finished_at": now(), "next_trigger": Trigger.AUTO}
    return values


def expire(tx: Transaction, limit: int = 1000) -> list[int]:
    """pending, queued, retry → canceled, for those whose `expires_at` has passed; the kind gives the reason."""
    return _expire(tx, and_(unindexed(Delivery.kind.in_(list(KINDS))), _is_late()), limit)


def _is_late() -> ColumnElement[bool]:
    return and_(waits(), Delivery.expires_at <= now())


def _expire(tx: Transaction, which: ColumnElement[bool], limit: int) -> list[int]:
    late = select(Delivery.id, Delivery.kind).where(which).limit(limit)
    by_reason: dict[CancelReason, list[int]] = defaultdict(list)
    for delivery_id, kind in tx.session.execute(skipping_locked(late)):
        by_reason[KINDS[kind].expired_reason].append(delivery_id)
    return [one for reason, ids in by_reason.items() for one in cancel(tx, ids, reason)]


def cancel(tx: Transaction, ids: Collection[int], reason: CancelReason, detail: str | None = None) -> list[int]:
    """pending, queued, retry → canceled. What is being sent cannot be called back."""
    ended = {"state": State.CANCELED, "cancel_reason": reason, "cancel_detail": detail, "finished_at": now()}
    waiting = and_(Delivery.id.in_(ids), unindexed(Delivery.state.in_(WAITING)))
    return move(tx, update(Delivery).where(waiting).values(**ended, next_attempt_at=None, **without_request(reason)))


def reopen(tx: Transaction, dedup_keys: Collection[str]) -> list[int]:
    """canceled → pending, where only the recipient's switches were in the way and the source still owes them."""
    over = and_(Delivery.expires_at.is_not(None), Delivery.expires_at <= now())
    reversible = and_(Delivery.state == State.CANCELED, Delivery.cancel_reason.in_(REVERSIBLE), ~over)
    named = and_(Delivery.dedup_key.in_(dedup_keys), unindexed(reversible))
    tx.will_write(DeliveryHour)
    ended = select(Delivery.id, Delivery.channel, Delivery.finished_at).where(named).with_for_update()
    canceled = tx.session.execute(ended).all()
    hours.take_back(tx, [(channel, at) for _, channel, at in canceled if at])
    again = {"state": State.PENDING, "cancel_reason": None, "finished_at": None}
    theirs = and_(Delivery.id.in_([one for one, *_ in canceled]), unindexed(reversible))
    return owe_again(tx, update(Delivery).where(theirs).values(**again))


def retry(tx: Transaction, delivery_id: int, new_key: bool, seen_attempts: int) -> bool:
    """failed → pending (new round), retry → due now (same round), for the operator who saw `seen_attempts` tries.

    With `new_key` the present retry key and its frozen request are dropped; `begin` then makes a new one.
    """
    waiting = Delivery.state == State.RETRY
    # A row that is due already because somebody pressed the same button needs no second press.
    pressed = and_(waiting, Delivery.next_attempt_at.is_(None), Delivery.next_trigger == Trigger.MANUAL)
    if new_key:
        pressed = and_(pressed, Delivery.retry_key.is_(None))
    retryable = and_(Delivery.id == delivery_id, Delivery.state.in_(RETRYABLE), ~pressed)
    return _retry(tx, retryable, new_key, seen_attempts) != []


def retry_failed(tx: Transaction, ids: Collection[int], new_key: bool, seen_attempts: int) -> list[int]:
    """failed → pending (new round), for all of them that stand there still after as many tries; their ids."""
    still = unindexed(Delivery.state == State.FAILED)
    return _retry(tx, and_(Delivery.id.in_(ids), still), new_key, seen_attempts)


def _retry(tx: Transaction, which: ColumnElement[bool], new_key: bool, seen_attempts: int) -> list[int]:
    failed = Delivery.state == State.FAILED
    values: dict[str, Any] = {
        "state": case((failed, State.PENDING), else_=State.RETRY),
        "round_attempts": case((failed, 0), else_=Delivery.round_attempts),
        "rescues": 0, "next_attempt_at": None, "next_trigger": Trigger.MANUAL, "dead_letter": False,
        "finished_at": None,
    }  # fmt: skip
    seen = and_(which, Delivery.attempts == seen_attempts)
    return owe_again(tx, update(Delivery).where(seen).values(**values, **(_WITHOUT_KEY if new_key else {})))


def forget_frozen(tx: Transaction, used_before: datetime, limit: int = 1000) -> list[int]:
    """Erase frozen requests whose key LINE has forgotten: they hold personal text and can never be repeated."""
    old = select(Delivery.id).where(Delivery.frozen_request.is_not(None), Delivery.retry_key_used_at <= used_before)
    resting = and_(Delivery.id.in_(lock_some(tx, old.limit(limit))), Delivery.state != State.SENDING)
    return move(tx, update(Delivery).where(resting).values(**FORGOTTEN))


def take_over(tx: Transaction, guest_id: int, account_id: int) -> None:
    """What is or was owed to a guest is the account's from now on, in whatever state.

    sending → pending, where no request was begun: whoever holds it knows it as the guest's, and would end it.
    """
    theirs, sending = Delivery.account_id == guest_id, unindexed(Delivery.state == State.SENDING)
    # Locked first, then asked for their tries: one that was begun meanwhile has to be seen.
    in_hands = set(tx.session.scalars(select(Delivery.id).where(theirs, sending).with_for_update()))
    unbegun = Delivery.id.in_(in_hands - open_attempts_of(tx, in_hands).keys())
    given_back = {"state": State.PENDING, "next_attempt_at": None, **_UNLEASED}
    owe_again(tx, update(Delivery).where(unbegun, sending).values(**given_back))
    move(tx, update(Delivery).where(theirs).values(account_id=account_id))


def forget_person(tx: Transaction, account_id: int) -> None:
    """Erase what deliveries hold of somebody whose account is deleted: the name, and requests of those that ended."""
    theirs, ended = Delivery.account_id == account_id, Delivery.state.in_((State.FAILED, State.CANCELED))
    move(tx, update(Delivery).where(theirs).values(address_label=""))
    move(tx, update(Delivery).where(theirs, ended).values(**FORGOTTEN))
