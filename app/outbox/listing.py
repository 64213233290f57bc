"""What an operator looks for among the deliveries: a filter, one page of what it leaves, and how many that are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, func, or_, select, true, tuple_

from app.codes import CancelReason
from app.extensions import db
from app.outbox.models import Delivery
from app.outbox.state import State
from app.place import Place

KEY_TAIL = 6
"""How much of a retry key is shown, and so may be searched for: enough to tell two apart, useless for anything else."""


@dataclass(frozen=True, slots=True)
class Filter:
    """What an operator wants to see; None means any. `code` is a failure code or a cancel reason.

    `subject` is a type and an id, `version` that of the subject. `account_id` is whose it is, `group_id` the LINE group
    that it goes to, `scope` the classroom or store.
    """

    state: str | None = None
    kind: str | None = None
    subject: tuple[str, int] | None = None
    version: int | None = None
    channel: str | None = None
    scope: str | None = None
    account_id: int | None = None
    group_id: int | None = None
    code: str | None = None
    dead_letter: bool = False
    search: str | None = None
    created_from: datetime | None = None
    created_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Newest first. `next` is None on the last page."""

    rows: Sequence[Delivery]
    next: Place | None


def page(wanted: Filter, after: Place | None, size: int) -> Page:
    """One page of deliveries; neither skips nor repeats rows, also when many share one timestamp."""
    rows = select(Delivery).where(_matches(wanted))
    if after is not None:
        rows = rows.where(tuple_(Delivery.created_at, Delivery.id) < tuple_(*after))
    newest_first = rows.order_by(Delivery.created_at.desc(), Delivery.id.desc())
    found = list(db.session.scalars(newest_first.limit(size + 1)))
    shown = found[:size]
    return Page(shown, Place(shown[-1].created_at, shown[-1].id) if len(found) > size else None)


def counts(wanted: Filter | None = None) -> dict[State, int]:
    """How many deliveries stand in each state, among those that the filter leaves (its own state aside)."""
    rows = select(Delivery.state, func.count()).where(_matches(wanted or Filter(), any_state=True))
    found = dict(db.session.execute(rows.group_by(Delivery.state)).all())
    return {state: found.get(state, 0) for state in State}


def troubles() -> list[tuple[str, State, int]]:
    """How many deliveries each failure code holds up, in which state (waiting, waiting to retry, failed)."""
    held_up = Delivery.state.in_((State.PENDING, State.RETRY, State.FAILED)) & Delivery.failure_code.is_not(None)
    rows = select(Delivery.failure_code, Delivery.state, func.count()).where(held_up)
    groups = db.session.execute(rows.group_by(Delivery.failure_code, Delivery.state))
    return [(str(code), State(state), number) for code, state, number in groups]


def _matches(wanted: Filter, any_state: bool = False) -> ColumnElement[bool]:
    subject_type, subject_id = wanted.subject or (None, None)
    same = (
        (Delivery.state, None if any_state else wanted.state),
        (Delivery.kind, wanted.kind),
        (Delivery.subject_type, subject_type),
        (Delivery.subject_id, subject_id),
        (Delivery.subject_version, wanted.version),
        (Delivery.channel, wanted.channel),
        (Delivery.scope, wanted.scope),
        (Delivery.account_id, wanted.account_id),
        (Delivery.address_type, "line_group" if wanted.group_id else None),
        (Delivery.address_id, wanted.group_id),
    )
    conditions: list[ColumnElement[bool]] = [true(), *(column == value for column, value in same if value)]
    if wanted.code:
        conditions.append(_explained_by(wanted.code))
    if wanted.dead_letter:
        conditions.append(Delivery.dead_letter.is_(True))
    if wanted.search:
        conditions.append(_found_by(wanted.search.strip()))
    if wanted.created_from:
        conditions.append(Delivery.created_at >= wanted.created_from)
    if wanted.created_before:
        conditions.append(Delivery.created_at < wanted.created_before)
    return and_(*conditions)


def _explained_by(code: str) -> ColumnElement[bool]:
    if code in tuple(CancelReason):
        return Delivery.cancel_reason == code
    return and_(Delivery.failure_code == code, Delivery.state != State.CANCELED)


def _found_by(words: str) -> ColumnElement[bool]:
    exact = [Delivery.dedup_key == words, Delivery.provider_request_id == words, Delivery.retry_key == words]
    if words.isdecimal() and len(words) < 19:
        exact.append(Delivery.id == int(words))
    if len(words) >= KEY_TAIL:
        exact.append(Delivery.retry_key.endswith(words, autoescape=True))
    return or_(*exact, Delivery.address_label.icontains(words, autoescape=True))
