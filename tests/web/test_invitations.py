"""What the holder of an invitation sees, and where its token must not show."""

import logging
import re

import pytest
from flask import Flask
from sqlalchemy import select

from app import audit, create_app
from app.accounts import invitations
from app.accounts.invitations import Standing
from app.accounts.models import Account, BrowserSession
from app.audit import Actor
from app.extensions import db
from app.transaction import writing
from tests.factories import change, make_account
from tests.fixtures.settings import settings_for
from tests.web.visitor import Visitor, text_of

PASSWORD = "a password of hers"
ADMIN = Actor(None, "青木 葵")


@pytest.fixture
def account(pages_app: Flask) -> int:
    with pages_app.app_context():
        return make_account("staff", name="湊 陽子", language="en")


def link_for(app: Flask, account: int) -> str:
    with app.app_context(), writing() as tx:
        return f"/invitations/{invitations.invite(tx, ADMIN, account)}"


def test_the_holder_sets_a_password_is_signed_in_and_lands_at_home(
    pages_app: Flask, stranger: Visitor, account: int
) -> None:
    link = link_for(pages_app, account)
    page = stranger.get(link)
    assert page.status_code == 200
    assert "Welcome, 湊 陽子" in text_of(page)
    answer = stranger.post(link, password=PASSWORD, again=PASSWORD)
    assert (answer.status_code, answer.location) == (303, "/")
    assert stranger.get("/").location == "/shifts"


def test_a_preview_of_the_link_changes_nothing(pages_app: Flask, stranger: Visitor, account: int) -> None:
    link = link_for(pages_app, account)
    for _ in range(3):
        assert stranger.get(link).status_code == 200
        assert stranger.client.head(link).status_code == 200
    with pages_app.app_context():
        assert db.session.scalars(select(BrowserSession)).all() == []
        assert db.session.get_one(Account, account).password_hash is None
    assert stranger.post(link, password=PASSWORD, again=PASSWORD).status_code == 303


@pytest.mark.parametrize(
    ("password", "again", "says"),
    [("short", "short", "Use 10 to 256 characters."), (PASSWORD, PASSWORD.upper(), "The two are not the same")],
)
def test_a_password_that_does_not_do_is_refused_and_the_link_stays_good(
    pages_app: Flask, stranger: Visitor, account: int, password: str, again: str, says: str
) -> None:
    link = link_for(pages_app, account)
    answer = stranger.post(link, password=password, again=again)
    assert answer.status_code == 422
    assert says in text_of(answer)
    assert PASSWORD not in answer.text
    assert stranger.get(link).status_code == 200


SENTENCES = {
    Standing.USED: ("It was used already.", "このリンクはすでに使われました。"),
    Standing.EXPIRED: ("It was good for 7 days", "7日間の期限が過ぎました。"),
    Standing.REPLACED: ("A newer link was made for you.", "新しいリンクが作られています。"),
    Standing.SUSPENDED: ("Your account is suspended.", "あなたのアカウントは停止中です。"),
    None: ("Nobody made this link.", "このリンクは発行されていません。"),
}


@pytest.mark.parametrize("why", SENTENCES)
def test_a_link_that_is_good_no_more_says_what_to_do(pages_app: Flask, account: int, why: Standing | None) -> None:
    link = link_for(pages_app, account)
    if why is Standing.USED:
        Visitor(pages_app).post(link, password=PASSWORD, again=PASSWORD)
    elif why is Standing.REPLACED:
        link_for(pages_app, account)
    elif why is None:
        link = link[:-1] + "~"
    with pages_app.app_context(), writing() as tx:
        if why is Standing.EXPIRED:
            invitations.end_open(tx, account)
        if why is Standing.SUSPENDED:
            change(Account, account, active=False)
    for language, sentence in zip(("en", "ja"), SENTENCES[why], strict=True):
        visitor = Visitor(pages_app, language=language)
        for answer in (visitor.get(link), visitor.post(link, password=PASSWORD, again=PASSWORD)):
            assert answer.status_code == (404 if why is None else 410)
            assert sentence in text_of(answer)
            assert "湊" not in answer.text


def test_its_page_is_kept_by_no_cache_and_told_to_nobody_as_a_referrer(
    pages_app: Flask, stranger: Visitor, account: int
) -> None:
    answer = stranger.get(link_for(pages_app, account))
    assert answer.headers["Referrer-Policy"] == "strict-origin"
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert stranger.get("/login").headers["Referrer-Policy"] == "same-origin"


def test_under_https_the_form_gets_through_with_no_more_than_the_origin_as_its_referrer(sqlite_url: str) -> None:
    settings = settings_for(sqlite_url).model_copy(update={"base_url": "https://todoke.example"})
    app = create_app(settings)
    with app.app_context():
        link = link_for(app, make_account())
    client, site = app.test_client(), {"base_url": "https://todoke.example"}
    page = client.get(link, **site).text
    token = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert token is not None
    form = {"csrf_token": token.group(1), "password": PASSWORD, "again": PASSWORD}
    answer = client.post(link, data=form, headers={"Referer": "https://todoke.example/"}, **site)
    assert answer.status_code == 303
    with app.app_context():
        db.engine.dispose()


def test_whoever_is_signed_in_as_somebody_else_is_warned_and_signed_out(
    pages_app: Flask, admin: Visitor, account: int
) -> None:
    link = link_for(pages_app, account)
    assert "This browser is signed in as admin Aoki." in text_of(admin.get(link))
    assert admin.post(link, password=PASSWORD, again=PASSWORD).status_code == 303
    assert admin.get("/settings/accounts").status_code == 403
    with pages_app.app_context():
        assert len(db.session.scalars(select(BrowserSession)).all()) == 1


def test_guessing_is_slowed_down(stranger: Visitor) -> None:
    token = stranger.token()
    answers = [stranger.client.post("/invitations/x", data={"csrf_token": token}).status_code for _ in range(11)]
    assert answers == [404] * 10 + [429]


def test_choosing_a_language_comes_back_to_the_link_also_after_a_refusal(
    pages_app: Flask, stranger: Visitor, account: int
) -> None:
    link = link_for(pages_app, account)
    for page in (stranger.get(link), stranger.post(link, password="x", again="x")):
        assert f'name="next" value="{link}"' in page.text


def test_a_fault_of_our_own_and_the_servers_lines_do_not_log_the_token(
    pages_app: Flask, stranger: Visitor, account: int, caplog: pytest.LogCaptureFixture
) -> None:
    link = link_for(pages_app, account)
    with pages_app.app_context(), db.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE invitation RENAME TO away")
    assert stranger.get(link).status_code == 500
    with caplog.at_level(logging.INFO):
        for name in ("gunicorn.access", "gunicorn.error", "werkzeug"):
            logging.getLogger(name).info(
                '%(h)s "GET %(U)s" "%(f)s"', {"h": "::1", "U": link, "f": f"http://x{link}?a=b"}
            )
    assert caplog.text.count("/invitations/…") >= 4
    assert link not in caplog.text


def test_an_administrator_gets_the_link_once_and_the_audit_does_not(pages_app: Flask, admin: Visitor) -> None:
    answer = admin.post("/settings/accounts/new", name="森 葉月", email="Mori@example.jp", role="staff", language="en")
    assert answer.status_code == 201
    link = re.search(r'data-copy="http://127.0.0.1:8000(/invitations/[\w-]{43})"', answer.text)
    assert link is not None
    with pages_app.app_context():
        made = db.session.scalars(select(Account).where(Account.email == "mori@example.jp")).one()
        entries = audit.entries("account", made.id)
        assert [(entry.act, entry.detail) for entry in entries] == [("invite", {})]
    page = admin.get(f"/settings/accounts/{made.id}")
    assert link.group(1) not in page.text
    assert "A link is open until" in text_of(page)
    assert Visitor(pages_app).post(link.group(1), password=PASSWORD, again=PASSWORD).status_code == 303
    page = admin.get(f"/settings/accounts/{made.id}")
    assert "森 葉月 set a password by the sign-in link" in text_of(page)
    assert "Active, and can sign in." in text_of(page)
    again = admin.post(f"/settings/accounts/{made.id}/invitation")
    assert again.status_code == 201
    assert "/invitations/" in again.text


def test_a_faulty_invitation_makes_nothing_and_keeps_what_was_typed(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        there = make_account()
        taken = db.session.get_one(Account, there).email
    answer = admin.post("/settings/accounts/new", name="森 葉月", email="mori", role="boss", language="fr")
    assert answer.status_code == 422
    assert answer.text.count('class="fault"') == 3
    assert 'value="森 葉月"' in answer.text
    assert "Open that account" not in text_of(answer)
    answer = admin.post("/settings/accounts/new", name="森 葉月", email=taken, role="staff", language="ja")
    assert "already exists. Open that account to make a new link for it" in text_of(answer)
    assert f'href="/settings/accounts/{there}"' in answer.text


def test_an_address_of_many_dots_is_refused_before_it_is_looked_through(admin: Visitor) -> None:
    answer = admin.post("/settings/accounts/new", name="森", email=f"a@{'.' * 300_000}@", role="staff", language="ja")
    assert "Enter an e-mail address such as sato@example.jp." in text_of(answer)


def test_inviting_is_for_administrators(staff: Visitor) -> None:
    assert staff.get("/settings/accounts/new").status_code == 403
    assert staff.post("/settings/accounts/new").status_code == 403
