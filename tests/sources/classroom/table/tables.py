"""A month's shifts and the table made of them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from app.sources.classroom.publication.table.edition import Edition
from app.sources.classroom.publication.table.layout import TableShift

TOKYO = ZoneInfo("Asia/Tokyo")


def edition(
    year: int = 2026,
    month: int = 12,
    *,
    classroom: str | None = "渋谷教室",
    language: str = "en",
    zone: ZoneInfo = TOKYO,
) -> Edition:
    """The second revision, drawn on Mon 30 Nov 2026 at 17:05 in Tokyo."""
    drawn_at = datetime(2026, 11, 30, 8, 5, tzinfo=UTC)
    return Edition(year, month, classroom, language, zone, revision=2, drawn_at=drawn_at)


def shift(
    day: int = 1,
    start: float = 17,
    end: float = 21.5,
    *,
    tutor: str = "髙橋 花子",
    tutor_id: int = 1,
    classroom: str = "渋谷教室",
) -> TableShift:
    """A shift in December 2026 in Tokyo; its hours are counted from midnight, and 25.5 is 1:30 on the next day."""
    midnight = datetime(2026, 12, day, tzinfo=TOKYO)
    starts_at, ends_at = midnight + timedelta(hours=start), midnight + timedelta(hours=end)
    return TableShift(tutor_id, tutor, classroom, starts_at.astimezone(UTC), ends_at.astimezone(UTC))
