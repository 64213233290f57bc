"""What announcements say, as their authors wrote it."""

from collections.abc import Collection

from sqlalchemy import select

from app.extensions import db
from app.sources.announcements.fields import Fields, Text
from app.sources.announcements.models import Announcement, AnnouncementText, Audience


def fields_of(announcement_ids: Collection[int]) -> dict[int, Fields]:
    """What is written into each of these that exist."""
    # One statement: between two, an edit could come, and the texts of before have no text for the fallback of after.
    found = db.session.execute(
        select(Announcement.id, Announcement.fallback, Announcement.audience)
        .add_columns(AnnouncementText.language, AnnouncementText.title, AnnouncementText.body)
        .join(AnnouncementText, AnnouncementText.announcement_id == Announcement.id)
        .where(Announcement.id.in_(announcement_ids))
        .order_by(AnnouncementText.language)
    ).all()
    texts: dict[int, dict[str, Text]] = {}
    for row in found:
        texts.setdefault(row.id, {})[row.language] = Text(row.title, row.body)
    return {row.id: Fields(texts[row.id], row.fallback, Audience(row.audience)) for row in found}
