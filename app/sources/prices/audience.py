"""Who reads what of prices: whoever watches, and nobody else. And the names by which everybody else knows it."""

from sqlalchemy import ColumnElement, SQLColumnExpression

from app.columns import there_is
from app.sources.prices.models import Finding, Watch

CATEGORY = "prices"
KIND, UNREADABLE = "price_drop", "price_unreadable"
SUBJECT, ITEM = "price_finding", "price_item"


def found_for(account_id: SQLColumnExpression[int], finding_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
    """SQL: it is a finding of a watch of this account, also of one that was removed since."""
    theirs = (Finding.id == finding_id) & (Watch.id == Finding.watch_id) & (Watch.account_id == account_id)
    return there_is(Finding, Watch, where=theirs)


def watches(account_id: SQLColumnExpression[int], item_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
    """SQL: this account watches this item."""
    live = (Watch.item_id == item_id) & (Watch.account_id == account_id) & Watch.removed_at.is_(None)
    return there_is(Watch, where=live)
