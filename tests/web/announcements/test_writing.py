"""Writing an announcement, and changing it."""

import re
from html import escape, unescape
from typing import Any

import pytest
from flask import Flask

from tests.inbox.inboxes import titles
from tests.web.announcements.author import (
    BOTH,
    ENGLISH,
    JAPANESE,
    count,
    drafted,
    edited,
    form,
    hidden,
    press_archive,
    press_publish,
    published,
    stored,
    tell,
    walks,
)
from tests.web.visitor import Visitor, text_of


def test_a_form_sent_twice_makes_one_draft_and_shows_how_it_looks(pages_app: Flask, admin: Visitor) -> None:
    fields = form(**BOTH, request_id=hidden(admin.get("/announcements/new").text, "request_id"))
    first, second = (admin.post("/announcements/new", **fields) for _ in range(2))
    assert (first.status_code, first.location) == (303, second.location)
    assert count(pages_app) == 1
    page = admin.get(first.location)
    assert "The draft was saved. Nobody has been told yet." in text_of(page)
    for part in (
        'lang="ja"',
        "年末の休業",
        "29日から休みます。 4日に開きます。",
        "29日から休みます。\n4日に開きます。",
    ):
        assert part in page.text
    assert walks(pages_app) == 0


def test_another_text_under_the_same_form_is_refused_and_kept(pages_app: Flask, admin: Visitor) -> None:
    admin.post("/announcements/new", **form(**JAPANESE))
    answer = admin.post("/announcements/new", **form(**ENGLISH))
    assert answer.status_code == 422
    assert 'id="refused"' in answer.text
    assert 'value="Closed in winter"' in answer.text
    assert hidden(answer.text, "request_id") != "one-form"
    assert count(pages_app) == 1


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({}, "texts"),
        ({"title_ja": "x" * 101}, "title_ja"),
        ({"title_en": "two\nlines"}, "title_en"),
        ({"title_ja": "題", "body_ja": "x" * 4001}, "body_ja"),
        ({"title_ja": "題", "body_en": "a text without a title"}, "title_en"),
        ({"title_ja": "題", "fallback": "en"}, "fallback"),
        ({"title_ja": "題", "fallback": "fr"}, "fallback"),
        ({"title_ja": "題", "audience": "aliens"}, "audience"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_everything_typed_stays(
    pages_app: Flask, admin: Visitor, typed: dict[str, Any], field: str
) -> None:
    answer = admin.post("/announcements/new", **form(audience="members") | typed)
    assert answer.status_code == 422
    assert f'id="{field}-fault"' in answer.text
    for name, text in typed.items():
        assert name in ("fallback", "audience") or escape(text) in answer.text
    if field != "audience":
        assert 'value="members" checked' in answer.text
    assert count(pages_app) == 0


def test_a_form_without_its_own_id_is_no_form_of_ours(admin: Visitor) -> None:
    assert admin.post("/announcements/new", **form(**BOTH, request_id="")).status_code == 400


def test_lines_are_kept_as_they_are_meant(pages_app: Flask, admin: Visitor) -> None:
    path = drafted(admin, title_en=" Title ", body_en="\r\n a\r\nb \r\n")
    assert '<p class="note">a\nb</p>' in admin.get(path).text


def test_a_draft_is_changed_and_says_what_was_chosen(pages_app: Flask, admin: Visitor) -> None:
    path = drafted(admin)
    assert edited(admin, path, body_en="", title_en="", fallback="ja", audience="staff").location == path
    page = text_of(admin.get(path))
    assert "Closed in winter" not in page
    assert "Audience Administrators and staff" in page
    assert "Those who read another language get the Japanese text" in page
    assert "admin Aoki changed it" in page
    assert 'name="anew"' not in admin.get(f"{path}/edit").text


def test_a_draft_that_waits_for_its_time_says_so_wherever_it_is_changed(admin: Visitor) -> None:
    path = drafted(admin)
    assert "Publish …" in admin.get(path).text
    press_publish(admin, path, when="later", publish_at="2031-12-24T09:00")
    assert "published by itself on Wed 24 Dec 2031, 09:00, as it was saved last" in text_of(admin.get(f"{path}/edit"))
    edited(admin, path, title_en="Another title")
    page = text_of(admin.get(path))
    assert "The draft was saved. It will be published by itself on Wed 24 Dec 2031, 09:00." in page
    assert "Nobody has been told yet" not in page
    assert "Change the time …" in page
    assert "Publish …" not in page


def test_a_change_of_what_is_published_tells_nobody_again_unless_it_is_ticked(
    pages_app: Flask, admin: Visitor, member: Visitor
) -> None:
    path, reader = published(admin), member.account_id
    assert reader is not None
    tell(pages_app)
    page = admin.get(f"{path}/edit")
    assert "Nobody is told again, and what was read stays read." in text_of(page)
    assert "Whoever newly belongs to it is not told, unless everybody is told again." in text_of(page)
    assert '<input type="checkbox" name="anew" aria' in page.text
    told = admin.get(edited(admin, path, title_en="Closed all winter").location)
    assert "Nobody is told again." in text_of(told)
    tell(pages_app)
    with pages_app.app_context():
        assert titles(reader) == ["Closed all winter"]
    told = admin.get(edited(admin, path, title_en="Closed for good", anew="on", sure="").location)
    assert "everybody is told again" in text_of(told)
    assert "admin Aoki changed it, and had everybody told again" in text_of(told)
    tell(pages_app)
    with pages_app.app_context():
        assert titles(reader) == ["Closed for good"]


def test_telling_everybody_again_is_asked_about_first(pages_app: Flask, admin: Visitor, member: Visitor) -> None:
    path = published(admin)
    question = edited(admin, path, title_en='Closed "for" good', body_en="One\ntwo", audience="members", anew="on")
    assert question.status_code == 200
    for said in (
        "Tell everybody again?",
        "those who have read it, too",
        'Closed "for" good',
        "People in their inbox 1",
    ):
        assert said in text_of(question), said
    kept = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', question.text))
    kept = {name: unescape(value) for name, value in kept.items()}
    assert (kept["body_en"], kept["audience"], kept["title_ja"]) == ("One\ntwo", "members", JAPANESE["title_ja"])
    assert stored(pages_app, path).edited_at is None
    assert walks(pages_app) == 1
    back = admin.post(f"{path}/edit", **kept | {"back": ""})
    assert back.status_code == 200
    for part in ('name="anew" checked', 'value="Closed "for" good"', "One\ntwo</textarea>", 'value="members" checked'):
        assert part in unescape(back.text), part
    assert hidden(back.text, "seen") == kept["seen"]
    assert admin.post(f"{path}/edit", **kept | {"sure": ""}).location == path
    assert 'Closed "for" good' in text_of(admin.get(path))
    assert walks(pages_app) == 2


def test_who_would_tell_again_what_has_changed_meanwhile_sees_that_first(pages_app: Flask, admin: Visitor) -> None:
    path = published(admin)
    seen = hidden(admin.get(f"{path}/edit").text, "seen")
    edited(admin, path, title_en="Theirs")
    for pressed in ("save", "sure"):
        answer = admin.post(f"{path}/edit", **form(**BOTH, seen=seen, anew="on") | {pressed: ""})
        assert answer.status_code == 409
        assert 'name="anew" checked' in answer.text
    assert walks(pages_app) == 1


def test_what_is_wrong_with_a_change_is_said_with_all_that_was_chosen(pages_app: Flask, admin: Visitor) -> None:
    path = published(admin)
    answer = edited(admin, path, title_en="x" * 101, anew="on")
    assert answer.status_code == 422
    assert 'id="title_en-fault"' in answer.text
    assert 'name="anew" checked' in answer.text
    assert walks(pages_app) == 1


def test_of_two_who_change_it_the_second_sees_both_and_may_replace_it(pages_app: Flask, admin: Visitor) -> None:
    path = drafted(admin)
    page = admin.get(f"{path}/edit").text
    opened = form(**BOTH) | {"seen": hidden(page, "seen")}
    edited(admin, path, title_en="Theirs", audience="staff")
    answer = admin.post(f"{path}/edit", **opened | {"title_en": "Mine"})
    assert answer.status_code == 409
    assert 'id="meanwhile"' in answer.text
    for part in ("Nothing was saved.", "Theirs", "Administrators and staff"):
        assert part in text_of(answer)
    assert 'value="Mine"' in answer.text
    assert "Theirs" in admin.get(path).text
    seen = hidden(answer.text, "seen")
    assert admin.post(f"{path}/edit", **opened | {"title_en": "Mine", "seen": seen}).status_code == 303
    assert "Mine" in admin.get(path).text


def test_who_began_with_a_draft_is_asked_again_once_readers_see_it(pages_app: Flask, admin: Visitor) -> None:
    path = drafted(admin)
    page = admin.get(f"{path}/edit").text
    opened = form(**BOTH | {"title_en": "Mine"}) | {"seen": hidden(page, "seen")}
    press_publish(admin, path)
    answer = admin.post(f"{path}/edit", **opened)
    assert answer.status_code == 409
    assert "It now is: Published" in text_of(answer)
    assert 'value="Mine"' in answer.text
    assert 'name="anew"' in answer.text
    assert stored(pages_app, path).edited_at is None


def test_what_was_archived_meanwhile_cannot_be_changed_and_the_text_is_not_lost(
    pages_app: Flask, admin: Visitor
) -> None:
    path = published(admin)
    page = admin.get(f"{path}/edit").text
    opened = form(**BOTH | {"title_en": "Mine"}) | {"seen": hidden(page, "seen")}
    press_archive(admin, path)
    answer = admin.post(f"{path}/edit", **opened)
    assert answer.status_code == 409
    assert "it cannot be changed any more" in text_of(answer)
    assert 'value="Mine"' in answer.text
    assert admin.get(f"{path}/edit").location == path


def test_a_change_that_does_not_say_what_was_seen_is_not_understood(admin: Visitor) -> None:
    path = drafted(admin)
    assert edited(admin, path, seen="x").status_code == 400


def test_who_is_signed_out_meanwhile_gets_back_both_texts(admin: Visitor) -> None:
    fields = {"csrf_token": admin.token(), **form(**BOTH)}
    admin.post("/logout")
    answer = admin.client.post("/announcements/new", data=fields)
    assert answer.status_code == 401
    for part in ("Text in Japanese", "29日から休みます。\n4日に開きます。", "Title in English", "Closed in winter"):
        assert part in answer.text
