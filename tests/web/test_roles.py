"""Every route of the app, asked by a member, by staff and by an administrator: who may come in."""

import re

import pytest
from flask import Flask
from werkzeug.routing import Rule

from app import audit
from app.accounts.models import Role
from app.audit import Actor
from app.clock import now
from app.outbox.models import Delivery
from app.outbox.state import AttemptOutcome, State
from app.transaction import writing
from tests.factories import change, delivery
from tests.web.ledger import failed, shown, standing_as, tried
from tests.web.visitor import Visitor, text_of

EVERYONE = {"guest", "health", "installing", "invitations", "language", "sign_in", "theme"}
GUESTS = {
    "device_acts", "devices", "home", "inbox", "inbox_acts", "inbox_keys", "notification", "notification_settings",
    "sandbox_device", "trials", "watch", "watch_acts", "watch_new", "watches",
}  # fmt: skip
SIGNED_IN = GUESTS | {
    "announcement", "announcements", "conversation", "conversation_acts", "conversations", "document", "inquiries",
    "inquiry", "inquiry_acts", "own_account", "report_acts", "reports", "store_edits", "store_people", "stores",
}  # fmt: skip
STAFF = {
    "codes", "deliveries", "delivery", "delivery_search", "overview", "publication", "publications", "shift", "shifts",
}  # fmt: skip
ADMINS = {
    "account_acts", "account_deletion", "account_new", "accounts", "announcement_edits", "announcement_publishing",
    "audit_list", "bulk_retries", "bulk_retry", "bulk_retry_new", "classrooms", "delivery_acts", "delivery_export",
    "gates", "issue_acts", "publishing", "shift_acts", "shift_edits", "shift_imports",
    "store_admin",
}  # fmt: skip

MAY = {
    Role.GUEST: GUESTS,
    Role.MEMBER: SIGNED_IN,
    Role.STAFF: SIGNED_IN | STAFF,
    Role.ADMIN: SIGNED_IN | STAFF | ADMINS,
}
NOWHERE = 999_999


def routes(app: Flask) -> list[tuple[str, str, str]]:
    """(group of pages, method, address) of every route that asks who it is."""
    found = [(rule.endpoint.partition(".")[0], rule) for rule in app.url_map.iter_rules() if rule.endpoint != "static"]
    return [
        (pages, method, _address(app, rule))
        for pages, rule in found
        if pages not in EVERYONE
        for method in sorted({"GET", "POST"} & (rule.methods or set()))
    ]


def _address(app: Flask, rule: Rule) -> str:
    """An address of this route that names nothing that is there."""
    adapter = app.url_map.bind("localhost")
    choices = {name: getattr(rule._converters[name], "items", None) for name in rule.arguments}
    values = {name: sorted(items)[0] if items else NOWHERE for name, items in choices.items()}
    return adapter.build(rule.endpoint, values)


def test_every_group_of_pages_stands_in_the_table(pages_app: Flask) -> None:
    assert set(pages_app.blueprints) == EVERYONE | SIGNED_IN | STAFF | ADMINS


@pytest.mark.parametrize("role", list(Role))
def test_every_route_lets_in_whom_the_table_names_and_nobody_else(
    pages_app: Flask, role: Role, request: pytest.FixtureRequest
) -> None:
    visitor: Visitor = request.getfixturevalue(role.value)
    token = visitor.token()
    wrong: list[str] = []
    for pages, method, address in routes(pages_app):
        allowed = pages in MAY[role]
        if allowed and pages in SIGNED_IN:
            continue  # their handlers ask what is whose; some of their forms sign this browser out
        answer = visitor.client.open(address, method=method, data={"csrf_token": token} if method == "POST" else None)
        refused = answer.status_code in (401, 302) if role is Role.GUEST else answer.status_code == 403
        if refused == allowed or answer.status_code >= 500:
            wrong.append(f"{role} {method} {address}: {answer.status_code}")
    assert not wrong


@pytest.mark.parametrize("path", ["retry", "rotate-key", "cancel"])
def test_staff_are_refused_the_act_itself_not_only_its_button(pages_app: Flask, staff: Visitor, path: str) -> None:
    with pages_app.app_context():
        one = failed()
    assert staff.post(f"/deliveries/{one}/{path}", attempts="1", confirmed="1").status_code == 403


NAME, HEADLINE, WORDS, DETAIL, WHO, WHY = "髙橋 花子", "Probe ", "said by LINE", "moved to 19:00", "Inoue", "he called"


@pytest.fixture
def told(pages_app: Flask) -> list[int]:
    """A failed and a canceled delivery, of which much is known."""
    with pages_app.app_context():
        one, other = failed(), standing_as(state=State.CANCELED, cancel_reason="shift_changed", cancel_detail=DETAIL)
        change(Delivery, other, finished_at=now())
        for delivery_id in (one, other):
            tried(delivery_id, detail=WORDS, outcome=AttemptOutcome.REJECTED, may_have_arrived=False)
            with writing() as tx:
                audit.note(tx, Actor(None, WHO), "retry", ("delivery", delivery_id), {"why": WHY})
        return [one, other]


def pages_of(told: list[int]) -> list[str]:
    return ["/deliveries", "/deliveries?state=failed", "/overview", *(f"/deliveries/{one}" for one in told)]


def test_staff_read_deliveries_without_a_word_about_people(pages_app: Flask, staff: Visitor, told: list[int]) -> None:
    with pages_app.app_context():
        keys = [delivery(one).dedup_key for one in told]
    for address in pages_of(told):
        for answer in (staff.get(address), staff.part(address)):
            assert answer.status_code == 200
            for secret in (NAME, HEADLINE, WORDS, DETAIL, WHO, WHY, *keys):
                assert secret not in answer.text, (address, secret)
            assert "delivery_acts" not in answer.text
            assert "/retry" not in answer.text
            assert "/cancel" not in answer.text
            assert "/audit" not in answer.text
    page = text_of(staff.get(f"/deliveries/{told[0]}"))
    assert "a person" in page
    assert "Try 1, automatic" in page
    assert "An administrator retried" in page
    assert "If it were retried now" not in page


def test_an_administrator_reads_all_of_it(admin: Visitor, told: list[int]) -> None:
    page = "".join(text_of(admin.get(address)) for address in pages_of(told))
    for known in (NAME, HEADLINE, WORDS, DETAIL, WHO, WHY):
        assert known in page


def test_staff_cannot_ask_the_list_whose_a_delivery_is(pages_app: Flask, staff: Visitor) -> None:
    """Else a number of an account and one of a delivery say together what no page may say to them."""
    with pages_app.app_context():
        one, other = failed(), failed()
        theirs = delivery(one)
        person, key = theirs.account_id, theirs.dedup_key
    for query in (f"person={person}", f"q={key}", f"person={person}&shown={one},{other}"):
        answer = staff.get(f"/deliveries?{query}")
        assert shown(answer.text) != [one], query
        assert len(re.findall('<tr id="delivery-[0-9]+" class="left"', answer.text)) != 1, query


def test_a_name_that_staff_search_for_stands_in_no_address(staff: Visitor) -> None:
    assert "%E9%AB%99" not in str(staff.post("/deliveries/search", q="髙橋").location)


def test_the_story_of_a_delivery_leads_staff_to_no_bulk_retry_which_is_not_for_them(
    pages_app: Flask, staff: Visitor
) -> None:
    with pages_app.app_context():
        one = failed()
        with writing() as tx:
            audit.note(tx, Actor(None, WHO), "retry", ("delivery", one), {"bulk_retry": 1})
    assert "/bulk-retries" not in staff.get(f"/deliveries/{one}").text
