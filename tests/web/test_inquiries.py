"""The pages of inquiries."""

import re
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.stores import Store
from app.audit import COMMAND_LINE
from app.clock import now
from app.extensions import db
from app.inbox.queries import Box
from app.operations.deletion import delete_account
from app.sources.conversations.models import InquiryMessage
from app.sources.conversations.reading import MESSAGES_PER_PAGE
from app.transaction import writing
from tests.factories import change, make_account
from tests.inbox.inboxes import titles
from tests.sources.conversations.talk import ask, email_of, let_ask, make_store, write
from tests.web.visitor import Visitor, text_of

TEXT = "土曜は何時までですか？ <b>& 👩‍👩‍👧‍👦"


@pytest.fixture
def asked(pages_app: Flask) -> dict[str, int]:
    """An inquiry with its people."""
    with pages_app.app_context():
        asker, clerk = make_account(name="花子"), make_account(name="店員 一郎")
        store = make_store(clerk)
        return {"asker": asker, "clerk": clerk, "store": store, "id": ask(asker, store, text=TEXT)}


def form_of(page: str) -> str:
    """The id of the form on a page."""
    found = re.search(r'name="request_id" value="([^"]+)"', page)
    assert found is not None
    return found.group(1)


def messages(app: Flask) -> list[str]:
    with app.app_context():
        return list(db.session.scalars(select(InquiryMessage.text).order_by(InquiryMessage.id)))


def test_an_inquiry_is_opened_read_answered_and_closed(pages_app: Flask, member: Visitor) -> None:
    with pages_app.app_context():
        clerk_id = make_account(name="店員 一郎")
        store = make_store(clerk_id)
    form = member.get(f"/inquiries/new?store={store}")
    assert f'<option value="{store}" selected>渋谷店</option>' in form.text
    fields: dict[str, Any] = {
        "store": str(store),
        "subject": " 営業時間 ",
        "text": TEXT,
        "request_id": form_of(form.text),
    }
    answer = member.post("/inquiries/new", **fields)
    assert answer.status_code == 303
    address = answer.location
    assert member.post("/inquiries/new", **fields).location == address
    clerk = Visitor(pages_app, clerk_id)
    assert "営業時間" in text_of(clerk.get("/inquiries"))
    page = clerk.get(address)
    assert TEXT in text_of(page)
    reply = clerk.post(f"{address}/messages", text="18時までです。", request_id=form_of(page.text))
    assert re.fullmatch(rf"{address}#message-\d+", reply.location)
    assert "18時までです。" in text_of(member.get(address))
    assert clerk.post(f"{address}/close").status_code == clerk.post(f"{address}/close").status_code == 303
    assert "This inquiry is closed." in text_of(member.get(address))
    assert "営業時間" not in text_of(member.get("/inquiries"))
    assert "営業時間" in text_of(member.get("/inquiries?closed=1"))
    assert member.post(f"{address}/reopen").status_code == 303
    assert "member Aoki reopened it" in text_of(member.get(address))
    assert len(messages(pages_app)) == 2


def test_what_was_refused_is_explained_and_kept(pages_app: Flask, member: Visitor) -> None:
    with pages_app.app_context():
        admin, store = make_account("admin", name="青木 葵"), make_store()
    refused = member.post("/inquiries/new", store=str(store), subject="", text="あ" * 2001, mentions=str(admin),
                          request_id="this form")  # fmt: skip
    assert refused.status_code == 422
    said = text_of(refused)
    assert "Enter a subject of 1 to 100 characters" in said
    assert "Write at most 2,000 characters; these are 2,001." in said
    assert "あ" * 2001 in refused.text
    assert form_of(refused.text) != "this form"
    assert f'name="mentions" value="{admin}" checked' in refused.text
    assert f'<option value="{store}" selected>' in refused.text
    assert messages(pages_app) == []


@pytest.mark.parametrize(
    "fields", [{"request_id": ""}, {"request_id": "x" * 44}, {"request_id": "x", "mentions": "x"}, {"text": "a\0b"}]
)
def test_a_form_that_is_none_of_ours_is_not_understood(member: Visitor, fields: dict[str, Any]) -> None:
    assert member.post("/inquiries/new", **fields).status_code == 400


def test_others_find_no_such_page_and_can_do_nothing(pages_app: Flask, asked: dict[str, int], member: Visitor) -> None:
    admin_too = [member]
    with pages_app.app_context():
        admin_too.append(Visitor(pages_app, make_account("admin")))
        message = db.session.scalars(select(InquiryMessage.id)).one()
    address = f"/inquiries/{asked['id']}"
    for other in admin_too:
        assert other.get(address).status_code == other.part(address).status_code == 404
        assert "営業時間" not in text_of(other.get("/inquiries"))
        for act in ("messages", "close", "reopen", "askers", f"askers/{asked['asker']}/remove",
                    f"messages/{message}/delete"):  # fmt: skip
            answer = other.post(f"{address}/{act}", text="x", request_id="x", email="nobody@example.jp")
            assert answer.status_code == 404, act
    clerk, asker = Visitor(pages_app, asked["clerk"]), Visitor(pages_app, asked["asker"])
    assert clerk.post(f"{address}/messages/{message}/delete").status_code == 404
    assert clerk.post(f"{address}/askers", email="nobody@example.jp").status_code == 404
    assert asker.post(f"{address}/askers/{asked['asker']}/remove").status_code == 404
    assert asker.get("/inquiries/77").status_code == asker.post("/inquiries/77/close").status_code == 404
    assert messages(pages_app) == [TEXT]


def test_who_was_called_in_reads_and_does_not_write(pages_app: Flask, asked: dict[str, int], staff: Visitor) -> None:
    asker = Visitor(pages_app, asked["asker"])
    address = f"/inquiries/{asked['id']}"
    page = asker.get(address)
    staff_id = re.search(r'name="mentions" value="(\d+)"> @staff Aoki', page.text)
    assert staff_id is not None
    asker.post(f"{address}/messages", text="助けてください", mentions=staff_id.group(1), request_id=form_of(page.text))
    seen = staff.get(address)
    assert "You were called in to read this." in text_of(seen)
    assert "Called in: staff Aoki" in text_of(seen)
    assert 'name="request_id"' not in seen.text
    assert staff.post(f"{address}/messages", text="x", request_id="x").status_code == 404
    assert "営業時間" in text_of(staff.get("/inquiries"))


def test_only_people_of_the_platform_can_be_mentioned(pages_app: Flask, asked: dict[str, int]) -> None:
    asker, address = Visitor(pages_app, asked["asker"]), f"/inquiries/{asked['id']}"
    answer = asker.post(f"{address}/messages", text="x", mentions=str(asked["clerk"]), request_id="x")
    assert answer.status_code == 422
    assert "only people who run this platform" in text_of(answer)


def test_another_account_asks_along_and_leaves(pages_app: Flask, asked: dict[str, int]) -> None:
    with pages_app.app_context():
        friend_id = make_account(name="友子")
        email = email_of(friend_id)
    address = f"/inquiries/{asked['id']}"
    asker, friend = Visitor(pages_app, asked["asker"]), Visitor(pages_app, friend_id)
    refused = asker.post(f"{address}/askers", email="nobody@example.jp")
    assert refused.status_code == 422
    assert "There is no account with the e-mail address nobody@example.jp." in text_of(refused)
    assert asker.post(f"{address}/askers", email=f" {email.upper()} ").status_code == 303
    assert "友子" in text_of(friend.get(address))
    left = friend.post(f"{address}/askers/{friend_id}/remove")
    assert (left.status_code, left.location) == (303, "/inquiries")
    assert friend.get(address).status_code == 404


def test_a_deleted_message_leaves_its_place_and_nothing_else(pages_app: Flask, asked: dict[str, int]) -> None:
    asker, clerk = Visitor(pages_app, asked["asker"]), Visitor(pages_app, asked["clerk"])
    address = f"/inquiries/{asked['id']}"
    delete = re.search(rf'action="({address}/messages/\d+/delete)"', asker.get(address).text)
    assert delete is not None
    assert delete.group(1) not in clerk.get(address).text
    for _ in range(2):
        assert asker.post(delete.group(1)).status_code == 303
    page = clerk.get(address)
    assert "This message was deleted." in text_of(page)
    assert "土曜" not in page.text
    with pages_app.app_context():
        assert titles(asked["clerk"]) == []


def test_opening_a_page_changes_nothing(pages_app: Flask, asked: dict[str, int]) -> None:
    clerk = Visitor(pages_app, asked["clerk"])
    for path in (f"/inquiries/{asked['id']}", "/inquiries", "/inquiries/new"):
        assert clerk.get(path).status_code == 200
    with pages_app.app_context():
        assert [titles(asked["clerk"], box) for box in (Box.UNREAD, Box.ARCHIVED)] == [["営業時間 (渋谷店)"], []]


def test_a_tick_brings_the_new_messages_alone(pages_app: Flask, asked: dict[str, int]) -> None:
    asker, address = Visitor(pages_app, asked["asker"]), f"/inquiries/{asked['id']}"
    with pages_app.app_context():
        write(asked["clerk"], asked["id"], text="18時までです。")
    part = asker.part(address)
    assert "18時までです。" in part.text
    assert "<textarea" not in part.text
    assert "<html" not in part.text
    assert "<html" not in asker.part("/inquiries").text


def test_a_closed_store_takes_no_more_and_its_people_read_no_more(pages_app: Flask, asked: dict[str, int]) -> None:
    asker, clerk = Visitor(pages_app, asked["asker"]), Visitor(pages_app, asked["clerk"])
    address = f"/inquiries/{asked['id']}"
    with pages_app.app_context():
        change(Store, asked["store"], archived_at=now())
    assert clerk.get(address).status_code == 404
    page = asker.get(address)
    assert "The store was archived" in text_of(page)
    assert "<textarea" not in page.text
    assert asker.post(f"{address}/messages", text="x", request_id="x").status_code == 422
    assert "No store is in use yet" in text_of(asker.get(f"/inquiries/new?store={asked['store']}"))


def test_many_messages_are_shown_a_hundred_at_a_time(pages_app: Flask, asked: dict[str, int]) -> None:
    with pages_app.app_context():
        for number in range(MESSAGES_PER_PAGE):
            write(asked["clerk"], asked["id"], text=f"答え{number}")
    asker, address = Visitor(pages_app, asked["asker"]), f"/inquiries/{asked['id']}"
    newest = asker.get(address)
    assert "土曜" not in newest.text
    earlier = re.search(r'id="earlier" href="([^"]+)"', newest.text)
    assert earlier is not None
    first = asker.get(earlier.group(1))
    assert "土曜" in first.text
    assert "答え0<" not in first.text
    assert f'id="newest" href="{address}"' in first.text


def test_the_list_is_paged(pages_app: Flask, asked: dict[str, int]) -> None:
    with pages_app.app_context():
        for number in range(50):
            ask(asked["asker"], asked["store"], subject=f"件名{number}")
    asker = Visitor(pages_app, asked["asker"])
    older = re.search(r'id="older" href="([^"]+)"', asker.get("/inquiries").text)
    assert older is not None
    assert "営業時間" in text_of(asker.get(older.group(1)))
    assert asker.get("/inquiries?cursor=broken").status_code == 400


def test_who_writes_too_fast_is_asked_to_wait(pages_app: Flask, asked: dict[str, int]) -> None:
    asker, address = Visitor(pages_app, asked["asker"]), f"/inquiries/{asked['id']}"
    answers = [asker.post(f"{address}/close").status_code for _ in range(31)]
    assert answers == [303] * 30 + [429]
    assert Visitor(pages_app, asked["clerk"]).post(f"{address}/reopen").status_code == 303


def test_an_asker_may_remove_only_whom_they_let_in(pages_app: Flask, asked: dict[str, int]) -> None:
    with pages_app.app_context():
        one, two = make_account(name="友子"), make_account(name="次郎")
        for friend in (one, two):
            let_ask(asked["asker"], asked["id"], friend)
    address = f"/inquiries/{asked['id']}"
    page = Visitor(pages_app, one).get(address)
    assert f'action="{address}/askers/{one}/remove"' in page.text
    assert f'action="{address}/askers/{two}/remove"' not in page.text
    assert Visitor(pages_app, one).post(f"{address}/askers/{two}/remove").status_code == 404
    assert Visitor(pages_app, asked["asker"]).post(f"{address}/askers/{two}/remove").status_code == 303


@pytest.mark.parametrize(
    ("language", "said", "called"),
    [
        ("en", "Nobody who asked is left, so nobody would read a message.", "(deleted account)"),
        ("ja", "問い合わせた人がもういないため、書いても読む人がいません。", "（削除されたアカウント）"),
    ],
)
def test_an_inquiry_of_a_deleted_account_cannot_be_answered(
    pages_app: Flask, asked: dict[str, int], language: str, said: str, called: str
) -> None:
    with pages_app.app_context(), writing() as tx:
        delete_account(tx, COMMAND_LINE, asked["asker"])
    clerk, address = Visitor(pages_app, asked["clerk"], language), f"/inquiries/{asked['id']}"
    page = clerk.get(address)
    assert said in text_of(page)
    assert called in text_of(page)
    assert "花子" not in page.text
    assert "<textarea" not in page.text
    refused = clerk.post(f"{address}/messages", text="回答", request_id="x")
    assert (refused.status_code, len(messages(pages_app))) == (422, 1)
