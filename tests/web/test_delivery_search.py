"""Finding deliveries by a number, or by whose they are."""

import re

import pytest
from flask import Flask

from app.extensions import db
from app.outbox.models import Delivery
from app.outbox.state import State
from app.reach.groups import add_group
from app.transaction import writing
from tests.factories import make_delivery, make_tutor
from tests.web.ledger import failed, shown, standing_as, tried
from tests.web.visitor import Visitor, text_of

REQUEST_ID = "5b59509c-c57b-11e9-aa8c-2a2ae2dbcce4"


@pytest.mark.parametrize("what", ["id", "dedup_key", "provider_request_id"])
def test_a_number_a_key_and_a_request_id_are_found_and_may_stand_in_the_address(
    pages_app: Flask, admin: Visitor, what: str
) -> None:
    with pages_app.app_context():
        made = standing_as(state=State.SENT, provider_request_id=REQUEST_ID)
        tried(made, outcome="accepted", provider_request_id=REQUEST_ID)
        failed()
        written = str(getattr(db.session.get_one(Delivery, made), what))
    answer = admin.post("/deliveries/search", q=written, state="sent")
    assert answer.status_code == 303
    assert shown(admin.get(answer.location).text) == [made]
    assert "state=sent" in answer.location


def test_whose_deliveries_they_are_is_asked_for_by_name_and_answered_by_number(
    pages_app: Flask, admin: Visitor
) -> None:
    with pages_app.app_context():
        tutor = make_tutor(name="髙橋 花子")
        theirs = make_delivery(tutor)
        make_delivery(make_tutor(name="佐藤"))
    answer = admin.post("/deliveries/search", q="髙橋", kind="probe")
    assert answer.location == f"/deliveries?person={tutor}&kind=probe"
    page = admin.get(answer.location)
    assert shown(page.text) == [theirs]
    assert "髙橋 花子 × Remove 髙橋 花子" in text_of(page)
    title = re.search(r"<title>.*</title>", page.text)
    assert title
    assert "髙橋" not in title.group()


def test_of_several_who_are_called_so_one_is_chosen(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        people = [make_tutor(name=f"佐藤 {name}") for name in ("一郎", "次郎")]
        with writing() as tx:
            group = add_group(tx, f"C{7:032x}", "佐藤ゼミ", "ja")
    page = admin.post("/deliveries/search", q="佐藤", state="failed")
    assert page.status_code == 200
    assert "Whom do you mean?" in text_of(page)
    for one in people:
        assert f'href="/deliveries?state=failed&amp;person={one}"' in page.text
    assert f'href="/deliveries?state=failed&amp;group={group}"' in page.text


def test_a_name_that_nobody_has_is_said_and_stands_in_no_address(admin: Visitor) -> None:
    page = admin.post("/deliveries/search", q="<b>nobody</b>")
    assert page.status_code == 200
    assert "Nothing was found" in text_of(page)
    assert 'value="&lt;b&gt;nobody&lt;/b&gt;"' in page.text
    assert page.text.count("nobody") == 1
    assert shown(page.text) == []


def test_a_group_has_its_deliveries(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        with writing() as tx:
            group = add_group(tx, f"C{8:032x}", "渋谷教室", "ja")
        made = standing_as(state=State.SENT, account_id=None, address_type="line_group", address_id=group)
        standing_as(state=State.SENT, address_id=group)
    answer = admin.post("/deliveries/search", q="渋谷教室")
    assert answer.location == f"/deliveries?group={group}"
    assert shown(admin.get(answer.location).text) == [made]


def test_staff_find_by_number_and_by_no_name(pages_app: Flask, staff: Visitor) -> None:
    with pages_app.app_context():
        tutor = make_tutor(name="髙橋 花子")
        make_delivery(tutor)
    answer = staff.post("/deliveries/search", q="髙橋")
    assert answer.status_code == 200  # the name stands in no address
    assert "Nothing was found" in text_of(answer)
    assert "a person or group" not in text_of(staff.get("/deliveries"))


@pytest.mark.parametrize("query", ["person=1", "group=1"])
def test_staff_look_at_nobodys_own_deliveries(pages_app: Flask, staff: Visitor, query: str) -> None:
    with pages_app.app_context():
        make_delivery(make_tutor())
    answer = staff.get(f"/deliveries?{query}")
    assert answer.status_code == 422
    assert shown(answer.text) == []


def test_a_long_search_finds_nobody(admin: Visitor) -> None:
    answer = admin.post("/deliveries/search", q="髙" * 10_000)
    assert answer.status_code == 200
    assert "Nothing was found" in text_of(answer)


def test_whoever_reloads_the_answer_to_a_search_is_shown_the_list(admin: Visitor) -> None:
    assert admin.get("/deliveries/search").location == "/deliveries"
