"""What announcements say, as their authors wrote it."""

from collections import defaultdict
from collections.abc import Collection

from sqlalchemy import select

from app.extensions import db
from app.sources.announcements.fields import Fields, Text
from app.sources.announcements.models import Announcement, AnnouncementText, Audience


def fields_of(announcement_ids: Collection[int]) -> dict[int, Fields]:
    """What is written into each of these that exist. Two queries."""
    texts: dict[int, dict[str, Text]] = defaultdict(dict)
    wordings = select(AnnouncementText).where(AnnouncementText.announcement_id.in_(announcement_ids))
    for row in db.session.scalars(wordings.order_by(AnnouncementText.language)):
        texts[row.announcement_id][row.language] = Text(row.title, row.body)
    decided = select(Announcement.id, Announcement.fallback, Announcement.audience)
    rows = db.session.execute(decided.where(Announcement.id.in_(announcement_ids)))
    return {one: Fields(texts[one], fallback, Audience(audience)) for one, fallback, audience in rows}
