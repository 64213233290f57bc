"""Publishing shift tables."""

import io
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from flask import Flask
from PIL import Image
from sqlalchemy import select

from app import audit
from app.accounts.models import Account
from app.clock import now
from app.codes import CancelReason
from app.extensions import db
from app.outbox.models import Delivery
from app.outbox.state import State
from app.sources.classroom.models import PublicationImage, Shift
from tests.factories import all_deliveries, change, make_tutor
from tests.web.classroom import GROUP_ID, give_group, next_month, shift_on
from tests.web.publishing import MONTH, address, picture, published, request_id_on, seen_on, send, sent
from tests.web.visitor import Visitor, text_of


def test_the_preview_is_drawn_and_stores_nothing(pages_app: Flask, admin: Visitor, room: int) -> None:
    page = admin.get(address(room))
    assert "1 confirmed shift." in text_of(page)
    assert "It goes to: 渋谷グループ." in text_of(page)
    drawn = admin.get(f"/publications/preview.png?month={MONTH}&classroom={room}")
    assert drawn.content_type == "image/png"
    assert drawn.headers["Cache-Control"] == "private, no-store"
    assert Image.open(io.BytesIO(drawn.data)).format == "PNG"
    assert "/publications/preview.png" in page.text
    with pages_app.app_context():
        assert published() == []


def test_it_is_sent_once_for_each_form(pages_app: Flask, admin: Visitor, room: int) -> None:
    shown = admin.get(address(room)).text
    fields: dict[str, Any] = {
        "month": MONTH, "classroom": str(room), "request_id": request_id_on(shown), "seen": seen_on(shown)
    }  # fmt: skip
    first, second = (admin.post("/publications", **fields) for _ in range(2))
    assert first.status_code == 303
    assert first.location == second.location
    page = admin.get(first.location)
    assert "The table is on its way to LINE." in text_of(page)
    assert "Waiting 渋谷グループ" in text_of(page)
    assert "admin Aoki published it" in text_of(page)
    assert GROUP_ID not in page.text
    with pages_app.app_context():
        assert [one.revision for one in published()] == [1]
        assert len(all_deliveries()) == 1
        assert len(audit.entries("publication", published()[0].id)) == 1


def test_the_stored_picture_is_shown_and_no_cache_keeps_it(admin: Visitor, room: int) -> None:
    there = sent(admin, room)
    image = admin.get(f"{there}/image.png")
    assert (image.content_type, image.headers["Cache-Control"]) == ("image/png", "private, no-store")
    assert f'src="{there}/image.png"' in admin.get(there).text


def test_a_second_revision_replaces_the_first(admin: Visitor, room: int) -> None:
    first, second = sent(admin, room), sent(admin, room)
    assert "A newer revision has replaced it." in text_of(admin.get(first))
    assert "A newer revision" not in text_of(admin.get(second))
    listed = text_of(admin.get("/publications"))
    assert "revision 1 · replaced" in listed
    assert listed.index("revision 2") < listed.index("revision 1")


def test_an_own_picture_goes_out_instead_written_anew(pages_app: Flask, admin: Visitor, room: int) -> None:
    answer = send(admin, room, image=picture(kind="JPEG"))
    assert answer.status_code == 303
    with pages_app.app_context():
        stored = db.session.get_one(PublicationImage, published()[0].id).png
        assert Image.open(io.BytesIO(stored)).size == (300, 200)
        assert Image.open(io.BytesIO(stored)).format == "PNG"


def test_withdrawing_asks_and_is_told(pages_app: Flask, admin: Visitor, room: int) -> None:
    there = sent(admin, room)
    assert "What has not gone out is not sent" in text_of(admin.get(f"{there}/withdraw"))
    assert admin.post(f"{there}/withdraw").location == there
    page = text_of(admin.get(there))
    assert "The table was withdrawn." in page
    assert "nobody is shown it any more" in page
    assert "admin Aoki withdrew it" in page
    assert admin.get(f"{there}/withdraw").location == there
    admin.post(f"{there}/withdraw")
    assert "The table had been withdrawn before." in text_of(admin.get(there))
    with pages_app.app_context():
        assert [one.cancel_reason for one in all_deliveries()] == ["publication_withdrawn"]


def test_staff_look_and_do_not_send(admin: Visitor, staff: Visitor, room: int) -> None:
    there = sent(admin, room)
    for path in ("/publications", address(room), there, f"{there}/image.png"):
        assert staff.get(path).status_code == 200
    assert "Send to LINE" not in text_of(staff.get(address(room)))
    delivery = staff.get(there).text.partition('href="/deliveries/')[2].partition('"')[0]
    assert "渋谷グループ" not in staff.get(f"/deliveries/{delivery}").text
    assert staff.get("/publications/preview.png").status_code == 403
    assert staff.post("/publications").status_code == 403
    assert staff.post(f"{there}/withdraw").status_code == 403


def test_what_does_not_exist_is_not_found(admin: Visitor, member: Visitor) -> None:
    for path in ("/publications/77", "/publications/77/image.png", "/publications/77/withdraw"):
        assert admin.get(path).status_code == 404
    assert admin.post("/publications/77/withdraw").status_code == 404
    assert member.get("/publications").status_code == 403


def test_a_tick_brings_who_got_it_until_it_rests(pages_app: Flask, admin: Visitor, room: int) -> None:
    there = sent(admin, room)
    part = admin.part(there).text
    assert "<html" not in part
    assert f'hx-get="{there}"' in part
    with pages_app.app_context():
        change(Delivery, all_deliveries()[0].id, state=State.SENT)
    part = admin.part(there).text
    assert "hx-get" not in part
    assert '<span class="state sent">' in part


def test_a_group_changed_before_the_send_is_told_and_the_new_one_offered(
    pages_app: Flask, admin: Visitor, staff: Visitor, room: int
) -> None:
    there = sent(admin, room)
    assert 'id="regrouped"' not in admin.get(there).text
    with pages_app.app_context():
        give_group(room, "C" + "0" * 31 + "2", "新しいグループ")
        change(
            Delivery, all_deliveries()[0].id, state=State.CANCELED, cancel_reason=CancelReason.ADDRESS_CHANGED,
            finished_at=now(),
        )  # fmt: skip
    page = admin.get(there)
    assert "It was not sent to 渋谷グループ, which no longer gets this table." in text_of(page)
    assert "新しいグループ gets it now, and has not got it yet." in text_of(page)
    assert f'href="{address(room)}"' in page.text.replace("&amp;", "&")
    assert "Send it as it is now" not in staff.get(there).text
    again = sent(admin, room)
    assert "Waiting 新しいグループ" in text_of(admin.get(again))
    assert "Send it as it is now" not in admin.get(there).text, "replaced"


def _a_shift(room: int) -> None:
    shift_on(next_month(), make_tutor(name="鈴木"), classroom_id=room)


def _a_name(room: int) -> None:
    tutor = db.session.scalars(select(Account.id).where(Account.name == "髙橋 花子")).one()
    change(Account, tutor, name="佐藤 花子")


def _a_draft(room: int) -> None:
    change(Shift, db.session.scalars(select(Shift.id)).first() or 0, status="draft")
    _a_shift(room)


@pytest.mark.parametrize("meanwhile", [_a_shift, _a_name, _a_draft])
def test_what_changed_since_the_preview_is_shown_and_not_sent(
    pages_app: Flask, admin: Visitor, room: int, meanwhile: Callable[[int], None]
) -> None:
    page = admin.get(address(room)).text
    fields: dict[str, Any] = {"month": MONTH, "classroom": str(room), "request_id": request_id_on(page)}
    with pages_app.app_context():
        meanwhile(room)
    for seen in (seen_on(page), ""):
        answer = admin.post("/publications", **fields, seen=seen)
        assert answer.status_code == 409
        assert "The shifts have changed since this preview, so nothing was sent." in text_of(answer)
        with pages_app.app_context():
            assert (published(), all_deliveries()) == ([], [])
    again = {"request_id": request_id_on(answer.text), "seen": seen_on(answer.text)}
    assert again["seen"] != seen_on(page)
    assert again["request_id"] != fields["request_id"]
    assert admin.post("/publications", **fields | again).status_code == 303


def test_the_picture_of_a_preview_is_the_one_that_its_form_sends(pages_app: Flask, admin: Visitor, room: int) -> None:
    page = admin.get(address(room)).text
    found = re.search(r'src="([^"]*preview.png[^"]*)"', page)
    assert found is not None
    picture = unescape(found.group(1))
    assert seen_on(page) in picture
    assert admin.get(picture).status_code == 200
    with pages_app.app_context():
        _a_shift(room)
    assert admin.get(picture).status_code == 404


def test_a_form_that_was_sent_is_not_sent_again_whatever_changed_since(
    pages_app: Flask, admin: Visitor, room: int
) -> None:
    page = admin.get(address(room)).text
    fields: dict[str, Any] = {
        "month": MONTH, "classroom": str(room), "request_id": request_id_on(page), "seen": seen_on(page)
    }  # fmt: skip
    first = admin.post("/publications", **fields)
    with pages_app.app_context():
        _a_shift(room)
    assert admin.post("/publications", **fields).location == first.location
    with pages_app.app_context():
        assert len(all_deliveries()) == 1
