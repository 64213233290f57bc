"""Signing in and out."""

import pytest
from flask import Flask

from app import create_app
from app.accounts.models import Account
from app.extensions import db
from tests.factories import change, make_account
from tests.fixtures.settings import settings_for
from tests.servers.valkey import ValkeyServer
from tests.web.visitor import HTMX, Visitor, text_of

PASSWORD = "a password of hers"


@pytest.fixture
def email(pages_app: Flask) -> str:
    """The e-mail of an administrator who can sign in."""
    with pages_app.app_context():
        account = db.session.get_one(Account, make_account("admin", password=PASSWORD))
        return account.email


def test_signing_in_goes_on_to_the_page_that_was_wanted(stranger: Visitor, email: str) -> None:
    answer = stranger.post("/login", email=f" {email.upper()} ", password=PASSWORD, next="/deliveries?state=failed")
    assert answer.status_code == 303
    assert answer.location == "/deliveries?state=failed"
    assert stranger.get("/deliveries").status_code == 200


@pytest.mark.parametrize(
    "wanted", ["https://evil.example/", "//evil.example", "/\\evil.example", "evil", "\t//evil.example", "/\n/evil"]
)
def test_signing_in_never_leads_to_another_site(stranger: Visitor, email: str, wanted: str) -> None:
    assert stranger.post("/login", email=email, password=PASSWORD, next=wanted).location == "/"


def test_a_wrong_password_and_an_unknown_address_get_the_same_answer_and_keep_the_address(
    stranger: Visitor, email: str
) -> None:
    wrong = stranger.post("/login", email=email, password="not hers at all")
    unknown = stranger.post("/login", email="nobody@example.jp", password=PASSWORD)
    assert (wrong.status_code, unknown.status_code) == (422, 422)
    assert text_of(wrong) == text_of(unknown)
    assert "do not match an account" in text_of(wrong)
    assert f'value="{email}"' in wrong.text


def test_a_session_before_signing_in_does_not_outlive_it(stranger: Visitor, email: str) -> None:
    stranger.get("/login")
    with stranger.client.session_transaction() as session:
        session["left"] = "by somebody else"
    stranger.post("/login", email=email, password=PASSWORD)
    with stranger.client.session_transaction() as session:
        assert "left" not in session


def test_signing_out_forgets_who_it_was(admin: Visitor) -> None:
    assert admin.post("/logout").location == "/login"
    assert admin.get("/overview").status_code == 302


def test_a_cookie_copied_before_signing_out_opens_nothing_and_other_browsers_stay(pages_app: Flask) -> None:
    with pages_app.app_context():
        account = make_account("admin")
    here, elsewhere, copy = Visitor(pages_app, account), Visitor(pages_app, account), Visitor(pages_app)
    cookie = here.client.get_cookie("session")
    assert cookie is not None
    copy.client.set_cookie("session", cookie.value)
    assert copy.get("/overview").status_code == 200
    here.post("/logout")
    assert copy.get("/overview").status_code == 302
    assert elsewhere.get("/overview").status_code == 200


def test_signing_in_ends_the_session_that_the_browser_had(pages_app: Flask, admin: Visitor, email: str) -> None:
    copy, cookie = Visitor(pages_app), admin.client.get_cookie("session")
    assert cookie is not None
    copy.client.set_cookie("session", cookie.value)
    admin.post("/login", email=email, password=PASSWORD)
    assert copy.get("/overview").status_code == 302
    assert admin.get("/overview").status_code == 200


def test_a_cookie_of_an_older_version_is_signed_out(pages_app: Flask, stranger: Visitor) -> None:
    with pages_app.app_context():
        account = make_account("admin")
    with stranger.client.session_transaction() as session:
        session["_user_id"], session["_fresh"] = str(account), True
    assert stranger.get("/overview").status_code == 302


def test_signing_out_takes_a_form_with_its_token(admin: Visitor) -> None:
    assert admin.client.post("/logout").status_code == 400
    assert admin.get("/logout").status_code == 405


def test_a_suspended_account_is_signed_out_at_once(pages_app: Flask) -> None:
    with pages_app.app_context():
        account = make_account("admin")
        visitor = Visitor(pages_app, account)
        change(Account, account, active=False)
    assert visitor.get("/overview").status_code == 302


def test_too_many_tries_are_answered_in_words(stranger: Visitor) -> None:
    token = stranger.token()
    form = {"csrf_token": token, "email": "nobody@example.jp", "password": "guess"}
    answers = [stranger.client.post("/login", data=form) for _ in range(11)]
    assert [answer.status_code for answer in answers] == [422] * 10 + [429]
    assert "Wait 1 minute" in text_of(answers[-1])
    assert answers[-1].headers["Retry-After"] == "60"


def test_one_address_is_guarded_whoever_asks(pages_app: Flask) -> None:
    visitors = [Visitor(pages_app) for _ in range(11)]
    tokens = [visitor.token() for visitor in visitors]
    answers = [
        visitor.client.post(
            "/login",
            data={"csrf_token": token, "email": "victim@example.jp", "password": "guess"},
            environ_overrides={"REMOTE_ADDR": f"192.0.2.{number}"},
        ).status_code
        for number, (visitor, token) in enumerate(zip(visitors, tokens, strict=True))
    ]
    assert answers == [422] * 10 + [429]


def test_who_is_signed_in_is_not_asked_again(admin: Visitor) -> None:
    assert admin.get("/login?next=/shifts").location == "/shifts"


@pytest.mark.parametrize("address", ["//[", "//\u2100"])
def test_an_address_that_is_none_is_no_fault_of_ours(pages_app: Flask, admin: Visitor, address: str) -> None:
    header = f"http:{address}".encode().decode("latin-1")
    answers = [
        admin.get("/login", query_string={"next": address}),
        Visitor(pages_app).post("/language", language="ja", next=address),
        Visitor(pages_app).get("/overview", headers={**HTMX, "HX-Current-URL": header}),
        Visitor(pages_app).client.post("/login", headers={"Referer": header}),
    ]
    assert [answer.status_code for answer in answers if answer.status_code >= 500] == []


def test_behind_a_proxy_of_ours_one_visitor_does_not_shut_out_the_others(sqlite_url: str, redis: ValkeyServer) -> None:
    app = create_app(settings_for(sqlite_url, redis.url).model_copy(update={"trusted_proxies": 1}))
    codes = []
    for number in range(12):
        headers = {"X-Forwarded-For": f"203.0.113.{number}"}
        answer = Visitor(app).post("/login", headers=headers, email=f"p{number}@x.jp", password="x")
        codes.append(answer.status_code)
    assert 429 not in codes
    with app.app_context():
        db.engine.dispose()
