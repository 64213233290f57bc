"""Publishing an announcement, now or later, and archiving it."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from flask import Flask

from app.i18n import zone
from app.sources.announcements.audience import CATEGORY
from tests.factories import make_account, make_tutor
from tests.inbox.inboxes import chosen, make_device
from tests.web.announcements.author import (
    BOTH,
    JAPANESE,
    drafted,
    edited,
    hidden,
    press_archive,
    press_publish,
    published,
    stored,
    tell,
    walks,
)
from tests.web.visitor import Visitor, text_of

CHRISTMAS = "2026-12-24T09:00"
CHOICES = (("now", ""), ("later", "2031-12-24T09:00"))
NOVEMBER = datetime(2026, 11, 30, 3, 0, tzinfo=UTC)


def test_the_question_shows_every_text_and_how_many_get_it(pages_app: Flask, admin: Visitor) -> None:
    path = drafted(admin)
    with pages_app.app_context():
        reader = make_account()
        make_device(reader)
        make_device(reader)
        chosen(make_tutor(), CATEGORY, "line", True)
    page = admin.get(f"{path}/publish")
    assert "People in their inbox 3 People by push 1 Devices that get the push 2 People over LINE 1" in text_of(page)
    assert "LINE only where a person has chosen it" in text_of(page)
    for part in ("年末の休業", "29日から休みます。 4日に開きます。", "From the 29th. Back on the 4th.", "Asia/Tokyo"):
        assert part in page.text
    assert 'name="when" value="now" checked' in page.text


def test_it_is_published_once_however_often_it_is_pressed(pages_app: Flask, admin: Visitor, member: Visitor) -> None:
    path = drafted(admin)
    seen = hidden(admin.get(f"{path}/publish").text, "seen")
    told = []
    for _ in range(2):
        answer = admin.post(f"{path}/publish", seen=seen, when="now")
        assert (answer.status_code, answer.location) == (303, path)
        told.append(text_of(admin.get(path)))
    assert "The announcement is published, and everybody is being told." in told[0]
    assert "It had been published before." in told[1]
    assert "admin Aoki wrote it" in told[1]
    assert told[1].count("admin Aoki published it") == 1
    assert walks(pages_app) == 1
    assert member.get(path).status_code == 200
    assert admin.get(f"{path}/publish").location == path


def test_what_was_changed_meanwhile_is_shown_before_it_is_published(pages_app: Flask, admin: Visitor) -> None:
    path = drafted(admin)
    seen = hidden(admin.get(f"{path}/publish").text, "seen")
    edited(admin, path, title_en="Another title")
    answer = admin.post(f"{path}/publish", seen=seen, when="later", publish_at="2031-12-24T09:00")
    assert answer.status_code == 409
    assert 'id="meanwhile"' in answer.text
    assert "Another title" in answer.text
    assert 'value="later" checked' in answer.text
    assert 'value="2031-12-24T09:00"' in answer.text
    assert stored(pages_app, path).phase == "draft"
    assert admin.post(f"{path}/publish", seen=hidden(answer.text, "seen"), when="now").status_code == 303
    assert stored(pages_app, path).phase == "published"


def test_it_is_published_at_a_time_of_this_place(pages_app: Flask) -> None:
    with time_machine.travel(NOVEMBER, tick=False):
        with pages_app.app_context():
            admin, member = (Visitor(pages_app, make_account(role)) for role in ("admin", "member"))
        path = drafted(admin)
        press_publish(admin, path, when="later", publish_at=CHRISTMAS)
        assert stored(pages_app, path).publish_at == datetime(2026, 12, 24, 0, 0, tzinfo=UTC)
        page = admin.get(path)
        assert "It will be published on Thu 24 Dec, 09:00." in text_of(page)
        assert "Scheduled for Thu 24 Dec, 09:00" in text_of(page)
        assert "Scheduled for Thu 24 Dec, 09:00" in text_of(admin.get("/announcements?state=draft"))
        assert "chose when it is to be published" in text_of(page)
        question = admin.get(f"{path}/publish").text
        assert f'value="{CHRISTMAS}"' in question
        assert 'value="later" checked' in question
        assert member.get(path).status_code == 404
    with time_machine.travel(NOVEMBER + timedelta(days=30), tick=False):
        tell(pages_app)
        assert stored(pages_app, path).phase == "published"


def test_it_stays_a_draft_after_all(pages_app: Flask, admin: Visitor) -> None:
    path = drafted(admin)
    press_publish(admin, path, when="later", publish_at="2031-12-24 09:00")
    assert f'action="{path}/keep-as-draft"' in admin.get(path).text
    for _ in range(2):
        admin.post(f"{path}/keep-as-draft")
        assert "It stays a draft until somebody publishes it." in text_of(admin.get(path))
    assert stored(pages_app, path).publish_at is None
    press_publish(admin, path)
    admin.post(f"{path}/keep-as-draft")
    assert "It had been published before." in text_of(admin.get(path))


@pytest.mark.parametrize(
    "typed", [
        "", "2020-01-01T09:00", "tomorrow", "2031-02-30T09:00", "2031-12-24T25:00", "2031-12-24", "0001-01-01T00:00",
        "2031-12-24T09:00+09:00", "2031-12-24T09:00:00", "９９９９-12-24T09:00", "9999-12-31T23:59",
    ],
)  # fmt: skip
def test_a_time_that_is_none_or_has_passed_is_refused_and_kept(pages_app: Flask, admin: Visitor, typed: str) -> None:
    path = drafted(admin)
    answer = press_publish(admin, path, when="later", publish_at=typed)
    assert answer.status_code == 422
    assert 'id="publish_at-fault"' in answer.text
    assert f'value="{typed}"' in answer.text
    assert 'value="later" checked' in answer.text
    assert stored(pages_app, path).publish_at is None


def test_a_time_beside_at_once_is_asked_about_and_kept(pages_app: Flask, admin: Visitor) -> None:
    path = drafted(admin)
    for typed in ("2031-12-24T09:00", "tomorrow"):
        answer = press_publish(admin, path, when="now", publish_at=typed)
        assert answer.status_code == 422
        assert "You ticked “At once” and also entered a time. Choose one." in text_of(answer)
        assert 'id="publish_at-fault"' in answer.text
        assert f'value="{typed}"' in answer.text
        assert 'value="now" checked' in answer.text
        assert stored(pages_app, path).phase == "draft"


def test_what_waits_for_its_time_is_published_at_once_instead(pages_app: Flask, admin: Visitor) -> None:
    path = drafted(admin)
    press_publish(admin, path, when="later", publish_at="2031-12-24T09:00")
    waiting = "2031-12-24T09:00"
    assert press_publish(admin, path, when="now", publish_at="2031-12-25T09:00").status_code == 422
    assert press_publish(admin, path, when="now", publish_at=waiting).status_code == 303
    assert stored(pages_app, path).phase == "published"


def test_the_zone_on_the_page_is_the_one_that_is_meant(pages_app: Flask, admin: Visitor) -> None:
    pages_app.config["SETTINGS"] = pages_app.config["SETTINGS"].model_copy(update={"timezone": "America/New_York"})
    with pages_app.app_context():
        assert zone().key == "America/New_York"
    path = drafted(admin)
    assert "America/New_York" in admin.get(f"{path}/publish").text
    press_publish(admin, path, when="later", publish_at="2031-12-24T09:00")
    assert stored(pages_app, path).publish_at == datetime(2031, 12, 24, 14, 0, tzinfo=UTC)


def test_what_nobody_would_get_is_not_published(pages_app: Flask, admin: Visitor) -> None:
    path = drafted(admin, **JAPANESE, audience="members")
    seen = hidden(admin.get(f"{path}/edit").text, "seen")
    question = admin.get(f"{path}/publish")
    assert "Nobody would get this: no active account reads it." in text_of(question)
    assert 'name="when"' not in question.text
    assert "Nobody: no active account of its audience" in text_of(admin.get(path))
    for when, publish_at in CHOICES:
        answer = admin.post(f"{path}/publish", seen=seen, when=when, publish_at=publish_at)
        assert answer.status_code == 422
        assert 'id="audience-fault"' in answer.text
    assert stored(pages_app, path).phase == "draft"


def test_publishing_says_what_was_seen(admin: Visitor) -> None:
    path = drafted(admin)
    assert admin.post(f"{path}/publish", when="now").status_code == 400


def test_archiving_says_what_it_does_and_is_done_once(pages_app: Flask, admin: Visitor, member: Visitor) -> None:
    path = published(admin)
    assert "what has not gone out is not sent" in text_of(admin.get(f"{path}/archive"))
    for told in ("The announcement is in the archive now.", "It had been archived before."):
        assert press_archive(admin, path).location == path
        page = text_of(admin.get(path))
        assert told in page
    assert page.count("admin Aoki put it into the archive") == 1
    assert "In the archive" in page
    assert f'href="{path}/edit"' not in admin.get(path).text
    assert member.get(path).status_code == 404
    assert admin.get(f"{path}/archive").location == path
    assert "Nobody has seen it" in text_of(admin.get(f"{drafted(admin)}/archive"))


def test_what_was_archived_is_not_published(pages_app: Flask, admin: Visitor) -> None:
    path = drafted(admin)
    seen = hidden(admin.get(f"{path}/publish").text, "seen")
    press_archive(admin, path)
    for when, publish_at in CHOICES:
        assert admin.post(f"{path}/publish", seen=seen, when=when, publish_at=publish_at).location == path
        assert "It had been archived before." in text_of(admin.get(path))
    assert walks(pages_app) == 0
    assert admin.get(f"{path}/publish").location == path


def test_every_page_of_an_author_speaks_japanese_too(pages_app: Flask, admin: Visitor) -> None:
    assert admin.account_id is not None
    path, draft = published(admin, **BOTH), drafted(admin)
    japanese = Visitor(pages_app, admin.account_id, "ja")
    said = {
        "/announcements": "お知らせを作成", path: "操作の記録", draft: "届く人", f"{draft}/publish": "公開しますか",
        f"{path}/archive": "取り下げますか", f"{path}/edit": "既読のものは既読のまま",
        "/announcements/new": "下書きを保存する",
    }  # fmt: skip
    for address, words in said.items():
        assert words in text_of(japanese.get(address)), address
