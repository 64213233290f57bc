"""Bulk retries, as administrators begin them, and what the tables hold of them afterwards."""

from collections import Counter
from collections.abc import Collection
from typing import Any

from sqlalchemy import select

from app.accounts.known import who
from app.accounts.signed_in import Who
from app.clock import now
from app.extensions import db
from app.operations import bulk
from app.operations.bulk import Wanted
from app.operations.bulk_models import BulkRetry, BulkRetryItem
from app.operations.bulk_plan import Matching, Picked, Selection
from app.operations.bulk_release import release
from app.outbox.listing import Filter
from app.outbox.models import Delivery
from app.outbox.state import State
from app.tokens import request_id
from app.transaction import writing
from tests.factories import make_account, make_tutor, owe_many
from tests.outbox.ledger import place, quietly


def admin(name: str = "青木 葵") -> Who:
    """Somebody who may retry."""
    found = who(make_account("admin", name=name))
    assert found is not None
    return found


def failed(number: int = 1, **changes: Any) -> list[int]:
    """So many deliveries that failed at their first try."""
    return [place(State.FAILED, **changes) for _ in range(number)]


def many_failed(number: int) -> list[int]:
    """The same, of one tutor and written at once."""
    tutor = make_tutor()
    with quietly() as tx:
        made = owe_many(tx, tutor, number)
    change_all(made, state=State.FAILED, finished_at=now(), attempts=1, failure_code="LINE_TIMEOUT")
    return made


def change_all(ids: Collection[int], **values: Any) -> None:
    """Let these deliveries stand otherwise."""
    with db.engine.begin() as connection:
        connection.execute(Delivery.__table__.update().where(Delivery.id.in_(ids)).values(**values))  # type: ignore[attr-defined]


def all_failed(**narrowed: Any) -> Matching:
    """Everything that has failed by now and that the filter leaves."""
    return Matching(Filter(**narrowed), now())


def picked(*ids: int) -> Picked:
    return Picked(ids)


def wanted(selection: Selection | None = None, **changes: Any) -> Wanted:
    """What somebody may want: everything that failed, sixty a minute."""
    values: dict[str, Any] = {"asked": {}, "rate": 60, "with_doubles": False, "why": ""}
    return Wanted(selection or all_failed(), **values | changes)


def begin(selection: Selection | None = None, by: Who | None = None, form: str | None = None, **changes: Any) -> int:
    """A bulk retry, and its id."""
    with writing() as tx:
        return bulk.begin(tx, by or admin(), form or request_id(), wanted(selection, **changes))


def released(bulk_id: int) -> dict[str, int]:
    """One turn of the scan at it."""
    with quietly() as tx:
        return release(tx, bulk_id)


def stopped(bulk_id: int, by: Who | None = None) -> bool:
    with writing() as tx:
        return bulk.stop(tx, by or admin(), bulk_id)


def row(bulk_id: int) -> BulkRetry:
    """The bulk retry as the database holds it now."""
    db.session.rollback()
    found = db.session.get(BulkRetry, bulk_id, populate_existing=True)
    assert found is not None
    return found


def items(bulk_id: int) -> dict[int, tuple[str, str | None]]:
    """Of each delivery, in their order, what has become of it and why."""
    db.session.rollback()
    columns = (BulkRetryItem.delivery_id, BulkRetryItem.state, BulkRetryItem.why)
    found = select(*columns).where(BulkRetryItem.bulk_retry_id == bulk_id).order_by(BulkRetryItem.delivery_id)
    return {delivery_id: (state, why) for delivery_id, state, why in db.session.execute(found)}


def tally(bulk_id: int) -> dict[str, int]:
    """How many of its items are in each state."""
    return Counter(state for state, _why in items(bulk_id).values())
