"""Marking read and putting away: exactly what was named, once, and with a way back."""

import re
from datetime import datetime
from typing import Any

import pytest
from flask import Flask

from app.clock import now
from tests.web.letters import letter, told
from tests.web.visitor import HTMX, Visitor, text_of

pytestmark = pytest.mark.usefixtures("greetings")


def shown_ids(page: str) -> list[str]:
    """The ids that "mark all" sends."""
    return re.findall(r'name="ids" value="(\d+)" form="all"', page)


def test_mark_all_takes_only_what_was_on_the_screen(pages_app: Flask, member: Visitor) -> None:
    first = told(pages_app, member)
    page = member.get("/inbox").text
    newer = told(pages_app, member)
    assert member.post("/inbox/read", ids=shown_ids(page)).location == "/inbox"
    assert letter(pages_app, first).read_at is not None
    assert letter(pages_app, newer).read_at is None


@pytest.mark.parametrize(
    ("act", "column", "before", "told_so"),
    [
        ("read", "read_at", None, "1 marked as read."),
        ("unread", "read_at", now(), "1 marked as unread."),
        ("archive", "archived_at", None, "1 archived."),
        ("restore", "archived_at", now(), "1 is back in the inbox."),
    ],
)
def test_an_act_is_done_told_and_taken_back(
    pages_app: Flask, member: Visitor, act: str, column: str, before: datetime | None, told_so: str
) -> None:
    values: dict[str, Any] = {column: before}
    one = told(pages_app, member, **values)
    assert member.post(f"/inbox/{act}?box=unread", ids=str(one)).location == "/inbox?box=unread"
    assert (getattr(letter(pages_app, one), column) is None) != (before is None)
    page = member.get("/inbox").text
    assert told_so in page
    assert told_so not in member.get("/inbox").text
    undo = re.search(r'<form method="post" action="([^"]+)">\s*<input[^>]+csrf[^>]+>\s*<input[^>]+value="(\d+)"', page)
    assert undo is not None
    member.post(undo.group(1), ids=undo.group(2))
    assert (getattr(letter(pages_app, one), column) is None) == (before is None)


def test_htmx_gets_the_list_the_badge_and_the_toast(pages_app: Flask, member: Visitor) -> None:
    one = told(pages_app, member, "田中")
    answer = member.post("/inbox/archive", headers=HTMX, ids=str(one))
    assert answer.status_code == 200
    assert "1 archived." in answer.text
    assert 'data-unread=""' in answer.text
    assert "田中" not in answer.text


def test_nobody_marks_what_is_not_theirs(pages_app: Flask, member: Visitor, staff: Visitor) -> None:
    one = told(pages_app, staff)
    member.post("/inbox/read", ids=str(one))
    assert letter(pages_app, one).read_at is None
    assert "0 marked as read." in text_of(member.get("/inbox"))


@pytest.mark.parametrize("ids", ["x", "-1", "0", "9" * 19, "1" * 30, [str(one) for one in range(501)]])
def test_ids_that_are_none_are_refused(member: Visitor, ids: object) -> None:
    assert member.post("/inbox/read", ids=ids).status_code == 400


@pytest.mark.parametrize("act", ["read", "unread", "archive", "restore"])
def test_nothing_is_changed_by_looking_or_without_the_token(pages_app: Flask, member: Visitor, act: str) -> None:
    one = told(pages_app, member)
    assert member.get(f"/inbox/{act}?ids={one}").status_code == 405
    assert member.client.post(f"/inbox/{act}", data={"ids": one}).status_code == 400
    assert letter(pages_app, one).read_at is letter(pages_app, one).archived_at is None


def test_the_keys_can_be_switched_off_in_a_browser(member: Visitor) -> None:
    assert 'data-keys="on"' in member.get("/inbox").text
    assert member.post("/inbox/keys", keys="off").location == "/inbox#keys"
    assert 'data-keys="off"' in member.get("/inbox").text
    assert member.post("/inbox/keys", keys="maybe").status_code == 400
