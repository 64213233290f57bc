"""Announcements by the site's administrator in every phase, for browsers to look at."""

from datetime import timedelta

from sqlalchemy import select

from app.accounts.known import who
from app.accounts.models import Account
from app.clock import now
from app.extensions import db
from app.sources.announcements.fan_out import announce
from app.sources.announcements.fields import Fields, Text
from app.sources.announcements.models import Audience
from app.sources.announcements.publish import archive, publish, publish_later
from app.sources.announcements.write import draft
from app.transaction import writing
from tests.factories import make_account
from tests.inbox.inboxes import make_device

JAPANESE = Text(
    "年末年始の営業時間と、休業中のお問い合わせについて", "12月29日から1月3日まで休業します。\n4日に開きます。"
)
ENGLISH = Text("Opening hours around New Year, and whom to ask meanwhile", "https://example.jp/" + "x" * 120)


def announced() -> list[str]:
    """Make it all; the addresses of the pages that matter."""
    admin = who(db.session.scalars(select(Account.id).where(Account.role == "admin")).one())
    make_device(make_account(name="Emma Brown", language="en"))
    japanese = Fields({"ja": JAPANESE}, "ja", Audience.MEMBERS)
    both = Fields({"ja": JAPANESE, "en": ENGLISH}, None, Audience.EVERYONE)
    with writing() as tx:
        told, telling, later, gone = (draft(tx, admin, both, f"form-{number}") for number in range(4))
        nobodys = draft(tx, admin, Fields({"ja": JAPANESE}, None, Audience.MEMBERS), "form-5")
        publish(tx, admin, told, 1)
        publish_later(tx, admin, later, 1, now() + timedelta(days=3))
        archive(tx, admin, gone, 1)
    announce()
    with writing() as tx:
        publish(tx, admin, telling, 1)
        foreign = draft(tx, admin, japanese, "form-6")
    drafts = [f"/announcements/{one}{act}" for one in (later, nobodys, foreign) for act in ("", "/publish")]
    return [
        "/announcements", "/announcements?state=draft", "/announcements?state=archived", "/announcements/new", *drafts,
        f"/announcements/{told}", f"/announcements/{telling}", f"/announcements/{told}/edit",
        f"/announcements/{told}/archive", f"/announcements/{gone}",
    ]  # fmt: skip
