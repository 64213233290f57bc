"""One notification: opening it notes that first, looking at it changes nothing, and what is gone says no more."""

from collections.abc import Mapping
from datetime import timedelta

import pytest
import time_machine
from flask import Flask

from app.accounts.models import Account
from app.clock import now
from tests.factories import change, make_account
from tests.fixtures.settings import SITE
from tests.web.letters import letter, told
from tests.web.visitor import HTMX, Visitor, text_of

pytestmark = pytest.mark.usefixtures("greetings")

WORKER = {"X-Todoke": "service-worker", "Sec-Fetch-Site": "same-origin"}


def test_opening_notes_the_first_time_and_goes_to_the_subject(pages_app: Flask, member: Visitor) -> None:
    one = told(pages_app, member)
    subject = letter(pages_app, one).subject_id
    answer = member.post(f"/notifications/{one}/open")
    assert (answer.status_code, answer.location) == (303, f"/greetings/{subject}")
    first = letter(pages_app, one).read_at
    assert first is not None
    with time_machine.travel(now() + timedelta(hours=1)):
        assert member.post(f"/notifications/{one}/open", headers=HTMX).headers["HX-Redirect"] == f"/greetings/{subject}"
    assert letter(pages_app, one).read_at == first


@pytest.mark.parametrize("end", ["", "/go"])
def test_looking_changes_nothing(pages_app: Flask, member: Visitor, end: str) -> None:
    one = told(pages_app, member, "田中")
    answer = member.get(f"/notifications/{one}{end}")
    assert answer.location == f"/greetings/{letter(pages_app, one).subject_id}" if end else "田中" in answer.text
    assert letter(pages_app, one).read_at is None
    assert member.get(f"/notifications/{one}/open").status_code == 405


@pytest.mark.parametrize(("end", "post"), [("", False), ("/go", False), ("/open", True)])
def test_what_is_gone_and_what_is_not_theirs_look_alike(
    pages_app: Flask, member: Visitor, staff: Visitor, end: str, post: bool
) -> None:
    theirs, lost = told(pages_app, staff), told(pages_app, member)
    with pages_app.app_context():
        change(Account, letter(pages_app, lost).subject_id, active=False)
    visit = member.post if post else member.get
    answers = [visit(f"/notifications/{one}{end}") for one in (theirs, lost, 999)]
    assert {one.status_code for one in answers} == {404}
    assert len({text_of(one) for one in answers}) == 1
    assert "No longer available" in answers[0].text
    assert letter(pages_app, theirs).read_at is letter(pages_app, lost).read_at is None


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (WORKER, 204),
        ({"X-Todoke": "service-worker", "Origin": SITE}, 204),
        ({"X-Todoke": "service-worker", "Origin": "http://localhost"}, 204),
        ({"X-Todoke": "service-worker"}, 403),
        ({"X-Todoke": "service-worker", "Origin": "https://evil.example"}, 403),
        ({"X-Todoke": "service-worker", "Sec-Fetch-Site": "same-site", "Origin": SITE}, 403),
        ({"X-Todoke": "service-worker", "Sec-Fetch-Site": "none"}, 403),
        ({"Sec-Fetch-Site": "same-origin", "Origin": SITE}, 403),
    ],
)
def test_only_our_own_service_worker_marks_without_a_token(
    pages_app: Flask, member: Visitor, headers: Mapping[str, str], status: int
) -> None:
    one = told(pages_app, member)
    answer = member.client.post(f"/notifications/{one}/read", headers=headers)
    assert answer.status_code == status
    assert (letter(pages_app, one).read_at is not None) == (status == 204)


def test_the_service_worker_learns_nothing_of_what_is_not_there(
    pages_app: Flask, staff: Visitor, member: Visitor
) -> None:
    theirs = told(pages_app, staff)
    for one in (theirs, 999):
        answer = member.client.post(f"/notifications/{one}/read", headers=WORKER)
        assert (answer.status_code, answer.data) == (204, b"")
    assert letter(pages_app, theirs).read_at is None


def test_opening_needs_the_token(pages_app: Flask, member: Visitor) -> None:
    one = told(pages_app, member)
    assert member.client.post(f"/notifications/{one}/open", headers=WORKER).status_code == 400
    assert letter(pages_app, one).read_at is None


def test_a_suspended_account_reads_nothing(pages_app: Flask, member: Visitor) -> None:
    one = told(pages_app, member)
    assert member.account_id is not None
    with pages_app.app_context():
        change(Account, member.account_id, active=False)
        make_account()
    assert member.get(f"/notifications/{one}").location == f"/login?next=/notifications/{one}"
