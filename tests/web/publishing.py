"""Publishing a classroom's table, as an administrator does it."""

import io
import re
from typing import Any

from PIL import Image

from app.extensions import db
from app.sources.classroom.models import Publication
from tests.web.classroom import next_month
from tests.web.visitor import Visitor, text_of

MONTH = f"{next_month():%Y-%m}"


def request_id_on(page: str) -> str:
    found = re.search(r'name="request_id" value="([^"]+)"', page)
    assert found is not None
    return found.group(1)


def address(room: int | str, month: str = MONTH) -> str:
    return f"/publications?month={month}&classroom={room}"


def send(admin: Visitor, room: int | str, **fields: Any) -> Any:
    """Press Send on the preview of this classroom's table."""
    page = admin.get(address(room)).text
    form = {"month": MONTH, "classroom": str(room), "request_id": request_id_on(page), "seen": seen_on(page)}
    return admin.post("/publications", **form | fields)


def seen_on(page: str) -> str:
    """The digest of the table that the page shows; empty where it shows none."""
    found = re.search(r'name="seen" value="([^"]*)"', page)
    assert found is not None
    return found.group(1)


def sent(admin: Visitor, room: int | str) -> str:
    """The address of a table that was sent."""
    answer = send(admin, room)
    assert answer.status_code == 303, text_of(answer)
    return str(answer.location)


def picture(width: int = 300, height: int = 200, kind: str = "PNG") -> tuple[io.BytesIO, str]:
    data = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(data, kind)
    data.seek(0)
    return data, f"table.{kind.lower()}"


def published() -> list[Publication]:
    db.session.rollback()
    return list(db.session.query(Publication).order_by(Publication.id))
