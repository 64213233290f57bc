"""What is announced to everybody in the demo, once."""

from sqlalchemy import select

from app.accounts.known import id_of, who
from app.cli.demo_data import ADMIN
from app.sources.announcements.fields import Fields, Text
from app.sources.announcements.models import Announcement, Audience
from app.sources.announcements.publish import publish
from app.sources.announcements.write import draft
from app.transaction import Transaction

FORM = "demo-announcement"
HOLIDAYS = Fields(
    {
        "ja": Text(
            "年末年始の営業について",
            "12月29日から1月3日まで、全店舗と全教室を休業します。\n1月4日は10時から営業します。",
        ),
        "en": Text(
            "Closed around New Year",
            "All stores and classrooms are closed from 29 December to 3 January.\nWe open again on 4 January at 10.",
        ),
    },
    None,
    Audience.EVERYONE,
)


def add_announcement(tx: Transaction) -> None:
    """Publish it, unless it was written before. A run of the scan tells it."""
    if tx.session.scalar(select(Announcement.id).where(Announcement.request_id == FORM)) is None:
        author = who(id_of(ADMIN.email))
        publish(tx, author, draft(tx, author, HOLIDAYS, FORM), seen=1)
