"""The classrooms and LINE groups in the settings."""

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app import audit
from app.extensions import db
from app.reach.models import LineGroup
from app.sources.classroom.models import Classroom
from tests.factories import make_classroom
from tests.web.classroom import GROUP_ID, give_group
from tests.web.visitor import Visitor, text_of


def rooms() -> dict[str, int | None]:
    db.session.rollback()
    return {room.name: room.group_id for room in db.session.scalars(select(Classroom))}


def enter(admin: Visitor, line_group_id: str = GROUP_ID, name: str = "講師", language: str = "ja") -> int:
    """Enter a group; its id, the only one."""
    answer = admin.post("/settings/groups", line_group_id=line_group_id, name=name, language=language)
    assert answer.status_code == 303
    with admin.client.application.app_context():
        return db.session.scalars(select(LineGroup.id)).one()


def test_a_classroom_is_added_renamed_and_given_a_group(pages_app: Flask, admin: Visitor) -> None:
    group = enter(admin)
    assert admin.post("/settings/classrooms", name=" 渋谷教室 ").status_code == 303
    with pages_app.app_context():
        room = db.session.scalars(select(Classroom.id)).one()
        assert rooms() == {"渋谷教室": None}
    answer = admin.post(f"/settings/classrooms/{room}", name="渋谷　本校", group=str(group))
    assert (answer.status_code, answer.location) == (303, "/settings/classrooms")
    page = admin.get("/settings/classrooms")
    assert f'<option value="{group}" selected>講師</option>' in page.text
    with pages_app.app_context():
        assert rooms() == {"渋谷　本校": group}
        assert [one.act for one in audit.entries("classroom", room)] == ["add", "change"]


@pytest.mark.parametrize("name", ["", "  ", "x" * 101, "two\nlines"])
def test_a_name_that_is_none_is_refused_at_its_field_and_kept(pages_app: Flask, admin: Visitor, name: str) -> None:
    with pages_app.app_context():
        room = make_classroom()
        before = rooms()
    for path, field in (("", "new-classroom-name"), (f"/{room}", f"classroom-{room}-name")):
        answer = admin.post(f"/settings/classrooms{path}", name=name)
        assert answer.status_code == 422
        assert f'id="{field}-fault"' in answer.text
        assert answer.text.count("Enter a name of 1 to 100 characters on one line.") == 1
    with pages_app.app_context():
        assert rooms() == before


def test_a_name_that_is_taken_is_refused_and_ones_own_is_not(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one, two = make_classroom(), make_classroom()
        name = db.session.get_one(Classroom, one).name
    for path in ("/settings/classrooms", f"/settings/classrooms/{two}"):
        assert "A classroom with this name already exists." in text_of(admin.post(path, name=name))
    assert admin.post(f"/settings/classrooms/{one}", name=name).status_code == 303


def test_a_refused_form_keeps_what_was_chosen_and_the_others_their_own(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one, other = make_classroom(), make_classroom()
        first, second = give_group(one), give_group(other, "C" + "1" * 32, "新宿グループ")
    none, both = '<option value="">None</option>', '<option value="{}" selected>{}</option>'
    new = admin.post("/settings/classrooms", name="", group=str(second)).text
    assert both.format(second, "新宿グループ") in form_of(new, "new-classroom")
    assert both.format(first, "渋谷グループ") in form_of(new, f"classroom-{one}")
    moved = admin.post(f"/settings/classrooms/{one}", name="", group=str(second)).text
    assert both.format(second, "新宿グループ") in form_of(moved, f"classroom-{one}")
    cleared = form_of(admin.post(f"/settings/classrooms/{one}", name="", group="").text, f"classroom-{one}")
    assert none in cleared
    assert " selected" not in cleared
    for path, form in (("", "new-group"), (f"/{first}", f"group-{first}")):
        page = admin.post(f"/settings/groups{path}", name="", language="en", line_group_id=GROUP_ID).text
        assert '<option value="en" lang="en" selected>' in form_of(page, form)
        assert '<option value="ja" lang="ja" selected>' in form_of(page, f"group-{second}")


def form_of(page: str, form: str) -> str:
    """One form of the page."""
    return page.partition(f'id="{form}"')[2].partition("</form>")[0]


def test_a_group_that_does_not_exist_is_refused(pages_app: Flask, admin: Visitor) -> None:
    assert "Choose one of the list." in text_of(admin.post("/settings/classrooms", name="渋谷", group="77"))
    assert admin.post("/settings/classrooms", name="渋谷", group="x").status_code == 400
    with pages_app.app_context():
        assert rooms() == {}


def test_a_group_is_entered_named_and_its_id_never_shown_again(pages_app: Flask, admin: Visitor) -> None:
    group = enter(admin, f" {GROUP_ID} ")
    page = admin.get("/settings/classrooms").text
    assert GROUP_ID not in page
    assert "…beef" in page
    assert admin.post(f"/settings/groups/{group}", name="講師連絡", language="en").status_code == 303
    with pages_app.app_context():
        kept = db.session.get_one(LineGroup, group)
        assert (kept.name, kept.language) == ("講師連絡", "en")
        assert [one.act for one in audit.entries("line_group", group)] == ["add", "change"]
        assert not any("C0" in str(one.detail) for one in audit.entries("line_group", group))


@pytest.mark.parametrize(
    ("field", "typed", "says"),
    [
        ("line_group_id", "C123", "Enter a LINE group id"),
        ("line_group_id", "U" + "0" * 32, "Enter a LINE group id"),
        ("name", "", "Enter a name of 1 to 100 characters"),
        ("language", "fr", "Choose one of: ja, en."),
    ],
)
def test_a_faulty_group_is_refused_at_its_field(admin: Visitor, field: str, typed: str, says: str) -> None:
    fields: dict[str, Any] = {"line_group_id": GROUP_ID, "name": "講師", "language": "ja"} | {field: typed}
    answer = admin.post("/settings/groups", **fields)
    assert answer.status_code == 422
    assert says in text_of(answer)
    assert GROUP_ID not in answer.text


def test_a_group_that_is_entered_already_is_pointed_out(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        give_group(make_classroom())
    answer = admin.post("/settings/groups", line_group_id=GROUP_ID, name="another", language="ja")
    assert answer.status_code == 422
    assert "This group is entered already" in text_of(answer)


def test_the_default_of_the_settings_is_shown(pages_app: Flask, admin: Visitor) -> None:
    assert "LINE_GROUP_ID is not set" in text_of(admin.get("/settings/classrooms"))
    pages_app.config["SETTINGS"] = pages_app.config["SETTINGS"].model_copy(update={"line_group_id": GROUP_ID})
    with pages_app.app_context():
        give_group(make_classroom(), name="LINE_GROUP_ID")
    page = text_of(admin.get("/settings/classrooms"))
    assert "That of LINE_GROUP_ID" in page
    assert "This is LINE_GROUP_ID." in page


def test_settings_are_for_administrators_and_must_exist(admin: Visitor, staff: Visitor) -> None:
    for path in ("/settings/classrooms/77", "/settings/groups/77"):
        assert admin.post(path, name="渋谷", language="ja").status_code == 404
        assert staff.post(path).status_code == 403
    assert staff.get("/settings/classrooms").status_code == 403
    assert staff.post("/settings/classrooms").status_code == 403
    assert staff.post("/settings/groups").status_code == 403
