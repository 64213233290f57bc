"""The pages of stores and their people."""

import re
from collections.abc import Collection
from typing import Any

import pytest
from flask import Flask

from app import audit
from app.accounts.known import who
from app.accounts.memberships import EVERY_POST, OWNERS, Post, members
from app.accounts.models import Account
from app.audit import COMMAND_LINE
from app.operations.deletion import delete_account
from app.sources.stores.listing import get_store
from app.sources.stores.people import remove
from app.transaction import writing
from tests.factories import change, make_account
from tests.sources.stores.town import make_store, report_at
from tests.web.visitor import Visitor, text_of


class Town:
    """A store with an owner, a clerk and somebody who reported something there."""

    def __init__(self, app: Flask, *, set_up: bool = True) -> None:
        self.app = app
        with app.app_context():
            self.owner, self.clerk, self.reporter, self.stranger = (
                make_account(name=name, language="en") for name in ("小林", "中島", "吉野", "他人")
            )
            self.store = make_store(self.owner, self.clerk, set_up=set_up)
            self.report = report_at(self.store, self.reporter)

    def visit(self, account: int) -> Visitor:
        return Visitor(self.app, account)

    def email(self, account: int) -> str:
        with self.app.app_context():
            return who(account).email

    def people(self, posts: Collection[Post] = EVERY_POST) -> list[int]:
        with self.app.app_context():
            return members(self.store, posts)


@pytest.fixture
def town(pages_app: Flask) -> Town:
    return Town(pages_app)


def test_everybody_lists_their_own_stores_and_platform_staff_all(town: Town, admin: Visitor, staff: Visitor) -> None:
    with town.app.app_context():
        make_store(town.stranger, name="別の店")
    assert "渋谷店" in admin.get("/stores").text
    assert "別の店" in staff.get("/stores").text
    mine = town.visit(town.clerk).get("/stores").text
    assert "渋谷店" in mine
    assert "別の店" not in mine
    assert "You work for no store" in text_of(town.visit(town.reporter).get("/stores"))


def test_customers_see_what_they_need_and_neither_people_nor_reports(town: Town) -> None:
    page = town.visit(town.stranger).get(f"/stores/{town.store}").text
    assert "03-1234-5678" in page
    assert f'href="/reports/new?store={town.store}"' in page
    for hidden in ("小林", "自動ドアが開かない", "/edit", "hand-over"):
        assert hidden not in page


def test_staff_see_people_and_reports_and_change_nothing(town: Town, staff: Visitor) -> None:
    for visitor in (town.visit(town.clerk), staff):
        page = visitor.get(f"/stores/{town.store}").text
        assert "小林" in page
        assert "自動ドアが開かない" in page
        assert "hand-over" not in page
        for path in ("edit", "hand-over"):
            assert visitor.get(f"/stores/{town.store}/{path}").status_code == 403
            assert visitor.post(f"/stores/{town.store}/{path}", name="x", email="x").status_code == 403
        assert visitor.post(f"/stores/{town.store}/people/{town.owner}/remove").status_code == 403
    assert town.people() == [town.owner, town.clerk]


def test_an_admin_adds_a_store_once_and_its_owner_is_shown_what_is_missing(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        owner = make_account(language="en")
        email = who(owner).email
    form = re.search(r'name="request_id" value="([^"]+)"', admin.get("/stores/new").text)
    assert form is not None
    fields: dict[str, Any] = {"name": "新宿店", "phone": "03-1", "email": email, "request_id": form.group(1)}
    answers = [admin.post("/stores/new", **fields) for _ in range(2)]
    assert answers[0].location == answers[1].location
    page = Visitor(pages_app, owner).get(answers[0].location).text
    assert f'href="{answers[0].location}/edit#address"' in page
    assert "#phone" not in page


@pytest.mark.parametrize("visitor", ["owner", "admin"])
def test_owners_and_admins_edit_a_store(town: Town, admin: Visitor, visitor: str) -> None:
    one = admin if visitor == "admin" else town.visit(town.owner)
    assert 'value="渋谷店"' in one.get(f"/stores/{town.store}/edit").text
    refused = one.post(f"/stores/{town.store}/edit", name="", address="a\nb", hours="x" * 501)
    assert refused.status_code == 422
    for field in ("name", "address", "hours"):
        assert f'id="{field}-fault"' in refused.text
    assert one.post(f"/stores/{town.store}/edit", name="渋谷本店", hours="10:00\r\n20:00").status_code == 303
    with town.app.app_context():
        store = get_store(who(town.owner).reader, town.store)
        assert store is not None
        assert (store.name, store.hours, store.missing) == ("渋谷本店", "10:00\n20:00", ["address", "phone"])


def test_a_store_without_an_owner_is_refused_at_that_field_and_keeps_what_was_typed(admin: Visitor) -> None:
    answer = admin.post("/stores/new", name="新宿店", email="nobody@example.jp", request_id="form")
    assert answer.status_code == 422
    assert "There is no account with the e-mail address nobody@example.jp." in text_of(answer)
    assert 'value="新宿店"' in answer.text
    assert 'name="request_id" value="form"' not in answer.text
    assert admin.post("/stores/new", name="新宿店").status_code == 400
    assert admin.post("/stores/new", name="", request_id="x" * 44).status_code == 400


def test_an_owner_adds_promotes_and_removes_people(town: Town) -> None:
    owner, base = town.visit(town.owner), f"/stores/{town.store}/people"
    assert owner.post(base, email=town.email(town.stranger)).status_code == 303
    assert owner.post(f"{base}/{town.clerk}/owner").status_code == 303
    assert owner.post(f"{base}/{town.stranger}/remove").status_code == 303
    assert town.people() == [town.owner, town.clerk]
    assert town.people(OWNERS) == [town.owner, town.clerk]
    assert "Nothing was changed" in text_of(owner.get(owner.post(f"{base}/{town.stranger}/remove").location))
    assert "小林 made an owner: 中島" in text_of(owner.get(f"/stores/{town.store}"))


def test_refused_changes_of_people_are_told_on_the_page(town: Town) -> None:
    owner, base = town.visit(town.owner), f"/stores/{town.store}/people"
    unknown = owner.post(base, email="nobody@example.jp")
    assert (unknown.status_code, 'id="email-fault"' in unknown.text) == (422, True)
    for act in ("remove", "staff"):
        last = owner.post(f"{base}/{town.owner}/{act}")
        assert last.status_code == 422
        assert "A store needs an owner" in text_of(last)
    assert owner.post(f"{base}/{town.clerk}/king").status_code == 404


def test_handing_over_says_who_leaves_and_shuts_the_page_to_them(town: Town) -> None:
    owner, path = town.visit(town.owner), f"/stores/{town.store}/hand-over"
    assert town.email(town.owner) in owner.get(path).text
    assert owner.post(path, email="nobody@example.jp").status_code == 422
    assert owner.post(path, email=town.email(town.stranger)).location == "/stores"
    assert town.people(OWNERS) == [town.stranger]
    assert owner.get(path).status_code == 403
    assert owner.get(f"/reports/{town.report}").status_code == 404
    assert "自動ドア" not in owner.get(f"/stores/{town.store}").text


def test_who_hands_over_and_still_sees_the_store_stays_there(town: Town, admin: Visitor) -> None:
    path = f"/stores/{town.store}"
    answer = admin.post(f"{path}/hand-over", email=town.email(town.clerk))
    assert answer.location == f"{path}#people"
    owner = Visitor(town.app, town.clerk, "ja")
    owner.post(f"{path}/people", email=town.email(town.stranger))
    admin.post(f"{path}/people/{town.stranger}/owner")
    kept = owner.post(f"{path}/hand-over", email=town.email(town.clerk))
    assert kept.location == f"{path}#people"
    assert "渋谷店のオーナーを交代しました。" in text_of(owner.get(kept.location))


def test_an_archived_store_is_there_for_platform_staff_alone(town: Town, admin: Visitor, staff: Visitor) -> None:
    path = f"/stores/{town.store}"
    assert "no longer see" in text_of(admin.get(f"{path}/archive"))
    assert admin.post(f"{path}/archive").status_code == 303
    for account in (town.owner, town.clerk, town.stranger):
        assert town.visit(account).get(path).status_code == 404
        assert town.visit(account).get(f"{path}/edit").status_code == 404
        assert town.visit(account).post(f"{path}/people", email="x").status_code == 404
    assert "This store is archived" in text_of(staff.get(path))
    assert staff.post(f"{path}/reopen").status_code == 403
    assert admin.post(f"{path}/reopen").status_code == 303
    assert town.visit(town.clerk).get(path).status_code == 200


def test_what_does_not_exist_is_not_found(admin: Visitor) -> None:
    for path in ("/stores/77", "/stores/77/edit", "/stores/77/hand-over", "/stores/77/archive", f"/stores/{2**63}"):
        assert admin.get(path).status_code == 404
    assert admin.post("/stores/77/people/1/remove").status_code == 404


def test_a_suspended_owner_and_one_removed_a_moment_ago_are_shut_out(town: Town) -> None:
    owner = town.visit(town.owner)
    with town.app.app_context():
        change(Account, town.owner, active=False)
    assert owner.get(f"/stores/{town.store}").status_code == 302
    with town.app.app_context():
        change(Account, town.owner, active=True)
        admin = make_account("admin")
        with writing() as tx:
            remove(tx, who(admin), town.store, town.clerk)
    assert owner.get(f"/stores/{town.store}").status_code == 200
    assert town.visit(town.clerk).get(f"/reports/{town.report}").status_code == 404


@pytest.mark.parametrize(("language", "called"), [("en", "(deleted account)"), ("ja", "（削除されたアカウント）")])
def test_who_did_what_names_a_deleted_account_no_more(town: Town, admin: Visitor, language: str, called: str) -> None:
    page = f"/stores/{town.store}"
    assert "中島" in admin.get(page).text
    with town.app.app_context():
        with writing() as tx:
            delete_account(tx, COMMAND_LINE, town.clerk)
        acts = [entry.detail for entry in audit.entries("store", town.store)]
    assert acts == [{"account_id": town.owner}, {"account_id": town.clerk}]
    seen = Visitor(town.app, admin.account_id, language).get(page)
    assert "中島" not in seen.text
    assert called in text_of(seen)
