"""The list of acts: who did what to deliveries and gates, when, and why."""

import pytest
from flask import Flask

from app import audit
from app.accounts.models import Account
from app.audit import COMMAND_LINE, Actor
from app.transaction import writing
from tests.factories import change, make_account
from tests.web.ledger import failed
from tests.web.visitor import Visitor, text_of


def note(actor: Actor, act: str, subject: tuple[str, int], **detail: str | bool) -> None:
    with writing() as tx:
        audit.note(tx, actor, act, subject, detail)


def test_acts_are_listed_newest_first_with_who_what_and_why(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        someone = Actor(make_account("admin", name="井上"), "井上")
        note(someone, "retry", ("delivery", 7), why="LINE <b>is</b> well")
        note(COMMAND_LINE, "pause_gate", ("gate", 0), gate="line")
        note(someone, "rotate_key", ("delivery", 8), may_double=True)
        note(someone, "suspend", ("account", 1))
    page = admin.get("/audit")
    told = text_of(page)
    lines = [
        "井上 rotated the key and retried Delivery 8 A second copy was possible",
        "command line paused Gate LINE",
        "井上 retried Delivery 7 LINE <b>is</b> well",
    ]
    assert [told.index(line) for line in lines] == sorted(told.index(line) for line in lines)
    assert "<b>is</b>" not in page.text
    assert "suspend" not in told
    assert 'href="/deliveries/7"' in page.text


def test_it_is_narrowed_by_links_that_hold_no_name(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one, two = (Actor(make_account("admin", name=name), name) for name in ("井上", "青木"))
        note(one, "retry", ("delivery", 7))
        note(two, "cancel", ("delivery", 8))
    assert f'href="/audit?who={one.account_id}"' in admin.get("/audit").text
    only = text_of(admin.get(f"/audit?who={one.account_id}"))
    assert "Only by: 井上" in only
    assert "Delivery 7" in only
    assert "Delivery 8" not in only
    assert "Delivery 7" not in text_of(admin.get("/audit?subject=delivery:8"))
    assert "Delivery 7" not in text_of(admin.get("/audit?act=cancel"))
    assert "Nothing matches this filter" in text_of(admin.get("/audit?from=2020-01-01&to=2020-01-02"))


def test_pages_follow_one_another(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        for number in range(1, 61):
            note(COMMAND_LINE, "retry", ("delivery", number))
    first = admin.get("/audit").text
    assert first.count('<tr id="act-') == 50
    older = first.partition('id="older" href="')[2].partition('"')[0].replace("&amp;", "&")
    second = admin.get(older).text
    assert second.count('<tr id="act-') == 10
    assert 'id="older"' not in second


def test_whose_account_was_deleted_has_no_name_here_either(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        gone = Actor(make_account("admin", name="山田"), "山田")
        note(gone, "retry", ("delivery", 7))
        with writing() as tx:
            audit.forget_name(tx, gone.account_id or 0)
        change(Account, gone.account_id or 0, name="")
    for address in ("/audit", f"/audit?who={gone.account_id}"):
        page = admin.get(address).text
        assert "山田" not in page
        assert "(deleted account)" in page


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("act=sing", "Choose one of the list."),
        ("who=x", "Whose acts are meant was not understood."),
        ("subject=shift:1", "What the acts were done to was not understood."),
        ("subject=delivery:0", "What the acts were done to was not understood."),
        ("from=yesterday", "Enter a date such as 2026-11-30."),
        ("from=2026-11-30&to=2026-11-29", "The last day is before the first."),
        ("cursor=broken", "The place in the list was not understood."),
    ],
)
def test_a_filter_that_cannot_be_read_is_explained(admin: Visitor, query: str, says: str) -> None:
    answer = admin.get(f"/audit?{query}")
    assert answer.status_code == 422
    assert says in text_of(answer)


def test_an_empty_list_says_what_will_appear(admin: Visitor) -> None:
    assert "Nobody has done anything yet" in text_of(admin.get("/audit"))


def test_the_page_of_a_delivery_leads_to_its_acts(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed()
    assert f'href="/audit?subject=delivery:{one}"' in admin.get(f"/deliveries/{one}").text


def test_an_act_of_an_older_version_is_shown_by_its_name(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        note(COMMAND_LINE, "unsend", ("delivery", 7))
    assert "unsend Delivery 7" in text_of(admin.get("/audit"))
