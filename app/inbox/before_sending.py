"""The inbox's own questions right before sending: already read? unwanted by now? quiet hours?"""

from collections.abc import Iterator, Sequence
from zoneinfo import ZoneInfo

from sqlalchemy import select

from app.codes import CancelReason
from app.extensions import db
from app.inbox.models import Notification
from app.kinds import Cancel, Due, Hold, InboxKind
from app.reach.preferences import refused
from app.reach.quiet_hours import quiet_now


def held_back(kind: InboxKind, dues: Sequence[Due], zone: ZoneInfo) -> dict[int, Cancel | Hold]:
    """Those of these deliveries that are not to be sent, or not now, by their ids. Three queries.

    Asked in this order: read already? does the person still want it here? are these their quiet hours?
    """
    accounts = {due.account_id for due in dues if due.account_id is not None}
    read = _read([due.notification_id for due in dues if due.notification_id is not None])
    unwanted, quiet = refused(accounts, kind.category), quiet_now(accounts, zone)

    def reasons() -> Iterator[tuple[int, Cancel | Hold]]:
        for due in dues:
            if due.account_id is None:
                continue
            if due.notification_id in read:
                yield due.id, Cancel(CancelReason.ALREADY_READ)
            elif (due.account_id, due.channel) in unwanted:
                yield due.id, Cancel(CancelReason.PREFERENCE_OFF)
            elif due.account_id in quiet:
                yield due.id, Hold(quiet[due.account_id])

    return dict(reasons())


def _read(notification_ids: Sequence[int]) -> set[int]:
    """Those that were read; one that was put away needs no push either."""
    seen = Notification.read_at.is_not(None) | Notification.archived_at.is_not(None)
    return set(db.session.scalars(select(Notification.id).where(Notification.id.in_(notification_ids), seen)))
