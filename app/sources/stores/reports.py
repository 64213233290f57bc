"""What people do with fault reports: make, resolve, open again and delete them, and react to them."""

from dataclasses import asdict

from flask_babel import gettext as _
from sqlalchemy import ColumnElement, select, update

from app import audit
from app.accounts.memberships import members
from app.accounts.models import Role
from app.accounts.signed_in import Who
from app.accounts.stores import Store
from app.clock import now
from app.faults import Fault, InvalidInput
from app.inbox.notify import Event, notify
from app.once import make_once
from app.sources.stores.audience import may_be_told, visible_reports, works_here
from app.sources.stores.fields import ReportFields, report_faults
from app.sources.stores.kinds import resolution_key
from app.sources.stores.models import Reaction, Report, Saying
from app.transaction import Transaction

SUBJECT = "report"


def make_report(tx: Transaction, who: Who, store_id: int, fields: ReportFields, request_id: str) -> int:
    """Make a report, once for each form, and tell the store's people. Returns its id.

    Raises InvalidInput with every fault, also for a store that is not there or archived, and for a form that was sent
    before with something else in it.
    """
    faults = list(report_faults(fields))
    if tx.session.scalar(select(Store.id).where(Store.id == store_id, Store.archived_at.is_(None))) is None:
        faults.append(Fault("store", _("Choose one of the list.")))
    if faults:
        raise InvalidInput(*faults)
    form, written = {"reporter_id": who.id, "request_id": request_id}, {"store_id": store_id, **asdict(fields)}
    made = make_once(tx, Report, form, [written], **written, created_at=now())
    if not made.again:
        event = Event("report_opened", f"report:{made.id}:opened", SUBJECT, made.id, who.id, f"store:{store_id}")
        notify(tx, event, members(store_id))
    return made.id


def resolve(tx: Transaction, who: Who, report_id: int) -> bool:
    """Say that the fault is gone, and tell the reporter; False if that is so already, or is not theirs to say."""
    values = {"resolved_at": now(), "resolutions": Report.resolutions + 1}
    changed = _set(tx, who, "resolve", report_id, Report.resolved_at.is_(None) & _at_their_store(who), **values)
    if not changed:
        return False
    row = select(Report.resolutions, Report.reporter_id, Report.store_id).where(Report.id == report_id)
    number, reporter, store_id = tx.session.execute(row).one()
    key = resolution_key(report_id, number)
    notify(tx, Event("report_resolved", key, SUBJECT, report_id, who.id, f"store:{store_id}"), [reporter])
    return True


def reopen(tx: Transaction, who: Who, report_id: int) -> bool:
    """Say that the fault is back; False if it is open, or is not theirs to say. Tells nobody."""
    return _set(tx, who, "reopen", report_id, Report.resolved_at.is_not(None) & _at_their_store(who), resolved_at=None)


def delete_report(tx: Transaction, who: Who, report_id: int) -> bool:
    """Delete a report, softly; False if it is gone, or is not theirs to delete."""
    return _set(tx, who, "delete", report_id, _may_delete(who), deleted_at=now())


def react(tx: Transaction, who: Who, report_id: int, says: Saying) -> bool:
    """Say something to a report, and tell its reporter once, however often it is said; False if they may not say it."""
    theirs = select(Report.reporter_id, Report.store_id).where(Report.id == report_id, may_be_told(who.reader, says))
    report = tx.session.execute(theirs).one_or_none()
    if report is None:
        return False
    reaction_id = tx.session.scalars(
        tx.insert(Reaction)
        .values(report_id=report_id, account_id=who.id, says=says, created_at=now())
        .on_conflict_do_update(index_elements=["report_id", "account_id", "says"], set_={"taken_back_at": None})
        .returning(Reaction.id)
    ).one()
    key = f"report:{report_id}:{says}:{who.id}"
    event = Event("report_reaction", key, "reaction", reaction_id, who.id, f"store:{report.store_id}")
    notify(tx, event, [report.reporter_id])
    return True


def take_back(tx: Transaction, who: Who, report_id: int, says: Saying) -> None:
    """Say it no more."""
    said = (Reaction.report_id == report_id) & (Reaction.account_id == who.id) & (Reaction.says == says)
    undone = update(Reaction).where(said, Reaction.taken_back_at.is_(None)).values(taken_back_at=now())
    tx.session.execute(undone, execution_options={"synchronize_session": False})


def _at_their_store(who: Who) -> ColumnElement[bool]:
    return works_here(who.reader, Report.store_id)


def _may_delete(who: Who) -> ColumnElement[bool]:
    seen = visible_reports(who.reader)
    return seen if who.role is Role.ADMIN else seen & (Report.reporter_id == who.id)


def _set(tx: Transaction, who: Who, act: str, report_id: int, which: ColumnElement[bool], **values: object) -> bool:
    there = (Report.id == report_id) & Report.deleted_at.is_(None)
    changed = update(Report).where(there, which).values(**values).returning(Report.id)
    if tx.session.scalar(changed, execution_options={"synchronize_session": False}) is None:
        return False
    audit.note(tx, who.actor, act, (SUBJECT, report_id))
    return True
