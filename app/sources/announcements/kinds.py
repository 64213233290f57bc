"""What announcements tell: that there is one, to whoever it is for."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta

from flask_babel import get_locale
from flask_babel import lazy_gettext as _l
from sqlalchemy import ColumnElement, SQLColumnExpression, or_, select

from app.codes import CancelReason
from app.columns import there_is
from app.extensions import db
from app.inbox.kind import NotifyingKind
from app.kinds import Cancel, Description, Due, QueueName, Send, Verdict
from app.sources.announcements import messages
from app.sources.announcements.audience import CATEGORY, may_read
from app.sources.announcements.models import Announcement, AnnouncementText, Phase
from app.sources.announcements.texts import fields_of

KIND = "announcement"
SUBJECT = "announcement"


class Announced(NotifyingKind):
    """Something was announced. Its subject is the announcement, its version the edition that is told."""

    name = KIND
    category = CATEGORY
    generic = _l("Announcement")
    queue = QueueName.BULK
    lifetime = timedelta(days=3)

    def readable(
        self, account_id: SQLColumnExpression[int], subject_id: SQLColumnExpression[int]
    ) -> ColumnElement[bool]:
        """To those that it is for, while it is published."""
        return may_read(account_id, subject_id)

    def matches(self, words: str, subject_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
        """By title and text, in any of its languages."""
        title, body = (column.icontains(words, autoescape=True) for column in _WORDS)
        return there_is(AnnouncementText, where=(AnnouncementText.announcement_id == subject_id) & or_(title, body))

    def texts(self, subject_ids: Collection[int]) -> Mapping[int, Description]:
        """What it says, in the reader's language or another."""
        language = str(get_locale() or "en")
        return {
            one: messages.said(one, fields.texts[fields.shown_in(language)])
            for one, fields in fields_of(subject_ids).items()
        }

    def over(self, subject_ids: Collection[int]) -> Mapping[int, CancelReason]:
        """Once it is archived."""
        archived = select(Announcement.id).where(Announcement.id.in_(subject_ids), Announcement.phase == Phase.ARCHIVED)
        return dict.fromkeys(db.session.scalars(archived), CancelReason.ANNOUNCEMENT_ARCHIVED)

    def recheck(self, deliveries: Sequence[Due]) -> Mapping[int, Verdict]:
        """And is it the edition that is told now? in a language that is read there?"""
        ended = self._no_longer_owed(deliveries)
        return {
            due_id: Cancel(ended[due_id]) if due_id in ended and isinstance(verdict, Send) else verdict
            for due_id, verdict in super().recheck(deliveries).items()
        }

    def _no_longer_owed(self, deliveries: Sequence[Due]) -> dict[int, CancelReason]:
        subjects = {due.subject_id for due in deliveries}
        written = fields_of(subjects)
        editions = dict(
            db.session.execute(select(Announcement.id, Announcement.edition).where(Announcement.id.in_(subjects))).all()
        )
        silent = {due.id: CancelReason.LANGUAGE_MISSING for due in deliveries
                  if written[due.subject_id].told_in(due.language) is None}  # fmt: skip
        earlier = {due.id: CancelReason.ANNOUNCED_ANEW for due in deliveries
                   if due.subject_version != editions[due.subject_id]}  # fmt: skip
        return silent | earlier


_WORDS = (AnnouncementText.title, AnnouncementText.body)
