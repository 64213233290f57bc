"""The button that sends a sign-in link by LINE, and what operators see of it."""

import logging
import re

import pytest
from flask import Flask

from app.accounts import invitations
from app.extensions import db
from app.reach.models import LineLink
from tests.factories import change, make_account, make_tutor, only_delivery
from tests.web.visitor import Visitor, text_of


@pytest.fixture
def tutor(pages_app: Flask) -> int:
    with pages_app.app_context():
        return make_tutor(name="湊 陽子")


def test_the_button_stands_where_line_is_linked_and_on(pages_app: Flask, admin: Visitor, tutor: int) -> None:
    with pages_app.app_context():
        unlinked = make_account()
    for account, there in ((tutor, True), (unlinked, False)):
        page = f"/settings/accounts/{account}"
        assert (f'action="{page}/invitation/line"' in admin.get(page).text) is there
        assert (f'action="{page}/invitation/line"' in admin.post(f"{page}/invitation").text) is there
    with pages_app.app_context():
        link = db.session.query(LineLink).one()
        change(LineLink, link.id, enabled=False)
    assert "/invitation/line" not in admin.get(f"/settings/accounts/{tutor}").text


def test_the_link_that_is_shown_is_the_one_that_is_sent(pages_app: Flask, admin: Visitor, tutor: int) -> None:
    page = f"/settings/accounts/{tutor}"
    shown = admin.post(f"{page}/invitation").text
    token = re.search(r"/invitations/([\w-]{43})", shown)
    made = re.search(r'name="invitation" value="(\d+)"', shown)
    assert token is not None
    assert made is not None
    answer = admin.post(f"{page}/invitation/line", invitation=made.group(1))
    with pages_app.app_context():
        owed = only_delivery()
        assert owed.subject_id == int(made.group(1))
        assert invitations.look_at([owed.subject_id])[owed.subject_id].token == token.group(1)
    assert (answer.status_code, answer.location) == (303, f"{page}?delivery={owed.id}")
    told = admin.get(answer.location)
    assert "The link will be sent to them on LINE." in text_of(told)
    assert f'href="/deliveries/{owed.id}"' in told.text
    assert "admin Aoki had the sign-in link sent by LINE" in text_of(told)
    for other in (f"{page}?delivery={owed.id + 1}", f"/settings/accounts/{admin.account_id}?delivery={owed.id}"):
        assert "will be sent" not in text_of(admin.get(other))


def test_from_the_account_a_new_one_is_made_in_both_languages(pages_app: Flask, admin: Visitor, tutor: int) -> None:
    answer = admin.post(f"/settings/accounts/{tutor}/invitation/line")
    japanese = Visitor(pages_app, admin.account_id, language="ja")
    assert "リンクは本人にLINEで送られます。" in text_of(japanese.get(answer.location))


def test_operators_see_whose_link_it_is_and_never_the_link(
    pages_app: Flask, admin: Visitor, tutor: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        admin.post(f"/settings/accounts/{tutor}/invitation/line")
    with pages_app.app_context():
        owed = only_delivery()
        token = invitations.look_at([owed.subject_id])[owed.subject_id].token
    assert token is not None
    for path in (f"/deliveries/{owed.id}", "/deliveries", "/deliveries?kind=invitation", f"/settings/accounts/{tutor}"):
        page = admin.get(path)
        assert "湊 陽子" in text_of(page)
        assert token not in page.text
    assert "Sign-in link for 湊 陽子" in text_of(admin.get(f"/deliveries/{owed.id}"))
    assert token not in caplog.text


def test_without_line_it_is_refused_and_says_why(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        account = make_account()
    answer = admin.post(f"/settings/accounts/{account}/invitation/line")
    assert answer.status_code == 422
    assert "This account takes no LINE messages now." in text_of(answer)


def test_it_is_for_administrators(staff: Visitor, tutor: int) -> None:
    assert staff.post(f"/settings/accounts/{tutor}/invitation/line").status_code == 403
