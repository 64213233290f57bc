"""The inquiries that an account may read now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import BigInteger, Select, literal, select, tuple_

from app.accounts.models import Account
from app.accounts.stores import Store
from app.extensions import db
from app.names import called
from app.sources.conversations.audience import may_read_inquiry, side_of
from app.sources.conversations.models import Inquiry, InquiryAsker, Side


@dataclass(frozen=True, slots=True)
class InquiryLine:
    """One inquiry in a list."""

    id: int
    subject: str
    store: str
    opened_by: str
    last_message_at: datetime
    closed: bool


@dataclass(frozen=True, slots=True)
class InquiryPage:
    """One inquiry with its people. `side`: for whom its reader writes; None for who may only read."""

    line: InquiryLine
    opened_by_id: int
    askers: Mapping[int, str]
    side: Side | None
    store_is_open: bool


def inquiries(account_id: int, closed: bool, after: tuple[datetime, int] | None, size: int) -> Sequence[InquiryLine]:
    """Those that this account may read, the last written to first, from just after (last message, id)."""
    rows = _lines().where(may_read_inquiry(literal(account_id, BigInteger), Inquiry.id))
    rows = rows.where(Inquiry.closed_at.is_not(None) if closed else Inquiry.closed_at.is_(None))
    if after is not None:
        rows = rows.where(tuple_(Inquiry.last_message_at, Inquiry.id) < tuple_(*after))
    rows = rows.order_by(Inquiry.last_message_at.desc(), Inquiry.id.desc()).limit(size)
    return [_line(*row) for row in db.session.execute(rows)]


def inquiry(account_id: int, inquiry_id: int) -> InquiryPage | None:
    """One of them; None if there is none that this account may read."""
    theirs = may_read_inquiry(literal(account_id, BigInteger), Inquiry.id)
    found = db.session.execute(_lines().where(Inquiry.id == inquiry_id, theirs)).one_or_none()
    if found is None:
        return None
    row, store, _opened_by = found
    asking = (
        select(InquiryAsker.account_id, Account.name)
        .join(Account, Account.id == InquiryAsker.account_id)
        .where(InquiryAsker.inquiry_id == inquiry_id)
        .order_by(InquiryAsker.since, InquiryAsker.account_id)
    )
    return InquiryPage(
        line=_line(*found),
        opened_by_id=row.opened_by,
        askers={asker: called(name) for asker, name in db.session.execute(asking)},
        side=side_of(account_id, inquiry_id),
        store_is_open=store.archived_at is None,
    )


def _lines() -> Select[Inquiry, Store, str]:
    return (
        select(Inquiry, Store, Account.name)
        .join(Store, Store.id == Inquiry.store_id)
        .join(Account, Account.id == Inquiry.opened_by)
    )


def _line(row: Inquiry, store: Store, opened_by: str) -> InquiryLine:
    return InquiryLine(
        row.id, row.subject, store.name, called(opened_by), row.last_message_at, row.closed_at is not None
    )
