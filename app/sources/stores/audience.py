"""Who may see what of a store, and who is told: SQL, asked at the moment of reading."""

from collections.abc import Collection

from sqlalchemy import BigInteger, ColumnElement, SQLColumnExpression, and_, literal, or_, true
from sqlalchemy.orm import aliased

from app.accounts.memberships import EVERY_POST, Post, works_for
from app.accounts.models import STAFF
from app.accounts.stores import Store
from app.columns import there_is
from app.kinds import Reader
from app.sources.stores.models import Reaction, Report, Saying


def oversees(reader: Reader) -> bool:
    """Whether this reader is platform staff: they see every store and every report."""
    return reader.role in STAFF


def at_open_store(
    account_id: SQLColumnExpression[int], store_id: SQLColumnExpression[int], posts: Collection[Post] = EVERY_POST
) -> ColumnElement[bool]:
    """SQL: whether this account holds one of these posts at this store, which is not archived."""
    store = aliased(Store)  # whoever asks may be reading from `store` too
    is_open = there_is(store, where=(store.id == store_id) & store.archived_at.is_(None))
    return and_(is_open, works_for(account_id, store_id, posts))


def reported_at_their_store(
    account_id: SQLColumnExpression[int], report_id: SQLColumnExpression[int]
) -> ColumnElement[bool]:
    """SQL: whether this report is there, and was made at an open store that the account works for."""
    there = (Report.id == report_id) & Report.deleted_at.is_(None)
    return there_is(Report, where=there & at_open_store(account_id, Report.store_id))


def reported_by(account_id: SQLColumnExpression[int], report_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
    """SQL: whether this report is there, and this account made it."""
    return there_is(
        Report, where=and_(Report.id == report_id, Report.deleted_at.is_(None), Report.reporter_id == account_id)
    )


def reacted_to_their_report(
    account_id: SQLColumnExpression[int], reaction_id: SQLColumnExpression[int]
) -> ColumnElement[bool]:
    """SQL: whether this reaction holds, and is to a report that this account made."""
    holds = (Reaction.id == reaction_id) & Reaction.taken_back_at.is_(None)
    return there_is(Reaction, where=holds & reported_by(account_id, Reaction.report_id))


def visible_reports(reader: Reader) -> ColumnElement[bool]:
    """SQL on `report`: those that are there and that this reader may see."""
    if oversees(reader):
        return Report.deleted_at.is_(None)
    theirs = or_(Report.reporter_id == reader.account_id, works_here(reader, Report.store_id))
    return and_(Report.deleted_at.is_(None), theirs)


def may_be_told(reader: Reader, says: Saying) -> ColumnElement[bool]:
    """SQL on `report`: those to which this reader may say this.

    Whoever may resolve a report does that instead of saying that it works again.
    """
    seen = visible_reports(reader)
    return seen & ~works_here(reader, Report.store_id) if says is Saying.SOLVED else seen


def visible_stores(reader: Reader) -> ColumnElement[bool]:
    """SQL on `store`: those whose page this reader may open. What stands there for everybody is no secret."""
    return true() if oversees(reader) else Store.archived_at.is_(None)


def works_here(
    reader: Reader, store_id: SQLColumnExpression[int], posts: Collection[Post] = EVERY_POST
) -> ColumnElement[bool]:
    """SQL: whether this reader holds one of these posts at this store, which is not archived."""
    return at_open_store(literal(reader.account_id, BigInteger), store_id, posts)
