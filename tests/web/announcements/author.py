"""An author at the pages of announcements, and what they fill in."""

import re
from typing import Any

from flask import Flask
from sqlalchemy import func, select
from werkzeug.test import TestResponse

from app.accounts.known import who
from app.extensions import db
from app.sources.announcements.fan_out import announce
from app.sources.announcements.fields import Fields, Text
from app.sources.announcements.models import Announcement, Audience, FanOut
from app.sources.announcements.publish import publish
from app.sources.announcements.write import draft
from app.transaction import writing
from tests.web.visitor import Visitor

JAPANESE = {"title_ja": "年末の休業", "body_ja": "29日から休みます。\n4日に開きます。"}
ENGLISH = {"title_en": "Closed in winter", "body_en": "From the 29th.\nBack on the 4th."}
BOTH: dict[str, Any] = JAPANESE | ENGLISH


def form(**fields: Any) -> dict[str, Any]:
    """A form with these fields; the others as an empty form has them."""
    return {"audience": "everyone", "fallback": "", "request_id": "one-form", **fields}


def hidden(page: str, name: str) -> str:
    """What a form carries along."""
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found is not None, name
    return found.group(1)


def drafted(admin: Visitor, **fields: Any) -> str:
    """Write a draft; the address of its page."""
    fresh = hidden(admin.get("/announcements/new").text, "request_id")
    answer = admin.post("/announcements/new", **form(**(fields or BOTH)) | {"request_id": fresh})
    assert answer.status_code == 303, answer.text
    return str(answer.location)


def press_publish(admin: Visitor, path: str, **fields: Any) -> TestResponse:
    """Press the button of the question page as it stands now."""
    seen = hidden(admin.get(f"{path}/publish").text, "seen")
    return admin.post(f"{path}/publish", **{"seen": seen, "when": "now"} | fields)


def published(admin: Visitor, **fields: Any) -> str:
    """Write and publish it; the address of its page."""
    path = drafted(admin, **fields)
    assert press_publish(admin, path).status_code == 303
    return path


def publish_many(app: Flask, admin: Visitor, number: int) -> None:
    """So many at one go, by this author."""
    assert admin.account_id is not None
    with app.app_context(), writing() as tx:
        author = who(admin.account_id)
        for one in range(number):
            what = Fields({"en": Text(f"Number {one:02}", "")}, None, Audience.EVERYONE)
            publish(tx, author, draft(tx, author, what, f"form-{one}"), 1)


def press_archive(admin: Visitor, path: str) -> TestResponse:
    """Open the question, if there is one, and press."""
    page = admin.get(f"{path}/archive")
    return admin.post(f"{path}/archive", seen=hidden(page.text, "seen") if page.status_code == 200 else "1")


def edited(admin: Visitor, path: str, **fields: Any) -> TestResponse:
    """Open the form, change these fields, and save."""
    page = admin.get(f"{path}/edit").text
    carried = {"seen": hidden(page, "seen")}
    return admin.post(f"{path}/edit", **form(**BOTH) | carried | fields)


def tell(app: Flask) -> None:
    """One run of the scan."""
    with app.app_context():
        announce()


def stored(app: Flask, path: str) -> Announcement:
    """The row as it stands in the database now."""
    with app.app_context():
        return db.session.get_one(Announcement, int(path.rpartition("/")[2]))


def walks(app: Flask) -> int:
    """How many times anything was begun to be told."""
    with app.app_context():
        return db.session.scalar(select(func.count()).select_from(FanOut)) or 0


def count(app: Flask) -> int:
    """How many announcements there are."""
    with app.app_context():
        return db.session.scalar(select(func.count()).select_from(Announcement)) or 0
