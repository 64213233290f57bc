"""The scan that watches: what newly is wrong is told when it begins, and once more when it is over."""

from sqlalchemy import select, update

from app.accounts.models import Account, Role
from app.clock import now
from app.extensions import db
from app.inbox.notify import Event, notify
from app.sources.alerts.models import Alert
from app.sources.alerts.symptoms import Symptom, symptoms
from app.transaction import Transaction, writing

BEGAN, OVER = "alert_began", "alert_over"
SUBJECT = "alert"
CONCERNS = frozenset({Role.ADMIN})
"""Whom alerts are told to, and who may read them."""


def watch() -> dict[str, int]:
    """One look; how many alerts began, and how many are over."""
    with writing() as tx:
        tx.lock(Alert)  # a look from before a failure must not end the alert of the look that saw it
        present = symptoms()
        began = [alert_id for one in present if (alert_id := _begin(tx, one)) is not None]
        over = _end_all_but(tx, present)
        to = _concerned()
        for kind, alert_ids in ((BEGAN, began), (OVER, over)):
            for alert_id in alert_ids:
                notify(tx, Event(kind, f"alert:{alert_id}:{kind}", SUBJECT, alert_id), to)
    return {"began": len(began), "over": len(over)}


def _begin(tx: Transaction, symptom: Symptom) -> int | None:
    """The new alert's id; None when it is known already."""
    new = tx.insert(Alert).values(sort=symptom.sort, about=symptom.about, number=symptom.number, began_at=now())
    once = new.on_conflict_do_nothing(index_elements=["sort", "about"], index_where=Alert.ended_at.is_(None))
    return tx.session.scalar(once.returning(Alert.id))


def _end_all_but(tx: Transaction, present: list[Symptom]) -> list[int]:
    """The alerts that ended, because what they speak of is no longer so."""
    known = {(one.sort, one.about) for one in present}
    standing = tx.session.execute(select(Alert.id, Alert.sort, Alert.about).where(Alert.ended_at.is_(None)))
    gone = [alert_id for alert_id, sort, about in standing if (sort, about) not in known]
    ended = update(Alert).where(Alert.id.in_(gone), Alert.ended_at.is_(None)).values(ended_at=now())
    return list(tx.session.scalars(ended.returning(Alert.id), execution_options={"synchronize_session": False}))


def _concerned() -> list[int]:
    return list(db.session.scalars(select(Account.id).where(Account.role.in_(CONCERNS), Account.active)))
