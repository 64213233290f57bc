"""What an account may read now: the one condition behind list, count, poll and search."""

from collections.abc import Iterable

from sqlalchemy import BigInteger, ColumnElement, SQLColumnExpression, and_, false, literal, or_

from app.inbox.models import Notification
from app.kinds import INBOX_KINDS, InboxKind


def readable_by(account_id: int) -> ColumnElement[bool]:
    """SQL on `notification`: these rows are this account's, and it may read their subjects at this moment."""
    return readable_to(literal(account_id, BigInteger), INBOX_KINDS.values())


def readable_to(reader: SQLColumnExpression[int], kinds: Iterable[InboxKind]) -> ColumnElement[bool]:
    """The same of these kinds only, and for an account that may be named when the statement is executed."""
    rights = [and_(Notification.kind == kind.name, kind.readable(reader, Notification.subject_id)) for kind in kinds]
    return and_(Notification.account_id == reader, or_(false(), *rights))


def matching(words: str) -> ColumnElement[bool]:
    """SQL on `notification`: the text of the subject holds these words."""
    found = [
        and_(Notification.kind == kind.name, kind.matches(words, Notification.subject_id))
        for kind in INBOX_KINDS.values()
    ]
    return or_(false(), *found)
