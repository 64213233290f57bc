"""What may be written into an announcement, once for each form, and never over what somebody else wrote."""

import pytest
from flask import Flask
from sqlalchemy import func, select

from app import audit
from app.extensions import db
from app.faults import InvalidInput
from app.inbox.queries import Box, page
from app.sources.announcements.fields import LONGEST_BODY, LONGEST_TITLE, Fields, Text
from app.sources.announcements.listing import get_announcement
from app.sources.announcements.models import Announcement, Audience
from app.sources.announcements.publish import ChangedMeanwhileError, archive, publish
from app.sources.announcements.write import change, draft
from app.transaction import writing
from tests.sources.announcements.announced import (
    EN,
    JA,
    archived,
    author,
    fields,
    published,
    tell_everybody,
    told,
    written,
)

REFUSED = [
    ({}, None, ["texts"]),
    ({"ja": Text("", "本文だけ")}, None, ["title_ja"]),
    ({"ja": Text("   ", "")}, None, ["title_ja"]),
    ({"ja": Text("題" * (LONGEST_TITLE + 1), "")}, None, ["title_ja"]),
    ({"ja": Text("一行目\n二行目", "")}, None, ["title_ja"]),
    ({"ja": JA, "en": Text("Closed", "x" * (LONGEST_BODY + 1))}, None, ["body_en"]),
    ({"ja": Text("題", "\x00")}, None, ["body_ja"]),
    ({"ja": JA}, "en", ["fallback"]),
    ({"ja": Text("", "a"), "en": Text("", "b")}, None, ["title_ja", "title_en"]),
]


@pytest.mark.parametrize(("texts", "fallback", "wrong"), REFUSED)
def test_what_says_nothing_or_too_much_is_refused_at_its_field(
    app: Flask, texts: dict[str, Text], fallback: str | None, wrong: list[str]
) -> None:
    who = author()
    with pytest.raises(InvalidInput) as refused, writing() as tx:
        draft(tx, who, Fields(texts, fallback, Audience.EVERYONE), "form")
    assert [fault.field for fault in refused.value.faults] == wrong
    assert db.session.scalar(select(func.count()).select_from(Announcement)) == 0


def test_a_title_alone_is_enough(app: Flask) -> None:
    announcement_id = written(author(), fields(texts={"ja": Text("本日休業", "")}))
    line = get_announcement(announcement_id)
    assert line is not None
    assert line.fields.texts == {"ja": Text("本日休業", "")}


def test_a_form_makes_one_announcement(app: Flask) -> None:
    who = author()
    made = set()
    for _ in range(2):
        with writing() as tx:
            made.add(draft(tx, who, fields(), "form"))
    with pytest.raises(InvalidInput) as refused, writing() as tx:
        draft(tx, who, fields(texts={"ja": JA}), "form")
    assert [fault.field for fault in refused.value.faults] == ["request_id"]
    assert len(made) == db.session.scalar(select(func.count()).select_from(Announcement)) == 1


def test_of_two_who_change_the_same_the_second_is_told_so(app: Flask) -> None:
    who, other = author(), author()
    announcement_id = written(who)
    with writing() as tx:
        change(tx, who, announcement_id, fields(texts={"ja": JA}), 1)
    with pytest.raises(ChangedMeanwhileError), writing() as tx:
        change(tx, other, announcement_id, fields(texts={"en": EN}), 1)
    with pytest.raises(ChangedMeanwhileError), writing() as tx:
        publish(tx, other, announcement_id, 1)
    line = get_announcement(announcement_id)
    assert line is not None
    assert (line.fields.texts, line.revision) == ({"ja": JA}, 2)


def test_what_is_archived_is_changed_no_more(app: Flask) -> None:
    who = author()
    announcement_id = published(who)
    with writing() as tx:
        assert archived(tx, who, announcement_id)
        assert not archived(tx, who, announcement_id)
    with pytest.raises(ChangedMeanwhileError), writing() as tx:
        change(tx, who, announcement_id, fields(), 2)


def test_who_meant_to_change_a_draft_does_not_change_what_everybody_sees(app: Flask) -> None:
    who = author()
    announcement_id = published(who)
    with pytest.raises(ChangedMeanwhileError), writing() as tx:
        change(tx, who, announcement_id, fields(texts={"ja": JA}), 1)


def test_changing_what_is_published_tells_nobody_again_unless_that_is_wanted(app: Flask) -> None:
    who = author()
    announcement_id = published(who)
    tell_everybody()
    with writing() as tx:
        change(tx, who, announcement_id, fields(texts={"ja": Text("訂正", "")}, fallback="ja"), 2)
    tell_everybody()
    assert told() == [who.id]
    line = get_announcement(announcement_id)
    assert line is not None
    assert line.edited_at is not None
    with writing() as tx:
        change(tx, who, announcement_id, fields(), 3, anew=True)
    tell_everybody()
    assert told() == [who.id] * 2
    shown = [page(who.reader, box, "", None, 9, "ja").items for box in (Box.UNREAD, Box.ARCHIVED)]
    assert [[item.title for item in items] for items in shown] == [[JA.title], [JA.title]], "the earlier is put away"
    assert [entry.act for entry in audit.entries("announcement", announcement_id)] == [
        "add", "publish", "change", "tell_anew"
    ]  # fmt: skip


def test_a_draft_is_told_when_it_is_published_and_never_before(app: Flask) -> None:
    who = author()
    announcement_id = written(who)
    with writing() as tx:
        change(tx, who, announcement_id, fields(), 1, anew=True)
    tell_everybody()
    assert told() == []
    line = get_announcement(announcement_id)
    assert line is not None
    assert (line.edited_at, line.edition) == (None, 1)


@pytest.mark.parametrize("anew", [False, True])
def test_a_change_that_is_sent_twice_is_made_once(app: Flask, anew: bool) -> None:
    who, other = author(), author()
    announcement_id = published(who)
    for _ in range(2):
        with writing() as tx:
            change(tx, who, announcement_id, fields(texts={"ja": JA}), 2, anew=anew)
    for somebody, what, again in ((other, {"ja": JA}, anew), (who, {"en": EN}, anew), (who, {"ja": JA}, not anew)):
        with pytest.raises(ChangedMeanwhileError), writing() as tx:
            change(tx, somebody, announcement_id, fields(texts=what), 2, anew=again)
    line = get_announcement(announcement_id)
    assert line is not None
    assert (line.revision, line.edition) == (3, 1 + anew)


def test_what_was_published_since_is_not_archived_as_a_draft(app: Flask) -> None:
    who = author()
    announcement_id = published(who)
    with pytest.raises(ChangedMeanwhileError), writing() as tx:
        archive(tx, who, announcement_id, 1)
