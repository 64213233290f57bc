"""What the ledger is asked: what is due, what the queue lost, and what a page shows."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import zip_longest
from operator import itemgetter

from sqlalchemy import ColumnElement, ScalarSelect, Select, and_, or_, select, true

from app.clock import now
from app.codes import FailureCode
from app.columns import NOW, there_is, unindexed
from app.extensions import db
from app.outbox.gates import open_at
from app.outbox.models import Attempt, Delivery, Gate
from app.outbox.order import OLDEST_FIRST, comes_after
from app.outbox.state import WAITING, State
from app.place import Place


@dataclass(frozen=True, slots=True)
class DueRow:
    """A delivery to hand over. One that recovery took back before travels alone: it may be what kills workers."""

    id: int
    kind: str
    alone: bool


def is_due() -> ColumnElement[bool]:
    """Owed now. A row that the queue refused is due as soon as the queue answers, whatever time it shows."""
    waits = Delivery.state.in_((State.PENDING, State.RETRY))
    return and_(waits, time_has_come(), open_at(Delivery.gate_key))


def time_has_come() -> ColumnElement[bool]:
    """Of what waits: nothing but its gate could be in the way now."""
    refused = Delivery.failure_code == FailureCode.QUEUE_ENQUEUE_FAILED
    return or_(Delivery.next_attempt_at.is_(None), Delivery.next_attempt_at <= NOW, refused)


def waits() -> ColumnElement[bool]:
    """Owed, and in nobody's hands, as the indexes of what has not ended are asked for it: by the states themselves a
    database would rather go through all that wait."""
    return and_(Delivery.finished_at.is_(None), Delivery.state != State.SENDING)


def is_claimable() -> ColumnElement[bool]:
    """What a worker may take: due, or in the queue, behind an open gate."""
    return or_(is_due(), and_(Delivery.state == State.QUEUED, open_at(Delivery.gate_key)))


def is_claimable_with(kind: str, ids: Collection[int]) -> ColumnElement[bool]:
    """What a worker may take of these deliveries of one kind, together.

    A row that recovery took back before is claimed only when it comes alone: it may be what killed its worker.
    """
    alone = len(ids) == 1
    takes = and_(Delivery.kind == kind, is_claimable(), true() if alone else Delivery.rescues == 0)
    return and_(Delivery.id.in_(ids), unindexed(takes))


def may_have_arrived() -> ColumnElement[bool]:
    """Not known to be sent, and not certain to be unseen either: some try of it, under whatever key, may have arrived.

    What a worker holds counts before its request is begun: the worker may have asked already whether it still holds.
    """
    unsure = there_is(Attempt, where=(Attempt.delivery_id == Delivery.id) & Attempt.may_have_arrived)
    return or_(Delivery.state == State.SENDING, and_(Delivery.state != State.SENT, unsure))


def due(kinds: Collection[str], limit: int) -> list[DueRow]:
    """The deliveries of these kinds to hand over, oldest first."""
    return _oldest(is_due(), kinds, (State.PENDING, State.RETRY), limit)


def lost(kinds: Collection[str], queued_before: datetime, limit: int) -> list[DueRow]:
    """The `queued` rows of these kinds that RQ had before `queued_before` and has no more."""
    gone = (Delivery.state == State.QUEUED) & (Delivery.queued_at < queued_before) & Delivery.kind.in_(kinds)
    rows = select(Delivery.id, Delivery.kind, Delivery.rescues > 0).where(gone, open_at(Delivery.gate_key))
    return _due_rows(rows.order_by(Delivery.queued_at, Delivery.id).limit(limit))


def claimable(kinds: Collection[str], limit: int) -> list[DueRow]:
    """What could be sent at once without any queue: due rows, and rows waiting in a queue that is not there."""
    return _oldest(is_claimable(), kinds, WAITING, limit)


def any_claimable(kind: str, ids: Collection[int]) -> bool:
    """Whether any of them could be claimed if nobody held it."""
    return db.session.scalar(select(there_is(Delivery, where=is_claimable_with(kind, ids)))) is True


def batches(rows: Iterable[DueRow], size: int) -> Iterator[tuple[str, list[int]]]:
    """The rows as (kind, ids) that may be sent together; what travels alone is a batch of its own. Each kind has its
    first before any has its second: whoever takes only some leaves out none for another that has many."""
    by_kind: dict[str, list[DueRow]] = defaultdict(list)
    for row in rows:
        by_kind[row.kind].append(row)
    in_turn = zip_longest(*(_batches_of(its_rows, size) for its_rows in by_kind.values()))
    for turn in in_turn:
        yield from ((kind, ids) for kind, ids in zip(by_kind, turn, strict=True) if ids)


def _batches_of(rows: Collection[DueRow], size: int) -> Iterator[list[int]]:
    yield from ([row.id] for row in rows if row.alone)
    together = [row.id for row in rows if not row.alone]
    yield from (together[start : start + size] for start in range(0, len(together), size))


def _oldest(which: ColumnElement[bool], kinds: Collection[str], states: Collection[State], limit: int) -> list[DueRow]:
    """The oldest of these. One kind and state at a time: an index then gives them in order; asked about several, a
    database would look through or sort all that wait. Whatever is older but not due, or behind a closed gate, is passed
    by: 20 to 60 ms for 100,000, of a reader for whom nobody waits."""
    columns = select(Delivery.created_at, Delivery.id, Delivery.kind, Delivery.rescues > 0).where(unindexed(which))
    oldest_first = columns.order_by(*OLDEST_FIRST).limit(limit)
    found = list[tuple[Place, DueRow]]()
    for kind in _kinds_there(kinds, states):
        for state in states:
            of_state = oldest_first.where(Delivery.kind == kind, Delivery.state == state)
            rows = db.session.execute(of_state)
            found += [(Place(at, one), DueRow(one, its_kind, alone)) for at, one, its_kind, alone in rows]
    return [row for _place, row in sorted(found, key=itemgetter(0))[:limit]]


def _kinds_there(kinds: Collection[str], states: Collection[State]) -> list[str]:
    """Those of which anything is in these states: mostly none, so that a second of the clock costs one statement."""
    if not kinds:
        return []
    there = [there_is(Delivery, where=(Delivery.kind == kind) & Delivery.state.in_(states)) for kind in kinds]
    found = db.session.execute(select(*there)).one()
    return [kind for kind, is_there in zip(kinds, found, strict=True) if is_there]


def _due_rows(rows: Select[int, str, bool]) -> list[DueRow]:
    return [DueRow(delivery_id, kind, alone) for delivery_id, kind, alone in db.session.execute(rows)]


@dataclass(frozen=True, slots=True)
class Standing:
    """How a gate stands. `why` is a failure code where the breaker closed it, else the operator's words."""

    key: str
    paused_at: datetime | None
    breaker_until: datetime | None
    why: str

    @property
    def closed(self) -> bool:
        """Whether nothing goes through now."""
        return self.paused_at is not None or (self.breaker_until is not None and self.breaker_until > now())


def standings() -> list[Standing]:
    """The gates that are not simply open: paused, closed by the breaker, or waiting for their probe's answer."""
    shut = or_(Gate.paused_at.is_not(None), Gate.breaker_until.is_not(None))
    columns = (Gate.key, Gate.paused_at, Gate.breaker_until, Gate.why)
    return [Standing(*row) for row in db.session.execute(select(*columns).where(shut).order_by(Gate.key))]


def get(delivery_id: int) -> Delivery | None:
    """One delivery."""
    return db.session.get(Delivery, delivery_id)


def timeline(delivery_id: int) -> list[Attempt]:
    """Every attempt of one delivery, oldest first."""
    return list(db.session.scalars(select(Attempt).where(Attempt.delivery_id == delivery_id).order_by(Attempt.number)))


def about(subject_type: str, subject_ids: Collection[int]) -> dict[int, list[Delivery]]:
    """The deliveries about each of these subjects, newest first."""
    rows = select(Delivery).where(Delivery.subject_type == subject_type, Delivery.subject_id.in_(subject_ids))
    found: dict[int, list[Delivery]] = {subject_id: [] for subject_id in subject_ids}
    for delivery in db.session.scalars(rows.order_by(Delivery.created_at.desc(), Delivery.id.desc())):
        found[delivery.subject_id].append(delivery)
    return found


def waiting_at(address_type: str, address_ids: Collection[int]) -> list[int]:
    """The ids of what waits to be sent to these addresses."""
    there = and_(Delivery.address_type == address_type, Delivery.address_id.in_(address_ids))
    return list(db.session.scalars(select(Delivery.id).where(waits(), there)))


def waiting_for(account_id: int) -> list[int]:
    """The ids of what waits to be sent to one account, wherever."""
    return list(
        db.session.scalars(select(Delivery.id).where(Delivery.state.in_(WAITING), Delivery.account_id == account_id))
    )


def alive_about(
    subject_type: str, subject_id: int, version: int, states: Collection[State], limit: int, after: Place | None = None
) -> list[Place]:
    """The oldest, from just after a place, of those that speak of this version of a subject and are in these states."""
    about = and_(Delivery.subject_type == subject_type, Delivery.subject_id == subject_id)
    rows = select(*OLDEST_FIRST).where(about, unindexed(Delivery.subject_version == version))
    if after is not None:
        rows = rows.where(comes_after(after))
    found = list[Place]()
    for state in states:
        of_state = rows.where(Delivery.state == state).order_by(*OLDEST_FIRST)
        found += [Place(at, one) for at, one in db.session.execute(of_state.limit(limit))]
    return sorted(found)[:limit]


def oldest_unqueued() -> timedelta | None:
    """How long the oldest delivery has been owed that is due and that no queue has taken yet."""
    each = db.session.execute(_OLDEST_DUE).one()
    since = min((at for at in each if at is not None), default=None)
    return now() - since if since is not None else None


def _oldest_due(state: State) -> ScalarSelect[datetime]:
    due_in_state = and_(Delivery.state == state, unindexed(is_due()))
    oldest = select(Delivery.created_at).where(due_in_state).order_by(Delivery.created_at, Delivery.id)
    return oldest.limit(1).scalar_subquery()


_OLDEST_DUE = select(_oldest_due(State.PENDING), _oldest_due(State.RETRY))
