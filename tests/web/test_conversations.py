"""The pages of private conversations."""

import re
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.sources.conversations.models import ConversationMessage
from tests.factories import make_account
from tests.inbox.inboxes import titles
from tests.sources.conversations.talk import email_of, say, start
from tests.web.test_inquiries import form_of
from tests.web.visitor import Visitor, text_of


@pytest.fixture
def talk(pages_app: Flask) -> dict[str, int]:
    """A conversation with its members."""
    with pages_app.app_context():
        writer, reader = make_account(name="花子"), make_account(name="次郎")
        return {"writer": writer, "reader": reader, "id": start(writer, reader, text="内緒の話")}


def test_a_conversation_is_begun_with_several_and_read_by_them(pages_app: Flask, member: Visitor) -> None:
    with pages_app.app_context():
        friends = [make_account(name=name) for name in ("友子", "次郎")]
        emails = "、\r\n".join(email_of(one) for one in friends)
    fields: dict[str, Any] = {
        "emails": emails,
        "text": "こんにちは 👋",
        "request_id": form_of(member.get("/conversations/new").text),
    }
    answer = member.post("/conversations/new", **fields)
    assert answer.status_code == 303
    assert member.post("/conversations/new", **fields).location == answer.location
    for one in friends:
        friend = Visitor(pages_app, one)
        assert "こんにちは 👋" in text_of(friend.get(answer.location))
        assert "member Aoki" in text_of(friend.get("/conversations"))
        with pages_app.app_context():
            assert titles(one) == ["Message from member Aoki"]
    assert "友子, 次郎" in text_of(member.get("/conversations"))


def test_what_was_refused_is_explained_and_kept(member: Visitor) -> None:
    refused = member.post("/conversations/new", emails="a@example.jp b@example.jp", text="", request_id="this form")
    assert refused.status_code == 422
    said = text_of(refused)
    assert "There is no account with the e-mail address a@example.jp." in said
    assert "e-mail address b@example.jp." in said
    assert "Write something." in said
    assert ">a@example.jp b@example.jp</textarea>" in refused.text
    assert form_of(refused.text) != "this form"


def test_others_find_no_such_page_and_can_do_nothing(pages_app: Flask, talk: dict[str, int], admin: Visitor) -> None:
    address = f"/conversations/{talk['id']}"
    with pages_app.app_context():
        message = db.session.scalars(select(ConversationMessage.id)).one()
    assert admin.get(address).status_code == admin.part(address).status_code == 404
    assert "花子" not in text_of(admin.get("/conversations"))
    for act in ("messages", "accept", "leave", f"messages/{message}/delete"):
        assert admin.post(f"{address}/{act}", text="x", request_id="x", on="0").status_code == 404, act
    reader = Visitor(pages_app, talk["reader"])
    assert reader.post(f"{address}/messages/{message}/delete").status_code == 404
    assert reader.get("/conversations/77").status_code == 404
    assert "内緒の話" in text_of(reader.get(address))


def test_each_member_chooses_whether_to_be_told(pages_app: Flask, talk: dict[str, int]) -> None:
    reader, address = Visitor(pages_app, talk["reader"]), f"/conversations/{talk['id']}"
    assert reader.post(f"{address}/accept", on="0").location == address
    page = text_of(reader.get(address))
    assert "You are no longer told of new messages here." in page
    assert "Accept messages" in page
    assert "You are not told" in text_of(reader.get("/conversations"))
    with pages_app.app_context():
        say(talk["writer"], talk["id"], text="もう一つ")
        assert len(titles(talk["reader"])) == 1
    assert "もう一つ" in text_of(reader.get(address))
    assert reader.post(f"{address}/accept", on="1").status_code == 303
    assert reader.post(f"{address}/accept", on="x").status_code == 400


def test_who_leaves_sees_nothing_more_and_the_others_go_on(pages_app: Flask, talk: dict[str, int]) -> None:
    writer, reader = Visitor(pages_app, talk["writer"]), Visitor(pages_app, talk["reader"])
    address = f"/conversations/{talk['id']}"
    left = reader.post(f"{address}/leave")
    assert (left.status_code, left.location) == (303, "/conversations")
    assert "You have left the conversation." in text_of(reader.get("/conversations"))
    assert reader.get(address).status_code == 404
    page = writer.get(address)
    assert "Everybody else has left" in text_of(page)
    assert "<textarea" not in page.text
    assert writer.post(f"{address}/messages", text="x", request_id="x").status_code == 422


def test_a_message_is_sent_once_and_can_be_taken_back(pages_app: Flask, talk: dict[str, int]) -> None:
    writer, reader = Visitor(pages_app, talk["writer"]), Visitor(pages_app, talk["reader"])
    address = f"/conversations/{talk['id']}"
    form = form_of(writer.get(address).text)
    sent = {writer.post(f"{address}/messages", text="取り消す話", request_id=form).location for _ in range(3)}
    (place,) = sent
    message = re.fullmatch(rf"{address}#message-(\d+)", place)
    assert message is not None
    assert "取り消す話" in reader.part(address).text
    assert writer.post(f"{address}/messages/{message.group(1)}/delete").location == place
    assert "取り消す話" not in reader.part(address).text
    with pages_app.app_context():
        assert titles(talk["reader"], words="取り消す") == []


def test_the_list_is_paged(pages_app: Flask, talk: dict[str, int]) -> None:
    with pages_app.app_context():
        for _ in range(50):
            start(talk["reader"], talk["writer"])
    writer = Visitor(pages_app, talk["writer"])
    older = re.search(r'id="older" href="([^"]+)"', writer.get("/conversations").text)
    assert older is not None
    assert f'href="/conversations/{talk["id"]}"' in writer.get(older.group(1)).text
    assert writer.get("/conversations?cursor=broken").status_code == 400


def test_texts_are_written_out_as_they_are(pages_app: Flask, talk: dict[str, int]) -> None:
    with pages_app.app_context():
        say(talk["writer"], talk["id"], text="<script>alert(1)</script> {{ 7*7 }}")
    page = Visitor(pages_app, talk["reader"]).get(f"/conversations/{talk['id']}")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; {{ 7*7 }}" in page.text
