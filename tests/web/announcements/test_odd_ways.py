"""Odd ways through the forms: what would tell everybody, or nobody, by mistake is asked about."""

from typing import Any

import pytest
from flask import Flask

from tests.web.announcements.author import (
    BOTH,
    JAPANESE,
    drafted,
    form,
    hidden,
    press_archive,
    press_publish,
    published,
    stored,
)
from tests.web.visitor import Visitor, text_of

TOO_BIG_FOR_A_REVISION = str(2**31)


@pytest.mark.parametrize("route", ["edit", "publish"])
def test_a_revision_that_no_announcement_can_have_is_not_the_present_one(admin: Visitor, route: str) -> None:
    path = drafted(admin)
    answer = admin.post(f"{path}/{route}", seen=TOO_BIG_FOR_A_REVISION, when="now", **form(**BOTH))
    assert answer.status_code in (400, 409)


@pytest.mark.parametrize("when", [{}, {"when": ""}, {"when": "tomorrow"}])
def test_what_does_not_say_when_is_not_published_at_once(
    pages_app: Flask, admin: Visitor, when: dict[str, Any]
) -> None:
    path = drafted(admin)
    seen = hidden(admin.get(f"{path}/publish").text, "seen")
    answer = admin.post(f"{path}/publish", seen=seen, publish_at="2031-12-24T09:00", **when)
    assert (answer.status_code, stored(pages_app, path).phase) == (422, "draft")


def test_a_time_that_is_typed_beside_at_once_is_not_passed_over(pages_app: Flask, admin: Visitor) -> None:
    path = drafted(admin)
    answer = press_publish(admin, path, when="now", publish_at="2031-12-24T09:00")
    assert (answer.status_code, stored(pages_app, path).phase) == (422, "draft")


def test_a_week_is_no_day(admin: Visitor) -> None:
    assert press_publish(admin, drafted(admin), when="later", publish_at="2031-W01-1T09:00").status_code == 422


@pytest.mark.parametrize("gone", ["published", "archived"])
def test_nobody_is_asked_when_to_publish_what_is_no_draft_any_more(admin: Visitor, gone: str) -> None:
    path = drafted(admin)
    seen = hidden(admin.get(f"{path}/publish").text, "seen")
    assert (press_publish(admin, path) if gone == "published" else press_archive(admin, path)).status_code == 303
    answer = admin.post(f"{path}/publish", seen=seen, when="later", publish_at="2001-01-01T09:00")
    assert (answer.status_code, answer.location) == (303, path)


def test_what_was_archived_had_been_archived_also_when_nobody_would_read_it(admin: Visitor) -> None:
    path = drafted(admin, **JAPANESE, audience="members")
    press_archive(admin, path)
    answer = admin.post(f"{path}/publish", seen="1", when="now")
    assert (answer.status_code, answer.location) == (303, path)


def test_a_form_sent_again_after_it_was_published_does_not_say_that_nobody_was_told(admin: Visitor) -> None:
    fields = form(**BOTH, request_id=hidden(admin.get("/announcements/new").text, "request_id"))
    path = str(admin.post("/announcements/new", **fields).location)
    press_publish(admin, path)
    admin.get(path)
    admin.post("/announcements/new", **fields)
    assert "Nobody has been told yet." not in text_of(admin.get(path))


def test_saved_by_a_double_click_is_saved(pages_app: Flask, admin: Visitor) -> None:
    """Else the second answer would offer, ticked, to tell everybody once more."""
    path = published(admin)
    seen = hidden(admin.get(f"{path}/edit").text, "seen")
    for _ in range(2):
        answer = admin.post(f"{path}/edit", **form(**BOTH | {"title_en": "New"}), seen=seen, anew="on", sure="on")
    assert stored(pages_app, path).edition == 2
    assert (answer.status_code, answer.location) == (303, path)


def test_what_was_published_since_the_question_is_not_archived_as_a_draft(pages_app: Flask, admin: Visitor) -> None:
    path = drafted(admin)
    page = admin.get(f"{path}/archive").text
    assert "Nobody has seen it, and nobody will be told." in page
    carried: dict[str, Any] = {"seen": hidden(page, "seen")} if 'name="seen"' in page else {}
    press_publish(admin, path)
    admin.post(f"{path}/archive", **carried)
    assert stored(pages_app, path).phase == "published"
