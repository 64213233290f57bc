"""Writing an announcement, and changing what it says."""

from collections.abc import Mapping
from dataclasses import asdict

from sqlalchemy import case, delete, insert, select, update

from app import audit
from app.accounts.signed_in import Who
from app.clock import now
from app.once import make_once
from app.sources.announcements.fields import Fields, Text, check_fields
from app.sources.announcements.kinds import SUBJECT
from app.sources.announcements.models import Announcement, AnnouncementText, Phase
from app.sources.announcements.publish import ChangedMeanwhileError
from app.sources.announcements.texts import fields_of
from app.sources.announcements.turns import begin_to_tell
from app.transaction import Transaction

TELL_ANEW = "tell_anew"


def draft(tx: Transaction, who: Who, fields: Fields, request_id: str) -> int:
    """Keep what was written as a draft, once for each form; its id.

    Raises InvalidInput with every fault, also for a form that was sent before with something else in it.
    """
    check_fields(fields)
    form = {"created_by": who.id, "request_id": request_id}
    decided = {"audience": fields.audience, "fallback": fields.fallback}
    new = {"phase": Phase.DRAFT, "revision": 1, "edition": 1, "created_at": now()}
    made = make_once(tx, Announcement, form, [asdict(fields)], **decided, **new)
    if not made.again:
        _write(tx, made.id, fields.texts)
        audit.note(tx, who.actor, "add", (SUBJECT, made.id))
    return made.id


def change(tx: Transaction, who: Who, announcement_id: int, fields: Fields, seen: int, *, anew: bool = False) -> None:
    """Write something else into the revision that was `seen`. Nobody is told again, and what was read stays read.

    `anew`: everybody is told once more, if it is published, and what is still owed of before is not sent. Sent twice,
    the same change is made once. Raises InvalidInput with every fault, ChangedMeanwhileError.
    """
    check_fields(fields)
    is_published = Announcement.phase == Phase.PUBLISHED
    row = tx.execute(
        update(Announcement)
        .where(Announcement.id == announcement_id, Announcement.revision == seen)
        .where(Announcement.phase != Phase.ARCHIVED)
        .values(
            audience=fields.audience,
            fallback=fields.fallback,
            revision=Announcement.revision + 1,
            edition=case((is_published, Announcement.edition + int(anew)), else_=Announcement.edition),
            edited_at=case((is_published, now()), else_=None),
        )
        .returning(Announcement.phase, Announcement.edition)
    ).first()
    if row is None:
        if _is_made(tx, who, announcement_id, fields, seen, anew=anew):
            return
        raise ChangedMeanwhileError(announcement_id)
    tx.execute(delete(AnnouncementText).where(AnnouncementText.announcement_id == announcement_id))
    _write(tx, announcement_id, fields.texts)
    act = _act(row.phase, anew=anew)
    audit.note(tx, who.actor, act, (SUBJECT, announcement_id))
    if act == TELL_ANEW:
        begin_to_tell(tx, announcement_id, row.edition)


def _is_made(tx: Transaction, who: Who, announcement_id: int, fields: Fields, seen: int, *, anew: bool) -> bool:
    """Whether the same person made this very change of this very revision just before, and nobody any other since."""
    this = select(Announcement.phase, Announcement.revision).where(Announcement.id == announcement_id)
    row = tx.session.execute(this).one()
    if row.revision != seen + 1 or fields_of([announcement_id])[announcement_id] != fields:
        return False
    last = audit.entries(SUBJECT, announcement_id)[-1]
    return (last.actor_id, last.act) == (who.id, _act(row.phase, anew=anew))


def _act(phase: str, *, anew: bool) -> str:
    return TELL_ANEW if anew and phase == Phase.PUBLISHED else "change"


def _write(tx: Transaction, announcement_id: int, texts: Mapping[str, Text]) -> None:
    rows = [
        {"announcement_id": announcement_id, "language": language, "title": text.title, "body": text.body}
        for language, text in texts.items()
    ]
    tx.execute(insert(AnnouncementText), rows)
