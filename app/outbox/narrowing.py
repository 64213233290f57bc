"""A filter as SQL: one of its conditions finds the rows, by an index that has those of one state in order of time, and
all others only leave some out.

So a list costs what it shows, and a count what it counts, unless the others leave out nearly everything: of a kind with
300,000 deliveries, those of a channel that hardly any of them went over are looked for among all 300,000 (see
docs/performance.md).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, CompoundSelect, and_, false, func, literal_column, or_, select, true, union_all

from app.codes import CancelReason
from app.columns import unindexed
from app.outbox.models import Attempt, Delivery
from app.outbox.state import State
from app.place import Place

KEY_TAIL = 6
"""How much of a retry key is shown, and so may be searched for: enough to tell two apart, useless for anything else."""
KEY_LENGTH = 36
BIGGEST_ID = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Filter:
    """What an operator wants to see; None means any. `code` is a failure code or a cancel reason.

    `subject` is a type and an id. `account_id` is whose it is, `group_id` the LINE group
    that it goes to, `scope` the classroom or store. `search` is an id, a dedup key, a provider's request id, or a retry
    key or its tail, each of them whole.
    """

    state: str | None = None
    kind: str | None = None
    subject: tuple[str, int] | None = None
    channel: str | None = None
    scope: str | None = None
    account_id: int | None = None
    group_id: int | None = None
    code: str | None = None
    dead_letter: bool = False
    search: str | None = None
    created_from: datetime | None = None
    created_before: datetime | None = None

    @property
    def from_place(self) -> Place | None:
        """What is wanted comes after it."""
        return Place(self.created_from, 0) if self.created_from else None

    @property
    def to_place(self) -> Place | None:
        """What is wanted comes before it."""
        return Place(self.created_before, 0) if self.created_before else None


@dataclass(frozen=True, slots=True)
class _Condition:
    """One of a filter's conditions. Only deliveries in `states` can meet it; `in_order`: its index knows the state."""

    sql: ColumnElement[bool]
    states: Collection[State] = tuple(State)
    in_order: bool = True


def states_of(wanted: Filter) -> list[State]:
    """The states in which something may be that the filter leaves."""
    possible = [one.states for one in _conditions(wanted)]
    named = [state for state in State if wanted.state in (None, state)]
    return [state for state in named if all(state in states for states in possible)]


def parts_of(wanted: Filter) -> list[ColumnElement[bool]]:
    """SQL: all that the filter leaves, its period aside, in parts of which an index has each in order of time; or in
    one, where those that it names are few."""
    states = states_of(wanted)
    one_by_one = not wanted.search
    if not states:
        return []
    return [matching(wanted, [state]) for state in states] if one_by_one else [matching(wanted, states)]


def matching(wanted: Filter, states: Sequence[State]) -> ColumnElement[bool]:
    """SQL: the deliveries in these states that the filter leaves, whatever its own state and its period."""
    in_states = or_(*(Delivery.state == state for state in states))
    if not (conditions := _conditions(wanted)):
        return in_states
    driving, *others = conditions
    known = in_states if driving.in_order else unindexed(in_states)
    return and_(driving.sql, known, *(unindexed(one.sql) for one in others))


def left_in(wanted: Filter, state: State) -> ColumnElement[bool]:
    """SQL: the deliveries in this state that the filter leaves, for whoever takes them in no order."""
    if state not in states_of(wanted):
        return false()
    since, until = wanted.created_from, wanted.created_before
    after_its_begin = unindexed(Delivery.created_at >= since) if since else true()
    before_its_end = unindexed(Delivery.created_at < until) if until else true()
    return and_(matching(wanted, [state]), after_its_begin, before_its_end)


def matches(wanted: Filter) -> ColumnElement[bool]:
    """SQL: whether the filter leaves this delivery, for those that are found by something else. Its end counts not."""
    conditions = [Delivery.state.in_(states_of(wanted)), *(one.sql for one in _conditions(wanted))]
    if wanted.created_from:
        conditions.append(Delivery.created_at >= wanted.created_from)
    return unindexed(and_(Delivery.id.is_not(None), *conditions))


def _conditions(wanted: Filter) -> Sequence[_Condition]:
    """Those that leave fewest come first: the first finds the rows."""
    found = list[_Condition]()
    if wanted.search:
        found.append(_Condition(Delivery.id.in_(_found_by(wanted.search.strip())), in_order=False))
    if wanted.subject:
        subject_type, subject_id = wanted.subject
        found.append(_Condition(and_(Delivery.subject_type == subject_type, Delivery.subject_id == subject_id)))
    if wanted.account_id:
        found.append(_Condition(Delivery.account_id == wanted.account_id))
    if wanted.group_id:
        # As its index says it: SQLite does not look into a parameter for whether an index holds all rows.
        to_a_group = Delivery.address_type == literal_column("'line_group'")
        found.append(_Condition(and_(to_a_group, Delivery.address_id == wanted.group_id)))
    if wanted.dead_letter:
        found.append(_Condition(Delivery.dead_letter.expression, (State.FAILED,), in_order=False))
    if wanted.code:
        found.append(_explained_by(wanted.code))
    named = (
        (Delivery.scope, wanted.scope),
        (Delivery.kind, wanted.kind),
        (Delivery.channel, wanted.channel),
    )
    return [*found, *(_Condition(column == value) for column, value in named if value is not None)]


def _explained_by(code: str) -> _Condition:
    if code in tuple(CancelReason):
        return _Condition(Delivery.cancel_reason == code, (State.CANCELED,), in_order=False)
    return _Condition(Delivery.failure_code == code, [state for state in State if state is not State.CANCELED])


def _found_by(words: str) -> CompoundSelect[int]:
    """SQL: the ids of those that bear it, each sort of name by its own index."""
    tail = func.substr(Delivery.retry_key, literal_column(str(KEY_LENGTH - KEY_TAIL + 1)))
    by_tail = select(Delivery.id).where(Delivery.retry_key.is_not(None), tail == words.lower()[-KEY_TAIL:])
    found = [
        select(Delivery.id).where(Delivery.dedup_key == words),
        select(Attempt.delivery_id).where(Attempt.provider_request_id == words),
        select(Delivery.id).where(Delivery.already_accepted, Delivery.provider_request_id == words),
    ]
    if words.isdecimal() and int(words) <= BIGGEST_ID:
        found.append(select(Delivery.id).where(Delivery.id == int(words)))
    if len(words) == KEY_TAIL:
        found.append(by_tail)
    if len(words) == KEY_LENGTH:
        found.append(by_tail.where(unindexed(Delivery.retry_key == words.lower())))
    return union_all(*found)
