"""One's own account, for everybody who is signed in."""

from typing import Any

import pytest
from flask import Flask

from app.accounts.models import Account
from app.extensions import db
from tests.factories import make_account
from tests.web.visitor import Visitor, text_of

OLD, NEW = "the old password", "the new password"
CHROME = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36"


@pytest.fixture
def hers(pages_app: Flask) -> int:
    with pages_app.app_context():
        return make_account("member", name="湊 陽子", language="en", password=OLD)


def account_of(app: Flask, account: int) -> Account:
    with app.app_context():
        return db.session.get_one(Account, account)


@pytest.mark.parametrize("who", ["admin", "staff", "member"])
def test_everybody_who_is_signed_in_finds_it_from_the_frame(request: pytest.FixtureRequest, who: str) -> None:
    visitor: Visitor = request.getfixturevalue(who)
    page = visitor.get("/settings/me")
    assert page.status_code == 200
    assert 'href="/settings/me"' in page.text
    assert ('href="/settings/accounts"' in page.text) is (who == "admin")


def test_a_name_is_saved_or_refused(pages_app: Flask, hers: int) -> None:
    visitor = Visitor(pages_app, hers)
    assert visitor.post("/settings/me/name", name=" 湊 洋子 ").location == "/settings/me"
    assert account_of(pages_app, hers).name == "湊 洋子"
    for none in ("", "\u200b", "\U000e0041\u3164"):
        assert visitor.post("/settings/me/name", name=none).status_code == 422
    assert account_of(pages_app, hers).name == "湊 洋子"


def test_the_language_goes_with_the_account_wherever_it_is_chosen(pages_app: Flask, hers: int) -> None:
    here, elsewhere = Visitor(pages_app, hers), Visitor(pages_app, hers)
    here.post("/settings/me/language", language="ja")
    assert '<html lang="ja"' in elsewhere.get("/settings/me").text
    elsewhere.post("/language", language="en", next="/settings/me")
    assert account_of(pages_app, hers).language == "en"
    assert '<html lang="en"' in here.get("/settings/me").text
    assert here.post("/settings/me/language", language="fr").status_code == 422


def test_a_password_is_changed_by_whoever_knows_the_present_one(pages_app: Flask, hers: int) -> None:
    here, elsewhere, email = Visitor(pages_app, hers), Visitor(pages_app, hers), account_of(pages_app, hers).email
    for present, password, again, says in (
        ("a guess of mine", NEW, NEW, "This is not your present password."),
        (OLD, NEW, "another one", "The two are not the same."),
        (OLD, "short", "short", "Use 10 to 256 characters."),
    ):
        answer = here.post("/settings/me/password", present=present, password=password, again=again)
        assert answer.status_code == 422
        assert says in text_of(answer)
    assert elsewhere.get("/settings/me").status_code == 200
    assert here.post("/settings/me/password", present=OLD, password=NEW, again=NEW).status_code == 303
    assert here.get("/settings/me").status_code == 200
    assert elsewhere.get("/settings/me").status_code == 302
    assert Visitor(pages_app).post("/login", email=email, password=OLD).status_code == 422
    assert Visitor(pages_app).post("/login", email=email, password=NEW).status_code == 303


@pytest.mark.parametrize(
    ("act", "form"),
    [
        ("password", {"present": OLD, "password": NEW, "again": NEW}),
        ("browsers/sign-out", {}),
    ],
)
def test_a_copy_of_the_cookie_is_one_of_the_other_browsers(
    pages_app: Flask, hers: int, act: str, form: dict[str, Any]
) -> None:
    here, thief = Visitor(pages_app, hers), Visitor(pages_app)
    cookie = here.client.get_cookie("session")
    assert cookie is not None
    thief.client.set_cookie("session", cookie.value)
    assert thief.get("/settings/me").status_code == 200
    here.post(f"/settings/me/{act}", **form)
    assert [one.get("/settings/me").status_code for one in (here, thief)] == [200, 302]


def test_a_password_is_not_guessed_quickly(pages_app: Flask, hers: int) -> None:
    visitor = Visitor(pages_app, hers)
    form = {"csrf_token": visitor.token(), "present": "a guess", "password": NEW, "again": NEW}
    answers = [visitor.client.post("/settings/me/password", data=form).status_code for _ in range(11)]
    assert answers == [422] * 10 + [429]


def test_an_account_is_counted_by_itself_in_all_its_browsers_and_for_each_thing_it_tries(
    pages_app: Flask, hers: int, member: Visitor
) -> None:
    here, elsewhere = Visitor(pages_app, hers), Visitor(pages_app, hers)
    form: dict[str, Any] = {"present": "a guess", "password": NEW, "again": NEW}
    guesses = [one.post("/settings/me/password", **form).status_code for one in (*[here] * 10, elsewhere, member)]
    assert guesses == [422] * 10 + [429, 422]
    headers = {"X-CSRFToken": here.token()}
    assert here.client.post("/devices/recognise", json={"endpoint": "x"}, headers=headers).status_code == 200


def test_browsers_are_listed_and_signed_out_one_by_one_or_all(pages_app: Flask, hers: int, admin: Visitor) -> None:
    email = account_of(pages_app, hers).email
    phone, here, third = Visitor(pages_app), Visitor(pages_app, hers), Visitor(pages_app, hers)
    phone.post("/login", headers={"User-Agent": CHROME}, email=email, password=OLD)
    page = here.get("/settings/me").text
    assert "Chrome · Android" in page
    assert page.count("This browser</span>") == 1
    number = page.partition("<strong>Chrome · Android")[0].rpartition('id="browser-')[2].partition('"')[0]
    assert here.post(f"/settings/me/browsers/{number}/sign-out").status_code == 303
    assert phone.get("/settings/me").status_code == 302
    here.post("/settings/me/browsers/sign-out")
    assert [one.get("/settings/me").status_code for one in (here, third)] == [200, 302]
    told = text_of(admin.get(f"/settings/accounts/{hers}"))
    assert "signed out all other browsers" in told
    assert "signed the account out everywhere" not in told


def test_nobody_signs_out_a_browser_of_somebody_else(pages_app: Flask, hers: int, staff: Visitor) -> None:
    visitor = Visitor(pages_app, hers)
    number = visitor.get("/settings/me").text.partition('id="browser-')[2].partition('"')[0]
    staff.post(f"/settings/me/browsers/{number}/sign-out")
    assert visitor.get("/settings/me").status_code == 200
