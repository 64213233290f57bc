"""The pages of fault reports."""

import re
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.known import who
from app.extensions import db
from app.sources.stores.models import Report
from app.sources.stores.people import add_staff
from app.transaction import writing
from tests.factories import change, make_account
from tests.inbox.inboxes import titles
from tests.sources.stores.town import make_store, report_at
from tests.web.test_stores import Town
from tests.web.visitor import Visitor, text_of

ACTS = ("resolve", "reopen", "me_too", "me_too/take-back", "solved", "delete")


@pytest.fixture
def town(pages_app: Flask) -> Town:
    return Town(pages_app)


def form_of(visitor: Visitor, path: str = "/reports/new") -> str:
    """The id of a fresh form."""
    found = re.search(r'name="request_id" value="([^"]+)"', visitor.get(path).text)
    assert found is not None
    return found.group(1)


def test_a_customer_reports_a_fault_once_however_often_the_form_is_sent(town: Town) -> None:
    visitor = town.visit(town.stranger)
    path = f"/reports/new?store={town.store}"
    assert f'<option value="{town.store}" selected>' in visitor.get(path).text
    fields: dict[str, Any] = {
        "store": str(town.store),
        "title": " 照明 ",
        "description": "a\r\nb",
        "request_id": form_of(visitor),
    }
    first, second = (visitor.post("/reports/new", **fields) for _ in range(2))
    assert first.status_code == 303
    assert first.location == second.location
    page = visitor.get(first.location)
    assert "The store's staff have been told." in text_of(page)
    with town.app.app_context():
        made = db.session.scalars(select(Report).order_by(Report.id.desc())).first()
        assert made is not None
        assert (made.title, made.description) == ("照明", "a\nb")
        assert titles(town.clerk)[0] == "New report: 照明"


def test_another_persons_form_id_makes_a_report_of_ones_own(town: Town) -> None:
    fields: dict[str, Any] = {"store": str(town.store), "title": "照明", "description": "暗い", "request_id": "guessed"}
    places = {town.visit(one).post("/reports/new", **fields).location for one in (town.stranger, town.reporter)}
    assert len(places) == 2


def test_a_faulty_report_is_refused_at_its_fields_and_kept(town: Town) -> None:
    visitor = town.visit(town.stranger)
    answer = visitor.post("/reports/new", store="77", title="x" * 101, description="", request_id="form")
    assert answer.status_code == 422
    for field in ("store", "title", "description"):
        assert f'id="{field}-fault"' in answer.text
    assert "x" * 101 in answer.text
    assert 'name="request_id" value="form"' not in answer.text
    assert visitor.post("/reports/new", store="77", title="x", description="y").status_code == 400


@pytest.mark.parametrize("title", [b"%EF%BF%BD", b"%00", b"%1B", b"a%ED%A0%80", b"\xed\xa0\xbd", b"%FF"])
def test_half_a_character_and_what_else_is_no_text_is_refused_at_the_door(town: Town, title: bytes) -> None:
    visitor = town.visit(town.stranger)
    body = f"csrf_token={visitor.token()}&store={town.store}&description=x&request_id=f&title=".encode() + title
    answer = visitor.client.post("/reports/new", data=body, content_type="application/x-www-form-urlencoded")
    assert answer.status_code in (400, 422)
    with town.app.app_context():
        assert len(db.session.scalars(select(Report.id)).all()) == 1


def test_an_archived_store_takes_no_report(town: Town, admin: Visitor) -> None:
    admin.post(f"/stores/{town.store}/archive")
    visitor = town.visit(town.stranger)
    assert "No store is in use" in text_of(visitor.get("/reports/new"))
    answer = visitor.post("/reports/new", store=str(town.store), title="x", description="y", request_id="form")
    assert answer.status_code == 422
    with town.app.app_context():
        assert len(db.session.scalars(select(Report.id)).all()) == 1


def test_what_one_may_not_see_is_not_there(town: Town, admin: Visitor, staff: Visitor) -> None:
    path = f"/reports/{town.report}"
    for one in (admin, staff, *(town.visit(account) for account in (town.owner, town.clerk, town.reporter))):
        assert one.get(path).status_code == 200
        assert "自動ドアが開かない" in one.get("/reports").text
    stranger = town.visit(town.stranger)
    assert stranger.get(path).status_code == 404
    assert stranger.get(f"{path}/delete").status_code == 404
    assert "自動ドア" not in stranger.get(f"/reports?store={town.store}").text
    for act in ACTS:
        assert stranger.post(f"{path}/{act}").status_code == 404
        assert admin.post(f"/reports/77/{act}").status_code == 404


def test_staff_resolve_and_reopen_and_the_reporter_is_told(town: Town) -> None:
    path, clerk = f"/reports/{town.report}", town.visit(town.clerk)
    assert clerk.post(f"{path}/resolve").status_code == 303
    assert "The report had been resolved." in text_of(clerk.get(clerk.post(f"{path}/resolve").location))
    with town.app.app_context():
        assert titles(town.reporter) == ["Resolved: 自動ドアが開かない"]
    assert "自動ドア" not in clerk.get("/reports").text
    assert "自動ドア" in clerk.get("/reports?state=resolved").text
    assert clerk.post(f"{path}/reopen").status_code == 303
    assert "自動ドア" in clerk.get("/reports").text
    assert "中島 opened the report again" in text_of(clerk.get(path))


def test_reporters_and_platform_staff_do_not_resolve(town: Town, admin: Visitor, staff: Visitor) -> None:
    for one in (admin, staff, town.visit(town.reporter)):
        assert one.post(f"/reports/{town.report}/resolve").status_code == 403
        assert "/resolve" not in one.get(f"/reports/{town.report}").text


def test_a_reaction_is_counted_shown_as_ones_own_and_taken_back(town: Town) -> None:
    path, clerk = f"/reports/{town.report}", town.visit(town.clerk)
    for _ in range(2):
        clerk.post(f"{path}/me_too")
    page = clerk.get(path).text
    assert f'action="{path}/me_too/take-back"' in page
    assert "Me too 1" in text_of(town.visit(town.reporter).get(path))
    clerk.post(f"{path}/me_too/take-back")
    assert "Me too 0" in text_of(clerk.get(path))
    assert clerk.post(f"{path}/angry").status_code == 404


def test_the_stores_people_resolve_and_read_for_how_many_it_works_again(town: Town, admin: Visitor) -> None:
    path, clerk = f"/reports/{town.report}", town.visit(town.clerk)
    for one in (admin, town.visit(town.reporter)):
        assert f'action="{path}/solved"' in one.get(path).text
    assert "Works for me again" not in clerk.get(path).text
    town.visit(town.reporter).post(f"{path}/solved")
    assert "Works for me again 1" in text_of(clerk.get(path))
    assert f'action="{path}/solved' not in clerk.get(path).text
    assert clerk.post(f"{path}/solved").status_code == 403
    assert "Works for me again 1" in text_of(clerk.get(path))


def test_who_said_that_it_works_again_before_they_worked_there_may_take_it_back(town: Town) -> None:
    path, reporter = f"/reports/{town.report}", town.visit(town.reporter)
    reporter.post(f"{path}/solved")
    with town.app.app_context(), writing() as tx:
        add_staff(tx, who(town.owner), town.store, who(town.reporter).email)
    assert f'action="{path}/solved/take-back"' in reporter.get(path).text
    reporter.post(f"{path}/solved/take-back")
    assert "Works for me again" not in reporter.get(path).text


def test_a_report_is_unresolved_in_one_word_wherever_it_stands(town: Town) -> None:
    clerk = Visitor(town.app, town.clerk, "ja")
    for path in (f"/reports/{town.report}", "/reports", f"/stores/{town.store}"):
        page = text_of(clerk.get(path))
        assert "未解決" in page
        assert "対応中" not in page


def test_the_reporter_or_an_admin_deletes_after_being_asked(town: Town, admin: Visitor, staff: Visitor) -> None:
    path = f"/reports/{town.report}"
    for one in (staff, town.visit(town.owner)):
        assert one.get(f"{path}/delete").status_code == 403
        assert one.post(f"{path}/delete").status_code == 403
    reporter = town.visit(town.reporter)
    assert "Nobody sees it any more" in text_of(reporter.get(f"{path}/delete"))
    assert reporter.post(f"{path}/delete").location == "/reports"
    for one in (reporter, admin, town.visit(town.owner)):
        assert one.get(path).status_code == 404
    with town.app.app_context():
        change(Report, town.report, deleted_at=None)
    assert admin.post(f"{path}/delete").status_code == 303


def test_many_reports_are_paged_and_filtered_by_store(town: Town) -> None:
    with town.app.app_context():
        other = make_store(town.owner, name="二号店")
        for number in range(55):
            report_at(other, make_account(), title=f"二号-{number:02}")
    owner = town.visit(town.owner)
    first = owner.get("/reports").text
    older = re.search(r'id="older" href="([^"]+)"', first)
    assert older is not None
    second = owner.get(older.group(1).replace("&amp;", "&")).text
    rows = [re.findall(r'id="report-(\d+)"', page) for page in (first, second)]
    assert [len(one) for one in rows] == [50, 6]
    assert not set(rows[0]) & set(rows[1])
    assert "自動ドア" not in owner.get(f"/reports?store={other}").text
    assert "自動ドア" in owner.get(f"/reports?store={town.store}").text
    assert owner.get("/reports?store=x&before=-1&state=what").status_code == 200
