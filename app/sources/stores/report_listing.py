"""What pages show of reports: plain values, of what the reader may see."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from sqlalchemy import ColumnElement, ScalarSelect, func, select, true

from app.accounts.models import Account, Role
from app.accounts.stores import Store
from app.extensions import db
from app.kinds import Reader
from app.names import called
from app.sources.stores.audience import may_be_told, visible_reports, works_here
from app.sources.stores.models import Reaction, Report, Saying


class Pile(StrEnum):
    """Which reports."""

    OPEN = "open"
    RESOLVED = "resolved"


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One report with how many said what to it."""

    id: int
    store_id: int
    store: str
    title: str
    description: str
    reporter_id: int
    reporter: str
    created_at: datetime
    resolved_at: datetime | None
    me_too: int
    solved: int


@dataclass(frozen=True, slots=True)
class Standing:
    """What a reader may do to a report, what they have said to it, and what they may say or take back."""

    may_resolve: bool
    may_delete: bool
    said: Collection[Saying]
    may_say: Collection[Saying]


def reports_of(reader: Reader, pile: Pile, store_id: int | None, before: int | None, size: int) -> list[ReportLine]:
    """The newest reports of this pile that the reader may see, of one store or all, from just before this id."""
    resolved = Report.resolved_at.is_not(None) if pile is Pile.RESOLVED else Report.resolved_at.is_(None)
    at = Report.store_id == store_id if store_id is not None else true()
    earlier = Report.id < before if before is not None else true()
    return _lines(reader, resolved & at & earlier, size)


def get_report(reader: Reader, report_id: int) -> ReportLine | None:
    """One report; None if there is none that this reader may see."""
    return next(iter(_lines(reader, Report.id == report_id, 1)), None)


def standing_of(reader: Reader, report: ReportLine) -> Standing:
    """What this reader may do to a report that they may see."""
    rights = (works_here(reader, Report.store_id), *(may_be_told(reader, one) for one in Saying))
    may_resolve, *sayable = db.session.execute(select(*rights).where(Report.id == report.id)).one()
    mine = (Reaction.report_id == report.id) & (Reaction.account_id == reader.account_id)
    said = {*map(Saying, db.session.scalars(select(Reaction.says).where(mine, Reaction.taken_back_at.is_(None))))}
    return Standing(
        may_resolve=may_resolve,
        may_delete=reader.role == Role.ADMIN or reader.account_id == report.reporter_id,
        said=said,
        may_say=said | {one for one, may in zip(Saying, sayable, strict=True) if may},
    )


def _lines(reader: Reader, which: ColumnElement[bool], size: int) -> list[ReportLine]:
    rows = db.session.execute(
        select(
            Report.id, Report.store_id, Store.name, Report.title, Report.description, Report.reporter_id, Account.name,
            Report.created_at, Report.resolved_at, _said(Saying.ME_TOO), _said(Saying.SOLVED),
        )
        .join(Store, Store.id == Report.store_id)
        .join(Account, Account.id == Report.reporter_id)
        .where(visible_reports(reader), which)
        .order_by(Report.id.desc())
        .limit(size)
    )  # fmt: skip
    return [replace(line, reporter=called(line.reporter)) for line in (ReportLine(*row) for row in rows)]


def _said(says: Saying) -> ScalarSelect[int]:
    holds = (Reaction.report_id == Report.id) & (Reaction.says == says) & Reaction.taken_back_at.is_(None)
    return select(func.count()).select_from(Reaction).where(holds).correlate(Report).scalar_subquery()
