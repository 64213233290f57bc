"""What stands in the way of publishing a table, and is said."""

import io
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from app.sources.classroom.publication.table import fonts
from tests.factories import make_classroom, make_tutor
from tests.web.classroom import GROUP_ID, give_group, next_month, shift_on
from tests.web.publishing import MONTH, address, picture, published, send, sent
from tests.web.visitor import Visitor, text_of


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


@pytest.mark.parametrize("request_id", ["", "x" * 44, "あ"])
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
