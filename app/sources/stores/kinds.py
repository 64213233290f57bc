"""What stores tell: guidance to their owners, reports to their staff, and what became of a report to its reporter."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from flask_babel import lazy_gettext as _l
from sqlalchemy import ColumnElement, SQLColumnExpression, and_, or_, select

from app.accounts.memberships import OWNERS
from app.accounts.models import Account
from app.accounts.stores import Store
from app.codes import CancelReason
from app.columns import there_is
from app.extensions import db
from app.inbox.kind import NotifyingKind
from app.inbox.models import Notification
from app.kinds import Cancel, Description, Due, Send, Verdict
from app.names import called
from app.sources.stores import messages
from app.sources.stores.audience import at_open_store, reacted_to_their_report, reported_at_their_store, reported_by
from app.sources.stores.models import Reaction, Report, Saying
from app.sources.stores.setup import missing_of

Over = Mapping[int, CancelReason]


class StoreGuidance(NotifyingKind):
    """A store is not set up: to its owners. Its subject is the store."""

    name = "store_guidance"
    category = "store_guidance"
    generic = _l("Store set-up")

    def readable(
        self, account_id: SQLColumnExpression[int], subject_id: SQLColumnExpression[int]
    ) -> ColumnElement[bool]:
        """To whoever owns it now, while it is open."""
        return at_open_store(account_id, subject_id, OWNERS)

    def matches(self, words: str, subject_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
        """By the store's name."""
        return there_is(Store, where=(Store.id == subject_id) & Store.name.icontains(words, autoescape=True))

    def texts(self, subject_ids: Collection[int]) -> Mapping[int, Description]:
        """What is missing now."""
        stores = db.session.scalars(select(Store).where(Store.id.in_(subject_ids)))
        return {store.id: messages.guidance(store.id, store.name, missing_of(store)) for store in stores}

    def over(self, subject_ids: Collection[int]) -> Over:
        """Once nothing is missing."""
        stores = db.session.scalars(select(Store).where(Store.id.in_(subject_ids)))
        return {store.id: CancelReason.SUBJECT_RESOLVED for store in stores if not missing_of(store)}


class ReportOpened(NotifyingKind):
    """A fault was reported: to the store's staff. Its subject is the report."""

    name = "report_opened"
    category = "reports"
    generic = _l("Fault report")

    def readable(
        self, account_id: SQLColumnExpression[int], subject_id: SQLColumnExpression[int]
    ) -> ColumnElement[bool]:
        """To whoever works for the store now, while it is open."""
        return reported_at_their_store(account_id, subject_id)

    def matches(self, words: str, subject_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
        """By title and description."""
        return there_is(Report, where=(Report.id == subject_id) & _holds(words))

    def texts(self, subject_ids: Collection[int]) -> Mapping[int, Description]:
        """The report as it stands."""
        return {
            report.id: messages.opened(
                report.id, report.title, store, report.description, report.resolved_at is not None
            )
            for report, store in _reports(subject_ids)
        }

    def over(self, subject_ids: Collection[int]) -> Over:
        """Once it is resolved or deleted: nobody has to look at it any more."""
        settled = CancelReason.SUBJECT_RESOLVED
        return _deleted(subject_ids) | {one.id: settled for one, _ in _reports(subject_ids) if one.resolved_at}


class ReportReaction(NotifyingKind):
    """Somebody said something to a report: to its reporter. Its subject is the reaction."""

    name = "report_reaction"
    category = "reports"
    generic = _l("Reaction to a fault report")

    def readable(
        self, account_id: SQLColumnExpression[int], subject_id: SQLColumnExpression[int]
    ) -> ColumnElement[bool]:
        """To the reporter, until it is taken back."""
        return reacted_to_their_report(account_id, subject_id)

    def matches(self, words: str, subject_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
        """By title and description of the report."""
        return there_is(
            Reaction, Report, where=and_(Reaction.id == subject_id, Report.id == Reaction.report_id, _holds(words))
        )

    def texts(self, subject_ids: Collection[int]) -> Mapping[int, Description]:
        """Who says what to which report."""
        rows = db.session.execute(
            select(Reaction.id, Reaction.says, Report.id, Report.title, Store.name, Account.name)
            .join(Report, Report.id == Reaction.report_id)
            .join(Store, Store.id == Report.store_id)
            .join(Account, Account.id == Reaction.account_id)
            .where(Reaction.id.in_(subject_ids))
        )
        return {one: messages.reaction(report, title, store, called(who), Saying(says))
                for one, says, report, title, store, who in rows}  # fmt: skip

    def over(self, subject_ids: Collection[int]) -> Over:
        """Once it is taken back, or its report deleted."""
        rows = db.session.scalars(
            select(Reaction.id)
            .join(Report, Report.id == Reaction.report_id)
            .where(
                Reaction.id.in_(subject_ids), or_(Reaction.taken_back_at.is_not(None), Report.deleted_at.is_not(None))
            )
        )
        return dict.fromkeys(rows, CancelReason.SUBJECT_DELETED)


class ReportResolved(NotifyingKind):
    """A report was resolved: to its reporter. Its subject is the report."""

    name = "report_resolved"
    category = "reports"
    generic = _l("Fault report resolved")

    def readable(
        self, account_id: SQLColumnExpression[int], subject_id: SQLColumnExpression[int]
    ) -> ColumnElement[bool]:
        """To the reporter."""
        return reported_by(account_id, subject_id)

    def matches(self, words: str, subject_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
        """By title and description."""
        return there_is(Report, where=(Report.id == subject_id) & _holds(words))

    def texts(self, subject_ids: Collection[int]) -> Mapping[int, Description]:
        """Whether it still is resolved."""
        return {
            report.id: messages.resolved(report.id, report.title, store, report.resolved_at is not None)
            for report, store in _reports(subject_ids)
        }

    def over(self, subject_ids: Collection[int]) -> Over:
        """Once it is open again or deleted."""
        reopened = CancelReason.SUBJECT_RESOLVED
        return _deleted(subject_ids) | {one.id: reopened for one, _ in _reports(subject_ids) if not one.resolved_at}

    def recheck(self, deliveries: Sequence[Due]) -> Mapping[int, Verdict]:
        """And is it this resolution? Of one that was reopened and resolved again, the later one tells."""
        earlier, over = self._earlier(deliveries), Cancel(CancelReason.SUBJECT_RESOLVED)
        return {
            due_id: over if due_id in earlier and isinstance(verdict, Send) else verdict
            for due_id, verdict in super().recheck(deliveries).items()
        }

    def _earlier(self, deliveries: Sequence[Due]) -> set[int]:
        rows = db.session.execute(
            select(Notification.id, Notification.event_key, Report.id, Report.resolutions)
            .join(Report, Report.id == Notification.subject_id)
            .where(Notification.id.in_([due.notification_id for due in deliveries]))
        )
        earlier = {one for one, key, report_id, number in rows if key != resolution_key(report_id, number)}
        return {due.id for due in deliveries if due.notification_id in earlier}


def resolution_key(report_id: int, number: int) -> str:
    """What tells one resolution of a report from the next."""
    return f"report:{report_id}:resolved:{number}"


def _holds(words: str) -> ColumnElement[bool]:
    return or_(Report.title.icontains(words, autoescape=True), Report.description.icontains(words, autoescape=True))


def _reports(report_ids: Collection[int]) -> Iterator[Any]:
    """(report, name of its store), of those that are not deleted."""
    rows = select(Report, Store.name).join(Store, Store.id == Report.store_id)
    return iter(db.session.execute(rows.where(Report.id.in_(report_ids), Report.deleted_at.is_(None))))


def _deleted(report_ids: Collection[int]) -> dict[int, CancelReason]:
    gone = select(Report.id).where(Report.id.in_(report_ids), Report.deleted_at.is_not(None))
    return dict.fromkeys(db.session.scalars(gone), CancelReason.SUBJECT_DELETED)
