"""Confirming, unconfirming and deleting shifts, one or many."""

from typing import Any

import pytest
from flask import Flask

from app import audit
from app.clock import now
from app.sources.classroom.models import Shift
from tests.factories import all_deliveries, change, make_tutor
from tests.web.classroom import as_seen, shift_now, shift_on, told_of, tomorrow
from tests.web.visitor import Visitor, text_of


def marked(app: Flask, *ids: int) -> list[str]:
    """What the page's form says of these shifts as they stand."""
    with app.app_context():
        return [as_seen(one) for one in ids]


def drafts(number: int) -> list[int]:
    return [shift_on(tomorrow(), make_tutor(), status="draft") for _ in range(number)]


def test_many_are_confirmed_at_once_and_counted(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        ids = [*drafts(3), shift_on(tomorrow(), make_tutor())]
    back = f"/shifts?month={tomorrow():%Y-%m}"
    answer = admin.post("/shifts/confirm", ids=marked(pages_app, *ids), next=back)
    assert (answer.status_code, answer.location) == (303, back)
    assert "3 shifts were confirmed. 1 was left as it was." in text_of(admin.get(back))
    with pages_app.app_context():
        assert {shift_now(one).status for one in ids} == {"confirmed"}
        assert [entry.act for one in ids for entry in audit.entries("shift", one)] == ["confirm"] * 3


def test_the_button_of_one_shift_does_only_that_one(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one, two = drafts(2)
    admin.post("/shifts/confirm", ids=marked(pages_app, two), only=marked(pages_app, one))
    assert "1 shift was confirmed." in text_of(admin.get("/shifts"))
    with pages_app.app_context():
        assert (shift_now(one).status, shift_now(two).status) == ("confirmed", "draft")


def test_unconfirming_somebody_who_was_told_asks_first(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        shift = shift_on(tomorrow(), make_tutor(name="髙橋 花子"))
        told_of(shift)
    asked = admin.post("/shifts/unconfirm", ids=marked(pages_app, shift))
    assert asked.status_code == 200
    assert "髙橋 花子 has already been told and gets a correction by LINE at once." in text_of(asked)
    with pages_app.app_context():
        assert shift_now(shift).status == "confirmed"
    assert admin.post("/shifts/unconfirm", ids=marked(pages_app, shift), confirmed="1").status_code == 303
    assert "1 shift is a draft again." in text_of(admin.get("/shifts"))
    with pages_app.app_context():
        assert [one.kind for one in all_deliveries()] == ["shift_reminder", "shift_correction"]


def test_deleting_always_asks_and_says_what_it_means(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        ids = drafts(2)
    address = f"/shifts/delete?ids={ids[0]}&ids={ids[1]}&next=/shifts?month=2026-12"
    seen = marked(pages_app, *ids)
    for asked in (admin.get(address), admin.post("/shifts/delete", ids=seen)):
        assert asked.status_code == 200
        assert "2 shifts:" in text_of(asked)
        assert "nobody gets a message about it" in text_of(asked)
    assert admin.post("/shifts/delete", ids=seen, confirmed="1").status_code == 303
    assert "2 shifts were deleted." in text_of(admin.get("/shifts"))
    with pages_app.app_context():
        assert all(shift_now(one).deleted_at for one in ids)
    assert "None of these shifts is there any more." in text_of(admin.get(address))
    admin.post("/shifts/delete", ids=seen, confirmed="1")
    assert "0 shifts were deleted. 2 were left as they were." in text_of(admin.get("/shifts"))


def test_nothing_ticked_says_so(admin: Visitor) -> None:
    assert admin.post("/shifts/confirm", next="https://evil.example/").location == "/shifts"
    assert "no shift was ticked" in text_of(admin.get("/shifts"))


NONSENSE = ["x", "-1", "9" * 25, str(2**63), "1;drop", "²", "1", "1.", "1.2", ".1-01234567", "0.1-01234567"]


@pytest.mark.parametrize("ids", NONSENSE)
def test_ids_that_are_none_are_refused(admin: Visitor, ids: str) -> None:
    assert admin.post("/shifts/confirm", ids=ids).status_code == 400


@pytest.mark.parametrize("act", ["confirm", "delete"])
@pytest.mark.parametrize("meanwhile", [{"version": 2}, {"note": "theirs"}])
def test_a_shift_that_changed_since_it_was_seen_is_shown_as_it_is_now(
    pages_app: Flask, admin: Visitor, act: str, meanwhile: dict[str, Any]
) -> None:
    with pages_app.app_context():
        (shift,) = drafts(1)
        seen = as_seen(shift)
        change(Shift, shift, **meanwhile)
    answer = admin.post(f"/shifts/{act}", ids=seen, confirmed="1")
    assert answer.status_code == 409
    assert "Somebody has changed this shift since you saw it. Nothing was done." in text_of(answer)
    assert "17:00–20:00" in text_of(answer)
    assert meanwhile.get("note", "") in text_of(answer)
    with pages_app.app_context():
        assert (shift_now(shift).status, shift_now(shift).deleted_at) == ("draft", None)
    (now_seen,) = marked(pages_app, shift)
    assert f'name="ids" value="{now_seen}"' in answer.text
    assert admin.post(f"/shifts/{act}", ids=now_seen, confirmed="1").status_code == 303


def test_of_many_those_that_changed_meanwhile_are_left_alone_and_counted(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        ids = [*drafts(4), shift_on(tomorrow(), make_tutor())]
        seen = [as_seen(one) for one in ids]
        change(Shift, ids[0], note="theirs")
        change(Shift, ids[1], version=2)
    assert admin.post("/shifts/confirm", ids=seen).status_code == 303
    page = text_of(admin.get("/shifts"))
    assert "2 shifts were confirmed. 1 was left as it was." in page
    assert "2 shifts were changed by somebody since you saw them, and left alone: look at them again." in page
    with pages_app.app_context():
        assert [shift_now(one).status for one in ids] == ["draft", "draft", "confirmed", "confirmed", "confirmed"]


def test_pressed_twice_the_second_finds_it_done(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        (shift,) = drafts(1)
    seen = marked(pages_app, shift)
    for act, says in (("confirm", "0 shifts were confirmed. 1 was left"), ("delete", "0 shifts were deleted. 1 was")):
        assert [admin.post(f"/shifts/{act}", ids=seen, confirmed="1").status_code for _ in range(2)] == [303, 303]
        assert says in text_of(admin.get("/shifts"))
        seen = marked(pages_app, shift)


@pytest.mark.parametrize("number", [5_001, 20_000])
def test_too_many_at_once_get_a_sentence_and_the_way_to_do_it(pages_app: Flask, admin: Visitor, number: int) -> None:
    ids = [f"{number}.1-01234567" for number in range(1, number + 1)]
    form = {"csrf_token": admin.token(), "ids": ids}
    for act in ("confirm", "delete"):
        answer = admin.client.post(f"/shifts/{act}", data=form)
        assert (answer.status_code, answer.location) == (303, "/shifts")
        says = f"These are {number} shifts, and at most 5000 are changed at once, so nothing was done."
        assert says in text_of(admin.get("/shifts"))


def test_a_deleted_shift_is_not_confirmed(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        (shift,) = drafts(1)
        seen = as_seen(shift)
        change(Shift, shift, deleted_at=now())
    answer = admin.post("/shifts/confirm", ids=seen)
    assert answer.status_code == 409
    assert "This shift was deleted, so it cannot be changed any more." in text_of(answer)


@pytest.mark.parametrize("act", ["confirm", "unconfirm", "delete"])
def test_acts_are_shut_to_staff_and_need_the_token(admin: Visitor, staff: Visitor, act: str) -> None:
    assert staff.post(f"/shifts/{act}", ids="1").status_code == 403
    assert staff.get(f"/shifts/{act}").status_code == 403
    assert admin.client.post(f"/shifts/{act}", data={"ids": "1"}).status_code == 400


def test_an_act_that_does_not_exist_is_not_found(admin: Visitor) -> None:
    assert admin.post("/shifts/publish", ids="1").status_code == 404
