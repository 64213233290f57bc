"""Publishing an announcement, now or later, and archiving it."""

from datetime import datetime

from flask_babel import gettext as _
from sqlalchemy import ColumnElement, select, update

from app import audit
from app.accounts.signed_in import Who
from app.audit import Actor
from app.clock import now
from app.faults import Fault, InvalidInput
from app.sources.announcements.audience import is_for_anybody
from app.sources.announcements.kinds import SUBJECT
from app.sources.announcements.models import Announcement, Phase
from app.sources.announcements.texts import fields_of
from app.sources.announcements.turns import SCAN, begin_to_tell
from app.transaction import Transaction, writing


class ChangedMeanwhileError(RuntimeError):
    """Somebody else changed, published or archived it since it was looked at; nothing was done."""


def publish(tx: Transaction, who: Who, announcement_id: int, seen: int) -> bool:
    """Publish the revision that was `seen`, and begin to tell it; False if it has been published already.

    Raises InvalidInput if nobody would be told, ChangedMeanwhileError.
    """
    if _phase(tx, announcement_id) == Phase.PUBLISHED:
        return False
    _ask_for_readers(announcement_id)
    if not _publish(tx, who.actor, (Announcement.id == announcement_id) & (Announcement.revision == seen)):
        raise ChangedMeanwhileError(announcement_id)
    return True


def publish_later(tx: Transaction, who: Who, announcement_id: int, seen: int, at: datetime) -> None:
    """Have the scan publish it at this instant (UTC), as it stands then.

    Raises InvalidInput for an instant that has passed, or if nobody would be told now; ChangedMeanwhileError.
    """
    if at <= now():
        raise InvalidInput(Fault("publish_at", _("This time has passed. Choose a later one, or publish it now.")))
    _ask_for_readers(announcement_id)
    seen_draft = (Announcement.id == announcement_id) & (Announcement.revision == seen)
    if not _set(tx, seen_draft & (Announcement.phase == Phase.DRAFT), publish_at=at):
        raise ChangedMeanwhileError(announcement_id)
    audit.note(tx, who.actor, "schedule", (SUBJECT, announcement_id))


def keep_as_draft(tx: Transaction, who: Who, announcement_id: int) -> bool:
    """Do not publish it by itself any more; False if it was not going to be."""
    waits = (Announcement.phase == Phase.DRAFT) & Announcement.publish_at.is_not(None)
    if not _set(tx, (Announcement.id == announcement_id) & waits, publish_at=None):
        return False
    audit.note(tx, who.actor, "unschedule", (SUBJECT, announcement_id))
    return True


def archive(tx: Transaction, who: Who, announcement_id: int, seen: int) -> bool:
    """Take back the revision that was `seen`: nobody sees it any more, and what waits is not sent; False if it was
    archived before.

    Each delivery asks right before it is sent; the scan ends those that still wait. Raises ChangedMeanwhileError.
    """
    if _phase(tx, announcement_id) == Phase.ARCHIVED:
        return False
    this = (Announcement.id == announcement_id) & (Announcement.revision == seen)
    if not _set(tx, this, phase=Phase.ARCHIVED, archived_at=now(), publish_at=None):
        raise ChangedMeanwhileError(announcement_id)
    audit.note(tx, who.actor, "archive", (SUBJECT, announcement_id))
    tx.wake(SCAN)
    return True


def publish_due() -> int:
    """Publish the drafts whose time has come; how many these are."""
    come = select(Announcement.id).where(Announcement.phase == Phase.DRAFT, Announcement.publish_at <= now())
    with writing() as tx:
        return sum(
            _publish(tx, audit.CLOCK, (Announcement.id == one) & (Announcement.publish_at <= now()))
            for one in tx.session.scalars(come.order_by(Announcement.id)).all()
        )


def _phase(tx: Transaction, announcement_id: int) -> str | None:
    """Held until the end of the transaction: whoever presses the button a second time waits here for the first."""
    return tx.session.scalar(select(Announcement.phase).where(Announcement.id == announcement_id).with_for_update())


def _ask_for_readers(announcement_id: int) -> None:
    fields = fields_of([announcement_id]).get(announcement_id)
    if fields is not None and not is_for_anybody(fields):
        raise InvalidInput(Fault("audience", _("Nobody would get this: no active account reads it.")))


def _publish(tx: Transaction, actor: Actor, which: ColumnElement[bool]) -> bool:
    """False when it is no draft (any more)."""
    published = (
        update(Announcement)
        .where(which, Announcement.phase == Phase.DRAFT)
        .values(phase=Phase.PUBLISHED, published_at=now(), publish_at=None, revision=Announcement.revision + 1)
        .returning(Announcement.id, Announcement.edition)
    )
    row = tx.execute(published).first()
    if row is None:
        return False
    begin_to_tell(tx, row.id, row.edition)
    audit.note(tx, actor, "publish", (SUBJECT, row.id))
    return True


def _set(tx: Transaction, which: ColumnElement[bool], **values: object) -> bool:
    changed = update(Announcement).where(which).values(**values, revision=Announcement.revision + 1)
    return tx.execute(changed.returning(Announcement.id)).first() is not None
