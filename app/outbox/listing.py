"""What an operator looks for among the deliveries: one page of what a filter leaves, and how many that are."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    ScalarSelect,
    Select,
    String,
    and_,
    bindparam,
    func,
    literal,
    literal_column,
    select,
    union_all,
)

from app.codes import CancelReason
from app.columns import UtcDateTime, unindexed
from app.extensions import db
from app.outbox import figures
from app.outbox.hours import COUNTED
from app.outbox.models import Delivery
from app.outbox.narrowing import KEY_TAIL as KEY_TAIL
from app.outbox.narrowing import Filter as Filter
from app.outbox.narrowing import matches, matching, parts_of, states_of
from app.outbox.order import OLDEST_FIRST, comes_after, comes_before, in_order
from app.outbox.state import State
from app.place import Place

MOST = 1000
"""As far as anything is counted that a filter leaves."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some deliveries in the order that was asked for. `next` is None on the last page."""

    rows: Sequence[Delivery]
    next: Place | None


@dataclass(frozen=True, slots=True)
class Count:
    """How many; `more` than that if nobody went on counting."""

    number: int
    more: bool = False


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """What one code holds up on one channel: `number` deliveries failed, `dead_letters` of them because their tries ran
    out, and `waiting` are owed and have met it. The oldest of them all was made at `first_at`, and the last of those
    that failed did so at `last_at`: neither moves when somebody retries them."""

    channel: str
    code: str
    number: int
    first_at: datetime
    last_at: datetime | None
    waiting: int
    dead_letters: int


def page(wanted: Filter, after: Place | None, size: int, oldest_first: bool = False) -> Page:
    """One page of deliveries; neither skips nor repeats rows, also when many share one timestamp."""
    since, until = (after, None) if oldest_first else (None, after)
    found_in = [_places(wanted, part, since, until, size + 1, oldest_first) for part in parts_of(wanted)]
    if not found_in:
        return Page([], None)
    merged = union_all(*(select(part.subquery()) for part in found_in)).subquery()
    first = select(merged.c.id).order_by(*in_order(merged.c.created_at, merged.c.id, oldest_first)).limit(size + 1)
    rows = select(Delivery).where(Delivery.id.in_(first))
    found = list(db.session.scalars(rows.order_by(*in_order(*OLDEST_FIRST, oldest_first))))
    shown = found[:size]
    return Page(shown, Place(shown[-1].created_at, shown[-1].id) if len(found) > size else None)


def slices_of(wanted: Filter, size: int) -> Iterator[list[Delivery]]:
    """All that the filter leaves, newest first and so many at a time, for whoever takes long over each: no transaction
    is open meanwhile, and what was taken is not kept. It shows what there was when each slice was read."""
    after: Place | None = None
    while True:
        found = page(wanted, after, size)
        db.session.close()  # with it the rows are let go: each keeps the columns it was read with, and asks for no more
        if found.rows:
            yield list(found.rows)
        if found.next is None:
            return
        after = found.next


def with_ids(ids: Collection[int], wanted: Filter) -> list[tuple[Delivery, bool]]:
    """These deliveries, newest first, each with whether the filter would still leave it; the end of its period aside,
    which leaves out what came after somebody opened the list."""
    rows = select(Delivery, matches(wanted)).where(Delivery.id.in_(ids))
    found = db.session.execute(rows.order_by(*in_order(*OLDEST_FIRST, oldest_first=False)))
    return [(delivery, bool(stays)) for delivery, stays in found]


def counts(wanted: Filter | None = None) -> dict[State, Count]:
    """How many deliveries stand in each state, among those that the filter leaves (its own state aside).

    Exact where nothing narrows them: what may still change is counted, and for what never will there are the hours.
    """
    anywhere = replace(wanted or Filter(), state=None)
    return _all_there_are() if anywhere == Filter() else _left_by(anywhere)


def counts_about(subject: tuple[str, int], version: int) -> dict[State, int]:
    """How many deliveries speak of this version of a subject, in each state; exactly, and so through all of them."""
    subject_type, subject_id = subject
    about = and_(Delivery.subject_type == subject_type, Delivery.subject_id == subject_id)
    rows = select(Delivery.state, func.count()).where(about, unindexed(Delivery.subject_version == version))
    found = dict(db.session.execute(rows.group_by(Delivery.state)).all())
    return {state: found.get(state, 0) for state in State}


def new_since(wanted: Filter, place: Place) -> Count:
    """How many deliveries the filter leaves that came after this place of the list."""
    newer = [_places(wanted, part, place, None, MOST + 1) for part in parts_of(wanted)]
    return _capped(sum(_numbers(newer)))


def rightly_not_sent(since: datetime) -> dict[CancelReason, Count]:
    """Why deliveries that were owed since then were rightly not sent, those reasons with most of them first."""
    numbers = db.session.execute(_BY_REASON, {"since": since})
    found = sorted(((number, reason) for reason, number in numbers if number), key=lambda one: (-one[0], one[1]))
    return {CancelReason(reason): _capped(number) for number, reason in found}


def _by_reason() -> Select[str, int]:
    # One question, asked for each of them: PostgreSQL took longer to plan as many than to answer them. Counts by state
    # (`_left_by`) are not asked so: nearly all deliveries are of one state, and the planner has to know which it is.
    reasons = union_all(*(select(literal(reason, String).label("reason")) for reason in CancelReason)).subquery().c
    came_up = Delivery.created_at >= bindparam("since", type_=UtcDateTime)
    some = select(Delivery.id).where(Delivery.cancel_reason == reasons.reason, came_up).limit(MOST + 1)
    number = select(func.count()).select_from(some.correlate_except(Delivery).subquery()).scalar_subquery()
    return select(reasons.reason, number)


_BY_REASON = _by_reason()


def failures() -> list[FailureGroup]:
    """What failed, and what is owed after a failed try, by channel and code; those with most failures first."""
    found = [
        FailureGroup(channel, str(code), number, first_at, last_at, waiting, dead_letters)
        for channel, code, number, first_at, last_at, waiting, dead_letters in db.session.execute(_BY_CODE)
    ]
    return sorted(found, key=lambda one: (-one.number, -one.waiting, one.channel, one.code))


def _by_code() -> Select[*tuple[Any, ...]]:
    # In the words of its index, which holds all that is asked. `Finish.sent` takes the code of what was sent away.
    in_the_way = and_(Delivery.failure_code.is_not(None), Delivery.state != literal_column("'canceled'"))
    failed = Delivery.state == State.FAILED
    numbers = (
        func.count().filter(failed), func.min(Delivery.created_at), func.max(Delivery.finished_at),
        func.count().filter(~failed), func.count().filter(Delivery.dead_letter),
    )  # fmt: skip
    alike = (Delivery.channel, Delivery.failure_code)
    return select(*alike, *numbers).where(in_the_way).group_by(*alike)


_BY_CODE = _by_code()


def _places(
    wanted: Filter,
    part: ColumnElement[bool],
    since: Place | None,
    until: Place | None,
    limit: int,
    oldest_first: bool = False,
) -> Select[datetime, int]:
    """The first of one part of what the filter leaves, between these places of the list."""
    # One bound on either side: of two, SQLite may take the wider one to begin at.
    since = max((one for one in (since, wanted.from_place) if one), default=None)
    until = min((one for one in (until, wanted.to_place) if one), default=None)
    rows = select(Delivery.created_at, Delivery.id).where(part)
    if since is not None:
        rows = rows.where(comes_after(since))
    if until is not None:
        rows = rows.where(comes_before(until))
    return rows.order_by(*in_order(*OLDEST_FIRST, oldest_first)).limit(limit)


def _all_there_are() -> dict[State, Count]:
    found = dict(zip(CHANGING, db.session.execute(_IN_EACH).one(), strict=True)) | figures.ended_ever()
    return {state: Count(found[state]) for state in State}


def _in_state(state: State) -> ScalarSelect[int]:
    return select(func.count()).select_from(Delivery).where(Delivery.state == state).scalar_subquery()


CHANGING = tuple(state for state in State if state not in COUNTED)
_IN_EACH = select(*map(_in_state, CHANGING))


def _left_by(wanted: Filter) -> dict[State, Count]:
    states = states_of(wanted)
    numbers = _numbers([_places(wanted, matching(wanted, [state]), None, None, MOST + 1) for state in states])
    found = dict(zip(states, numbers, strict=True))
    return {state: _capped(found.get(state, 0)) for state in State}


def _numbers(questions: Sequence[Select[datetime, int]]) -> list[int]:
    """How many rows each of them finds, in one statement."""
    if not questions:
        return []
    numbers = [select(func.count()).select_from(one.subquery()).scalar_subquery() for one in questions]
    return list(db.session.execute(select(*numbers)).one())


def _capped(number: int) -> Count:
    return Count(min(number, MOST), more=number > MOST)
