"""Publishing shift tables."""

import io
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from PIL import Image

from app import audit
from app.extensions import db
from app.sources.classroom.models import Classroom, Publication, PublicationImage
from app.sources.classroom.table import fonts
from tests.factories import all_deliveries, change, make_classroom, make_tutor
from tests.web.classroom import GROUP_ID, give_group, next_month, shift_on
from tests.web.visitor import Visitor, text_of

MONTH = f"{next_month():%Y-%m}"


@pytest.fixture
def room(pages_app: Flask) -> int:
    """A classroom with a group, and a confirmed shift next month."""
    with pages_app.app_context():
        made = make_classroom()
        change(Classroom, made, name="渋谷教室")
        give_group(made)
        shift_on(next_month(), make_tutor(name="髙橋 花子"), classroom_id=made)
        return made


def request_id_on(page: str) -> str:
    found = re.search(r'name="request_id" value="([^"]+)"', page)
    assert found is not None
    return found.group(1)


def address(room: int | str, month: str = MONTH) -> str:
    return f"/publications?month={month}&classroom={room}"


def send(admin: Visitor, room: int | str, **fields: Any) -> Any:
    """Press Send on the preview of this classroom's table."""
    request_id = request_id_on(admin.get(address(room)).text)
    return admin.post("/publications", **{"month": MONTH, "classroom": str(room), "request_id": request_id} | fields)


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


def test_the_preview_is_drawn_and_stores_nothing(pages_app: Flask, admin: Visitor, room: int) -> None:
    page = admin.get(address(room))
    assert "1 confirmed shift." in text_of(page)
    assert "It goes to: 渋谷グループ." in text_of(page)
    drawn = admin.get(f"/publications/preview.png?month={MONTH}&classroom={room}")
    assert drawn.content_type == "image/png"
    assert drawn.headers["Cache-Control"] == "private, no-store"
    assert Image.open(io.BytesIO(drawn.data)).format == "PNG"
    assert "/publications/preview.png" in page.text
    with pages_app.app_context():
        assert published() == []


def test_it_is_sent_once_for_each_form(pages_app: Flask, admin: Visitor, room: int) -> None:
    request_id = request_id_on(admin.get(address(room)).text)
    fields: dict[str, Any] = {"month": MONTH, "classroom": str(room), "request_id": request_id}
    first, second = (admin.post("/publications", **fields) for _ in range(2))
    assert first.status_code == 303
    assert first.location == second.location
    page = admin.get(first.location)
    assert "The table is on its way to LINE." in text_of(page)
    assert "Waiting 渋谷グループ" in text_of(page)
    assert "admin Aoki published it" in text_of(page)
    assert GROUP_ID not in page.text
    with pages_app.app_context():
        assert [one.revision for one in published()] == [1]
        assert len(all_deliveries()) == 1
        assert len(audit.entries("publication", published()[0].id)) == 1


def test_the_stored_picture_is_shown_and_no_cache_keeps_it(admin: Visitor, room: int) -> None:
    there = sent(admin, room)
    image = admin.get(f"{there}/image.png")
    assert (image.content_type, image.headers["Cache-Control"]) == ("image/png", "private, no-store")
    assert f'src="{there}/image.png"' in admin.get(there).text


def test_a_second_revision_replaces_the_first(admin: Visitor, room: int) -> None:
    first, second = sent(admin, room), sent(admin, room)
    assert "A newer revision has replaced it." in text_of(admin.get(first))
    assert "A newer revision" not in text_of(admin.get(second))
    listed = text_of(admin.get("/publications"))
    assert "revision 1 · replaced" in listed
    assert listed.index("revision 2") < listed.index("revision 1")


def test_an_own_picture_goes_out_instead_written_anew(pages_app: Flask, admin: Visitor, room: int) -> None:
    answer = send(admin, room, image=picture(kind="JPEG"))
    assert answer.status_code == 303
    with pages_app.app_context():
        stored = db.session.get_one(PublicationImage, published()[0].id).png
        assert Image.open(io.BytesIO(stored)).size == (300, 200)
        assert Image.open(io.BytesIO(stored)).format == "PNG"


@pytest.mark.parametrize(
    ("image", "says"),
    [
        ((io.BytesIO(b"%PDF-1.7 not a picture"), "table.png"), "This is a PDF."),
        ((io.BytesIO(b""), "table.png"), "Choose a picture"),
        ((io.BytesIO(b"\x89PNG\r\n\x1a\n broken"), "table.png"), "damaged or incomplete"),
        (picture(20, 20), "too small to be read"),
    ],
)
def test_a_file_that_is_no_picture_gets_a_sentence_and_nothing_is_stored(
    pages_app: Flask, admin: Visitor, room: int, image: Any, says: str
) -> None:
    answer = send(admin, room, image=image)
    assert answer.status_code == 422
    assert says in text_of(answer)
    assert 'id="image-fault"' in answer.text
    with pages_app.app_context():
        assert published() == []


@pytest.mark.parametrize(("megabytes", "status", "says"), [(9, 422, "damaged"), (12, 413, "Choose a smaller one")])
def test_a_picture_may_be_larger_than_other_files_but_not_too_large(
    admin: Visitor, room: int, megabytes: int, status: int, says: str
) -> None:
    answer = send(admin, room, image=(io.BytesIO(b"\x89PNG\r\n\x1a\n" + b"x" * megabytes * 1024**2), "table.png"))
    answer.request.environ["wsgi.input"].close()  # a file of the test client's own
    assert answer.status_code == status
    assert says in text_of(answer)


def test_without_a_group_the_page_says_so_and_sends_nothing(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        room = make_classroom()
        shift_on(next_month(), make_tutor(), classroom_id=room)
    page = admin.get(address(room))
    assert "No LINE group would get this table, so it cannot be sent." in text_of(page)
    assert 'href="/settings/classrooms"' in page.text
    assert "Send to LINE" not in text_of(page)
    answer = admin.post("/publications", month=MONTH, classroom=str(room), request_id="x")
    assert answer.status_code == 422
    assert "No LINE group would get this table" in text_of(answer)
    with pages_app.app_context():
        assert published() == []


def test_the_group_of_the_settings_is_the_default(pages_app: Flask, admin: Visitor) -> None:
    pages_app.config["SETTINGS"] = pages_app.config["SETTINGS"].model_copy(update={"line_group_id": GROUP_ID})
    with pages_app.app_context():
        room = make_classroom()
        shift_on(next_month(), make_tutor(), classroom_id=room)
    for which in (room, ""):
        assert "It goes to: LINE_GROUP_ID." in text_of(admin.get(address(which)))
        assert "Waiting LINE_GROUP_ID" in text_of(admin.get(sent(admin, which)))


def test_a_month_without_confirmed_shifts_says_so(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        room = make_classroom()
        give_group(room)
        shift_on(next_month(), make_tutor(), classroom_id=room, status="draft")
        shift_on(next_month() - timedelta(days=1), make_tutor(), classroom_id=room)
    assert "No shift of this month is confirmed, so there is nothing to send yet." in text_of(admin.get(address(room)))
    assert admin.get(f"/publications/preview.png?month={MONTH}&classroom={room}").status_code == 404
    answer = send(admin, room)
    assert answer.status_code == 422
    assert "No shift of this month is confirmed, so nothing was sent." in text_of(answer)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("month=never", "Enter a month such as 2026-12."),
        ("month=2026-13", "Enter a month such as 2026-12."),
        ("month=", "Enter a month such as 2026-12."),
        ("month=9999-12", "Enter a month such as 2026-12."),
        ("month=2020-01", "This month is over"),
        (f"month={MONTH}&classroom=77", "Choose one of the list."),
        (f"month={MONTH}&classroom=x", "Choose one of the list."),
    ],
)
def test_nonsense_gets_a_sentence(admin: Visitor, query: str, says: str) -> None:
    page = admin.get(f"/publications?{query}")
    assert page.status_code == 422
    assert says in text_of(page)
    assert admin.get(f"/publications/preview.png?{query}").status_code == 404
    fields: dict[str, Any] = dict(part.split("=") for part in query.split("&"))
    assert admin.post("/publications", request_id="x", **fields).status_code == 422


@pytest.mark.parametrize("request_id", ["", "x" * 44])
def test_a_form_without_its_own_id_is_refused(admin: Visitor, room: int, request_id: str) -> None:
    assert send(admin, room, request_id=request_id).status_code == 400


@pytest.fixture
def without_fonts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine on which no Japanese font is installed."""
    monkeypatch.setattr(fonts, "DEBIAN_FONT", tmp_path / "none.ttc")
    monkeypatch.setattr(fonts, "PACKAGE", "no_such_package")


@pytest.mark.usefixtures("without_fonts")
def test_a_missing_font_is_named_with_what_to_install(admin: Visitor, room: int) -> None:
    page = admin.get(address(room))
    assert "Install the Python package noto-cjk-sans-jp-regular" in text_of(page)
    assert "<img" not in page.text
    answer = send(admin, room)
    assert answer.status_code == 422
    assert "fonts-noto-cjk" in text_of(answer)
    assert send(admin, room, image=picture()).status_code == 303


def test_characters_that_no_font_has_are_named(pages_app: Flask, admin: Visitor, room: int) -> None:
    with pages_app.app_context():
        shift_on(next_month(), make_tutor(name="佐藤\U0003fffd"), classroom_id=room)
    says = "No font has these characters, so they are drawn as 〓: \U0003fffd"
    assert says in text_of(admin.get(address(room)))
    assert says in text_of(admin.get(sent(admin, room)))


def test_withdrawing_asks_and_is_told(pages_app: Flask, admin: Visitor, room: int) -> None:
    there = sent(admin, room)
    assert "What has not gone out is not sent" in text_of(admin.get(f"{there}/withdraw"))
    assert admin.post(f"{there}/withdraw").location == there
    page = text_of(admin.get(there))
    assert "The table was withdrawn." in page
    assert "nobody is shown it any more" in page
    assert "admin Aoki withdrew it" in page
    assert admin.get(f"{there}/withdraw").location == there
    admin.post(f"{there}/withdraw")
    assert "The table had been withdrawn before." in text_of(admin.get(there))
    with pages_app.app_context():
        assert [one.cancel_reason for one in all_deliveries()] == ["publication_withdrawn"]


def test_staff_look_and_do_not_send(admin: Visitor, staff: Visitor, room: int) -> None:
    there = sent(admin, room)
    for path in ("/publications", address(room), there, f"{there}/image.png"):
        assert staff.get(path).status_code == 200
    assert "Send to LINE" not in text_of(staff.get(address(room)))
    assert "/deliveries/" not in staff.get(there).text
    assert staff.get("/publications/preview.png").status_code == 403
    assert staff.post("/publications").status_code == 403
    assert staff.post(f"{there}/withdraw").status_code == 403


def test_what_does_not_exist_is_not_found(admin: Visitor, member: Visitor) -> None:
    for path in ("/publications/77", "/publications/77/image.png", "/publications/77/withdraw"):
        assert admin.get(path).status_code == 404
    assert admin.post("/publications/77/withdraw").status_code == 404
    assert member.get("/publications").status_code == 403
