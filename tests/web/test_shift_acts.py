"""Confirming, unconfirming and deleting shifts, one or many."""

import pytest
from flask import Flask

from app import audit
from app.clock import now
from app.sources.classroom.models import Shift
from tests.factories import all_deliveries, change, make_tutor
from tests.web.classroom import shift_now, shift_on, told_of, tomorrow
from tests.web.visitor import Visitor, text_of


def drafts(number: int) -> list[int]:
    return [shift_on(tomorrow(), make_tutor(), status="draft") for _ in range(number)]


def test_many_are_confirmed_at_once_and_counted(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        ids = [*drafts(3), shift_on(tomorrow(), make_tutor())]
    back = f"/shifts?month={tomorrow():%Y-%m}"
    answer = admin.post("/shifts/confirm", ids=[str(one) for one in ids], next=back)
    assert (answer.status_code, answer.location) == (303, back)
    assert "3 shifts were confirmed. 1 was left as it was." in text_of(admin.get(back))
    with pages_app.app_context():
        assert {shift_now(one).status for one in ids} == {"confirmed"}
        assert [entry.act for one in ids for entry in audit.entries("shift", one)] == ["confirm"] * 3


def test_the_button_of_one_shift_does_only_that_one(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one, two = drafts(2)
    admin.post("/shifts/confirm", ids=[str(two)], only=str(one))
    assert "1 shift was confirmed." in text_of(admin.get("/shifts"))
    with pages_app.app_context():
        assert (shift_now(one).status, shift_now(two).status) == ("confirmed", "draft")


def test_unconfirming_somebody_who_was_told_asks_first(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        shift = shift_on(tomorrow(), make_tutor(name="髙橋 花子"))
        told_of(shift)
    asked = admin.post("/shifts/unconfirm", ids=str(shift))
    assert asked.status_code == 200
    assert "髙橋 花子 was told otherwise and gets a correction by LINE at once." in text_of(asked)
    with pages_app.app_context():
        assert shift_now(shift).status == "confirmed"
    assert admin.post("/shifts/unconfirm", ids=str(shift), confirmed="1").status_code == 303
    assert "1 shift is a draft again." in text_of(admin.get("/shifts"))
    with pages_app.app_context():
        assert [one.kind for one in all_deliveries()] == ["shift_reminder", "shift_correction"]


def test_deleting_always_asks_and_says_what_it_means(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        ids = drafts(2)
    address = f"/shifts/delete?ids={ids[0]}&ids={ids[1]}&next=/shifts?month=2026-12"
    for asked in (admin.get(address), admin.post("/shifts/delete", ids=[str(one) for one in ids])):
        assert asked.status_code == 200
        assert "2 shifts:" in text_of(asked)
        assert "nobody gets a message about it" in text_of(asked)
    assert admin.post("/shifts/delete", ids=[str(one) for one in ids], confirmed="1").status_code == 303
    assert "2 shifts were deleted." in text_of(admin.get("/shifts"))
    with pages_app.app_context():
        assert all(shift_now(one).deleted_at for one in ids)
    assert "None of these shifts is there any more." in text_of(admin.get(address))
    admin.post("/shifts/delete", ids=[str(one) for one in ids], confirmed="1")
    assert "0 shifts were deleted. 2 were left as they were." in text_of(admin.get("/shifts"))


def test_nothing_ticked_says_so(admin: Visitor) -> None:
    assert admin.post("/shifts/confirm", next="https://evil.example/").location == "/shifts"
    assert "no shift was ticked" in text_of(admin.get("/shifts"))


@pytest.mark.parametrize("ids", ["x", "-1", "9" * 25, str(2**63), "1;drop", "²"])
def test_ids_that_are_none_are_refused(admin: Visitor, ids: str) -> None:
    assert admin.post("/shifts/confirm", ids=ids).status_code == 400


def test_a_deleted_shift_is_not_confirmed(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        (shift,) = drafts(1)
        change(Shift, shift, deleted_at=now())
    admin.post("/shifts/confirm", ids=str(shift))
    assert "0 shifts were confirmed. 1 was left as it was." in text_of(admin.get("/shifts"))


@pytest.mark.parametrize("act", ["confirm", "unconfirm", "delete"])
def test_acts_are_shut_to_staff_and_need_the_token(admin: Visitor, staff: Visitor, act: str) -> None:
    assert staff.post(f"/shifts/{act}", ids="1").status_code == 403
    assert staff.get(f"/shifts/{act}").status_code == 403
    assert admin.client.post(f"/shifts/{act}", data={"ids": "1"}).status_code == 400


def test_an_act_that_does_not_exist_is_not_found(admin: Visitor) -> None:
    assert admin.post("/shifts/publish", ids="1").status_code == 404
