"""A form whose sender is signed out or somebody else by now: what they wrote is not lost."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask, request

from app.accounts import sessions
from app.operations.deletion import delete_account
from app.transaction import Transaction, writing
from tests.factories import make_account, make_classroom
from tests.sources.stores.town import ADMIN, make_store
from tests.web.visitor import HTMX, Visitor, text_of

REPORT: dict[str, Any] = {"store": "1", "title": "照明 <b>", "description": "暗い\nままです", "request_id": "the-form"}
FORM = {"Referer": "http://localhost/reports/new?store=1"}
NEXT = "/login?next=/reports/new?store%3D1"


def signed_out_elsewhere(app: Flask, visitor: Visitor) -> None:
    """Their session ends, and this browser knows nothing of it."""
    assert visitor.account_id is not None
    with app.app_context(), writing() as tx:
        sessions.end_all(tx, visitor.account_id)


def in_the_middle_of_a_form(app: Flask, act: Callable[[Transaction], object]) -> None:
    """It happens after the reader was let in, and before the view of the form runs."""

    @app.before_request
    def _meanwhile() -> None:
        if request.method == "POST":
            with writing() as tx:
                act(tx)


@pytest.mark.parametrize("here", [True, False])
def test_who_is_signed_out_meanwhile_gets_back_what_they_wrote_and_signs_in(
    pages_app: Flask, member: Visitor, here: bool
) -> None:
    form = {"csrf_token": member.token(), **REPORT}
    if here:
        member.post("/logout")
    else:
        signed_out_elsewhere(pages_app, member)
    answer = member.client.post("/reports/new", data=form, headers=FORM)
    assert answer.status_code == 401
    assert "<h1>Please sign in again</h1>" in answer.text
    assert f'href="{NEXT}"' in answer.text
    assert '<p class="note">照明 &lt;b&gt;</p>' in answer.text
    assert '<p class="note">暗い\nままです</p>' in answer.text
    assert "<b>" not in answer.text
    assert "the-form" not in answer.text


def test_neither_a_password_nor_a_line_id_is_shown_again(stranger: Visitor) -> None:
    secrets = {"present": "old secret", "password": "new secret", "again": "new secret", "line_user_id": "U secret"}
    for path in ("/settings/me/password", "/settings/accounts/1/line-user"):
        answer = stranger.client.post(path, data={"csrf_token": "a secret", **secrets})
        assert answer.status_code == 401
        assert "secret" not in answer.text
        assert "Sign in and try again." in text_of(answer)


def test_a_form_that_htmx_sent_leads_to_the_sign_in(stranger: Visitor) -> None:
    headers = HTMX | {"HX-Current-URL": "http://localhost/inbox?box=unread"}
    answer = stranger.client.post("/inbox/read", headers=headers)
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (401, "/login?next=/inbox?box%3Dunread")


def test_who_signed_in_anew_meanwhile_opens_the_form_again_with_what_they_wrote(pages_app: Flask) -> None:
    with pages_app.app_context():
        account = make_account(language="en")
    form = {"csrf_token": Visitor(pages_app, account).token(), **REPORT}
    answer = Visitor(pages_app, account).client.post("/reports/new", data=form, headers=FORM)
    assert answer.status_code == 400
    assert "This form was open for too long" in text_of(answer)
    assert 'href="/reports/new?store=1"' in answer.text
    assert '<p class="note">照明 &lt;b&gt;</p>' in answer.text


def test_the_way_back_never_leads_to_another_site(member: Visitor, stranger: Visitor) -> None:
    headers = {"Referer": "http://localhost//evil.example/"}
    for one in (member, stranger):
        assert "evil" not in one.client.post("/reports/new", data=REPORT, headers=headers).text


def test_a_form_for_everybody_asks_nobody_to_sign_in_again(stranger: Visitor) -> None:
    answer = stranger.client.post("/login", data={"email": "a@example.jp", "password": "a secret"})
    assert answer.status_code == 400
    assert "This form was open for too long" in text_of(answer)
    assert "example.jp" not in answer.text


@pytest.mark.parametrize("path", ["/reports/new", "/inquiries/new", "/shifts/new"])
def test_browsers_may_bring_back_every_line_on_the_way_back(pages_app: Flask, admin: Visitor, path: str) -> None:
    with pages_app.app_context():
        make_store(make_account())
        make_classroom()
    page = admin.get(path).text
    assert "<input id=" in page or 'type="text" id=' in page
    assert 'autocomplete="off"' not in page


def test_whose_account_is_deleted_in_the_middle_of_a_form_gets_back_what_they_wrote(
    pages_app: Flask, member: Visitor
) -> None:
    with pages_app.app_context():
        store, account = make_store(make_account()), member.account_id
    assert account is not None
    in_the_middle_of_a_form(pages_app, lambda tx: delete_account(tx, ADMIN, account))
    form: dict[str, Any] = {"store": str(store), "subject": "営業時間", "text": "何時まで", "request_id": "one form"}
    answer = member.post("/inquiries/new", headers={"Referer": "http://localhost/inquiries/new"}, **form)
    assert answer.status_code == 401
    assert "<h1>Please sign in again</h1>" in answer.text
    assert '<p class="note">何時まで</p>' in answer.text
    assert 'href="/login?next=/inquiries/new"' in answer.text


def test_whose_browser_is_signed_out_in_the_middle_of_a_form_is_asked_who_it_is(pages_app: Flask) -> None:
    with pages_app.app_context():
        account = make_account(password="the old password", language="en")
    in_the_middle_of_a_form(pages_app, lambda tx: sessions.end_all(tx, account))
    new = "the new password"
    passwords: dict[str, Any] = {"present": "the old password", "password": new, "again": new}
    answer = Visitor(pages_app, account).post("/settings/me/password", **passwords)
    assert answer.status_code == 401
    assert "Sign in and try again." in text_of(answer)
    assert "password" not in text_of(answer)


def test_an_administrator_whom_another_account_escapes_meanwhile_is_told_that_it_is_gone(
    pages_app: Flask, admin: Visitor
) -> None:
    with pages_app.app_context():
        other = make_account()
    in_the_middle_of_a_form(pages_app, lambda tx: delete_account(tx, ADMIN, other))
    assert admin.post(f"/settings/accounts/{other}/suspend").status_code == 404


@pytest.mark.parametrize("path", ["/bulk-retries", "/gates/pause", "/deliveries/1/cancel", "/deliveries/1/rotate-key"])
def test_an_operator_gets_back_why_they_acted(pages_app: Flask, admin: Visitor, path: str) -> None:
    form = {"csrf_token": admin.token(), "why": "LINE was down until noon", "request_id": "the-form"}
    signed_out_elsewhere(pages_app, admin)
    answer = admin.client.post(path, data=form)
    assert answer.status_code == 401
    assert "LINE was down until noon" in text_of(answer)
