"""The accounts in the settings."""

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app import audit
from app.accounts.known import who
from app.accounts.memberships import Post
from app.accounts.models import Account
from app.extensions import db
from app.reach.models import LineLink
from app.sources.stores.people import set_post
from app.transaction import writing
from app.web import accounts
from tests.factories import all_deliveries, line_user, make_account, make_delivery, make_shift, make_tutor
from tests.sources.stores.town import make_store
from tests.web.ledger import SECRET_USER
from tests.web.visitor import Visitor, text_of


def link_of(account: int) -> LineLink | None:
    db.session.rollback()
    return db.session.scalar(select(LineLink).where(LineLink.account_id == account))


def test_the_list_says_who_signs_in_and_who_is_told(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        make_tutor(name="髙橋 花子", line_user_id=SECRET_USER)
        make_account("staff", name="湊 陽子", password="a password of hers", language="en")
    page = admin.get("/settings/accounts")
    assert "Member Active cannot sign in On 日本語" in text_of(page)
    assert "Staff Active can sign in No link English" in text_of(page)
    assert SECRET_USER not in page.text


def test_a_search_finds_names_and_addresses(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = make_account(name="髙橋 花子")
        email = db.session.get_one(Account, make_account(name="100% 山﨑")).email
    assert f"account-{one}" in admin.get("/settings/accounts?q=花子").text
    assert "髙橋" not in admin.get("/settings/accounts?q=%25").text
    assert "山﨑" in admin.get(f"/settings/accounts?q={email.upper()}").text
    assert "Nobody has this name or address" in text_of(admin.get("/settings/accounts?q=nobody"))


def test_pages_follow_each_other_also_among_people_of_one_name(
    pages_app: Flask, admin: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "ROWS_PER_PAGE", 2)
    with pages_app.app_context():
        made = [make_account(name="佐藤") for _ in range(5)]
    seen, address = [], "/settings/accounts?q=佐藤"
    while address:
        page = admin.get(address).text
        seen += [one for one in made if f'id="account-{one}"' in page]
        _, found, rest = page.partition('id="further" href="')
        address = rest.partition('"')[0].replace("&amp;", "&") if found else ""
    assert seen == made


@pytest.mark.parametrize("query", ["id=x&name=a", "id=99999999999999999999", "q=" + "x" * 500])
def test_an_address_that_makes_no_sense_lists_from_the_start(admin: Visitor, query: str) -> None:
    assert admin.get(f"/settings/accounts?{query}").status_code == 200


@pytest.mark.parametrize(
    ("off", "on", "reason", "said"),
    [
        ("suspend", "resume", "recipient_disabled", "admin Aoki suspended the account"),
        ("line", "line", "line_disabled", "admin Aoki switched LINE off"),
    ],
)
def test_switching_off_ends_what_waits_and_is_written_down(
    pages_app: Flask, admin: Visitor, off: str, on: str, reason: str, said: str
) -> None:
    with pages_app.app_context():
        tutor = make_tutor()
        make_delivery(tutor)
    answer = admin.post(f"/settings/accounts/{tutor}/{off}", on="0")
    assert (answer.status_code, answer.location) == (303, f"/settings/accounts/{tutor}")
    page = text_of(admin.get(answer.location))
    assert said in page
    with pages_app.app_context():
        assert [one.cancel_reason for one in all_deliveries()] == [reason]
    admin.post(f"/settings/accounts/{tutor}/{on}", on="1")
    with pages_app.app_context():
        assert len(audit.entries("account", tutor)) == 2


def test_nobody_suspends_themselves(pages_app: Flask) -> None:
    with pages_app.app_context():
        account = make_account("admin", language="en")
    visitor = Visitor(pages_app, account)
    answer = visitor.post(f"/settings/accounts/{account}/suspend")
    assert answer.status_code == 422
    assert "This is your own account" in text_of(answer)
    assert visitor.get("/settings/accounts").status_code == 200


def test_the_language_is_chosen_for_the_account(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        account = make_account()
    assert admin.post(f"/settings/accounts/{account}/language", language="en").status_code == 303
    refused = admin.post(f"/settings/accounts/{account}/language", language="fr")
    assert refused.status_code == 422
    assert "Choose one of: ja, en." in text_of(refused)
    with pages_app.app_context():
        assert db.session.get_one(Account, account).language == "en"


def test_a_line_user_is_linked_and_never_shown_again(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        account = make_account()
    there = f"/settings/accounts/{account}"
    assert admin.post(f"{there}/line-user", line_user_id=f" {SECRET_USER} ").status_code == 303
    assert SECRET_USER not in admin.get(there).text
    assert "admin Aoki linked a LINE user" in text_of(admin.get(there))
    admin.post(f"{there}/line", on="0")
    assert admin.post(f"{there}/line-user", line_user_id=line_user(0xABC)).status_code == 303
    with pages_app.app_context():
        link = link_of(account)
        assert link is not None
        assert (link.line_user_id, link.enabled) == (line_user(0xABC), False)
        assert not any("U0" in str(entry.detail) for entry in audit.entries("account", account))


def test_a_line_user_that_is_none_or_somebody_elses_is_refused_unseen(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        make_tutor(line_user_id=SECRET_USER)
        without, linked = make_account(), make_tutor()
        before = link_of(linked)
        assert before is not None
        kept = before.line_user_id
    for account in (without, linked):
        for typed, says in (("U123", "Enter a LINE user id"), (SECRET_USER, "linked to another account")):
            answer = admin.post(f"/settings/accounts/{account}/line-user", line_user_id=typed)
            assert answer.status_code == 422
            assert says in text_of(answer)
            assert typed not in answer.text
    with pages_app.app_context():
        assert link_of(without) is None
        after = link_of(linked)
        assert after is not None
        assert after.line_user_id == kept


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/suspend",
        "/resume",
        "/line",
        "/language",
        "/line-user",
        "/invitation",
        "/identity",
        "/role",
        "/delete",
        "/browsers/sign-out",
        "/browsers/1/sign-out",
    ],
)
def test_accounts_are_for_administrators_and_must_exist(admin: Visitor, staff: Visitor, path: str) -> None:
    fields: dict[str, Any] = {
        "on": "1", "language": "ja", "line_user_id": SECRET_USER, "role": "staff", "name": "X", "email": "x@example.jp",
        "shifts": "0",
    }  # fmt: skip
    if path:
        assert admin.post(f"/settings/accounts/777{path}", **fields).status_code == 404
        assert staff.post(f"/settings/accounts/777{path}", **fields).status_code == 403
    else:
        assert admin.get("/settings/accounts/777").status_code == 404
        assert staff.get("/settings/accounts/777").status_code == 403
        assert staff.get("/settings/accounts").status_code == 403


def test_a_switch_says_on_or_off(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        account = make_account()
    assert admin.post(f"/settings/accounts/{account}/line", on="perhaps").status_code == 400


def test_name_and_address_are_changed_or_refused_with_what_was_typed(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        account = make_account(name="湊 陽子")
        taken = db.session.get_one(Account, make_account()).email
    there = f"/settings/accounts/{account}"
    assert admin.post(f"{there}/identity", name="湊 洋子", email="Minato@example.jp").status_code == 303
    refused = admin.post(f"{there}/identity", name="湊", email=taken)
    assert refused.status_code == 422
    assert "already exists" in text_of(refused)
    assert f'value="{taken}"' in refused.text
    with pages_app.app_context():
        kept = db.session.get_one(Account, account)
        assert (kept.name, kept.email) == ("湊 洋子", "minato@example.jp")


def test_another_role_holds_at_once_and_one_of_ones_own_is_refused(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        account = make_account("admin", language="en", password="a password of hers")
    theirs = Visitor(pages_app, account)
    assert theirs.post(f"/settings/accounts/{account}/role", role="staff").status_code == 422
    assert admin.post(f"/settings/accounts/{account}/role", role="boss").status_code == 422
    refused = admin.post(f"/settings/accounts/{account}/role", role="staff")
    assert "Nobody else who can sign in is an administrator" in text_of(refused)
    with pages_app.app_context():
        make_account("admin", password="a password of hers")
    assert admin.post(f"/settings/accounts/{account}/role", role="staff").status_code == 303
    assert theirs.get("/settings/accounts").status_code == 302
    assert Visitor(pages_app, account).get("/settings/accounts").status_code == 403


def test_deleting_asks_with_the_number_of_shifts_to_come_and_asks_again_when_it_changed(
    pages_app: Flask, admin: Visitor
) -> None:
    with pages_app.app_context():
        tutor = make_tutor(name="髙橋 花子")
        make_shift(tutor)
    there = f"/settings/accounts/{tutor}/delete"
    assert "1 shift to come is then without a tutor" in text_of(admin.get(there))
    with pages_app.app_context():
        make_shift(tutor)
    asked = admin.post(there, shifts="1")
    assert asked.status_code == 409
    assert "2 shifts to come are then without a tutor" in text_of(asked)
    assert admin.post(there, shifts="2").location == "/settings/accounts"
    assert "髙橋" not in admin.get("/settings/accounts").text
    gone = admin.get(f"/settings/accounts/{tutor}")
    assert gone.status_code == 410
    assert "(deleted account)" in text_of(gone)
    assert "admin Aoki deleted the account" in text_of(gone)
    assert admin.get(there).status_code == 410
    assert "(deleted account)" in text_of(admin.get("/shifts"))


def test_nobody_deletes_themselves(pages_app: Flask) -> None:
    with pages_app.app_context():
        account = make_account("admin", language="en")
    visitor = Visitor(pages_app, account)
    answer = visitor.post(f"/settings/accounts/{account}/delete", shifts="0")
    assert answer.status_code == 422
    assert "This is your own account" in text_of(answer)
    assert visitor.get("/settings/accounts").status_code == 200


def test_ones_own_account_offers_nothing_that_would_be_refused(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        other = make_account()
    mine, theirs = (f"/settings/accounts/{one}" for one in (admin.account_id, other))
    for path in (mine, f"{mine}/delete"):
        page = admin.get(path)
        assert "This is your own account" in text_of(page)
        for act in ("suspend", "role", "delete"):
            assert f'action="{mine}/{act}"' not in page.text
    assert f'href="{mine}/delete"' not in admin.get(mine).text
    other_page = admin.get(theirs).text
    assert all(f'{theirs}/{act}"' in other_page for act in ("suspend", "role", "delete"))


def test_who_alone_owns_stores_is_not_deleted_before_all_of_them_are_handed_over(
    pages_app: Flask, admin: Visitor
) -> None:
    with pages_app.app_context():
        owner, other = make_account(), make_account()
        stores = [make_store(owner, name=name) for name in ("渋谷店", "横浜店")]
        shared = make_store(owner, other, name="新宿店")
        with writing() as tx:
            set_post(tx, who(owner), shared, other, Post.OWNER)
        email = who(other).email
    there = f"/settings/accounts/{owner}/delete"
    for page in (admin.get(there), admin.post(there, shifts="0")):
        assert f'action="{there}"' not in page.text
        assert all(f'href="/stores/{store}/hand-over"' in page.text for store in stores)
        assert "新宿店" not in text_of(page)
    for store in stores:
        admin.post(f"/stores/{store}/hand-over", email=email)
    assert f'action="{there}"' in admin.get(there).text
    assert admin.post(there, shifts="0").status_code == 303


def test_an_administrator_signs_somebody_out_everywhere(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        account = make_account("staff", language="en")
    theirs = Visitor(pages_app, account)
    there = f"/settings/accounts/{account}"
    number = admin.get(there).text.partition('id="browser-')[2].partition('"')[0]
    assert admin.post(f"{there}/browsers/{number}/sign-out").status_code == 303
    assert theirs.get("/shifts").status_code == 302
    again = Visitor(pages_app, account)
    assert admin.post(f"{there}/browsers/sign-out").status_code == 303
    assert again.get("/shifts").status_code == 302
    assert "admin Aoki signed the account out everywhere" in text_of(admin.get(there))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "The account is suspended. Nobody acts as owner for these stores now: 横浜店, 渋谷店. Administrators"),
        (
            "ja",
            "アカウントを停止しました。 次の店舗では、オーナーとして操作できる人がいなくなりました: 横浜店, 渋谷店",
        ),
    ],
)
def test_suspending_names_the_stores_that_nobody_acts_for_as_owner(
    pages_app: Flask, admin: Visitor, language: str, said: str
) -> None:
    with pages_app.app_context():
        owner, other = make_account(), make_account()
        for name in ("渋谷店", "横浜店", "新宿店"):
            store = make_store(owner, other, name=name)
        with writing() as tx:
            set_post(tx, who(owner), store, other, Post.OWNER)
    visitor = Visitor(pages_app, admin.account_id, language)
    shown = visitor.get(visitor.post(f"/settings/accounts/{owner}/suspend").location)
    assert said in text_of(shown)
    assert said not in shown.text, "two sentences in one would need a space, which Japanese has not"
    assert "新宿店" not in text_of(shown)
    last = text_of(visitor.get(visitor.post(f"/settings/accounts/{other}/suspend").location))
    assert ": 新宿店" in last
