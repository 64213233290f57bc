"""Publishing: once, now or at its time, and never to nobody."""

from datetime import datetime

import pytest
from flask import Flask

from app import audit
from app.accounts.models import Account
from app.clock import now
from app.faults import InvalidInput
from app.kinds import Reader
from app.sources.announcements.audience import listeners
from app.sources.announcements.fan_out import announce
from app.sources.announcements.listing import announcements, announcements_for, get_announcement, get_announcement_for
from app.sources.announcements.models import Announcement, Audience, Phase
from app.sources.announcements.progress import progress_of
from app.sources.announcements.publish import (
    ChangedMeanwhileError,
    keep_as_draft,
    publish,
    publish_later,
)  # fmt: skip
from app.transaction import writing
from tests.factories import change, make_account, make_tutor, soon
from tests.fixtures.background import later
from tests.inbox.inboxes import chosen, make_device
from tests.racing import race
from tests.sources.announcements.announced import JA, archived, author, fields, published, tell_everybody, told, written


def published_at(announcement_id: int) -> datetime | None:
    """When this one was published."""
    line = get_announcement(announcement_id)
    return line.published_at if line else None


def test_published_twice_it_is_told_once(app: Flask) -> None:
    who = author()
    announcement_id = published(who)
    with writing() as tx:
        assert not publish(tx, who, announcement_id, 1)
    tell_everybody()
    assert told() == [who.id]


def test_of_two_tabs_at_once_one_publishes(app: Flask) -> None:
    who = author()
    announcement_id = written(who)
    done: list[bool] = []
    race(
        app,
        lambda tx: done.append(publish(tx, who, announcement_id, 1)),
        lambda tx: done.append(publish(tx, who, announcement_id, 1)),
    )
    tell_everybody()
    assert (done, told()) == ([True, False], [who.id])


def test_at_its_time_the_scan_publishes_it(app: Flask) -> None:
    who = author()
    announcement_id = written(who)
    with writing() as tx:
        publish_later(tx, who, announcement_id, 1, soon(minutes=60))
    assert announce()["published"] == 0
    with later(minutes=61):
        assert announce()["published"] == 1
        assert announce()["published"] == 0
    line = get_announcement(announcement_id)
    assert line is not None
    assert (line.phase, line.publish_at) == (Phase.PUBLISHED, None)
    assert told() == [who.id]
    acts = [(entry.act, entry.who) for entry in audit.entries("announcement", announcement_id)]
    assert acts == [("add", "管理"), ("schedule", "管理"), ("publish", "the clock")]


def test_what_was_taken_back_is_not_published_at_its_time(app: Flask) -> None:
    who = author()
    announcement_id = written(who)
    with writing() as tx:
        publish_later(tx, who, announcement_id, 1, soon(minutes=60))
        assert keep_as_draft(tx, who, announcement_id)
        assert not keep_as_draft(tx, who, announcement_id)
    with pytest.raises(ChangedMeanwhileError), writing() as tx:
        publish_later(tx, who, announcement_id, 1, soon(minutes=90))
    discarded = written(who)
    with writing() as tx:
        publish_later(tx, who, discarded, 1, soon(minutes=60))
        archived(tx, who, discarded)
    with later(minutes=61):
        assert announce()["published"] == 0


def test_a_time_that_has_passed_is_refused(app: Flask) -> None:
    who = author()
    announcement_id = written(who)
    with pytest.raises(InvalidInput) as refused, writing() as tx:
        publish_later(tx, who, announcement_id, 1, now())
    assert [fault.field for fault in refused.value.faults] == ["publish_at"]
    line = get_announcement(announcement_id)
    assert line is not None
    assert line.publish_at is None


def test_to_nobody_it_is_not_published(app: Flask) -> None:
    who = author()
    change(Account, make_account(), active=False)
    for nobody in (fields(audience=Audience.MEMBERS), fields(texts={"en": JA})):
        announcement_id = written(who, nobody)
        for act in (
            lambda tx, one=announcement_id: publish(tx, who, one, 1),
            lambda tx, one=announcement_id: publish_later(tx, who, one, 1, soon(minutes=60)),
        ):
            with pytest.raises(InvalidInput) as refused, writing() as tx:
                act(tx)
            assert [fault.field for fault in refused.value.faults] == ["audience"]


def test_what_is_archived_is_published_no_more(app: Flask) -> None:
    who = author()
    announcement_id = written(who)
    with writing() as tx:
        archived(tx, who, announcement_id)
    with pytest.raises(ChangedMeanwhileError), writing() as tx:
        publish(tx, who, announcement_id, 1)
    with pytest.raises(ChangedMeanwhileError), writing() as tx:
        publish_later(tx, who, announcement_id, 1, soon(minutes=60))


def test_the_list_begins_with_what_was_published_last_and_goes_on_where_it_ended(app: Flask) -> None:
    who = author()
    drafts = [written(who) for _ in range(5)]
    for one in (2, 0, 4, 1, 3):
        with writing() as tx:
            publish(tx, who, drafts[one], 1)
    change(Announcement, drafts[1], published_at=published_at(drafts[3]))
    reader, shown, after = Reader(who.id, who.role), list[int](), None
    for _ in range(3):
        page = announcements_for(reader, after, 2)
        shown += [drafts.index(line.id) for line in page.lines]
        after = page.next
    assert (shown, after) == ([3, 1, 4, 0, 2], None)
    assert [line.id for line in announcements(Phase.PUBLISHED, None, 9).lines] == [drafts[one] for one in shown]


def test_only_its_audience_may_read_it_and_only_while_it_is_published(app: Flask) -> None:
    who, staff, member = author(), make_account("staff"), make_account()
    announcement_id = written(who, fields(audience=Audience.STAFF))
    readers = {"admin": who.id, "staff": staff, "member": member}

    def seen() -> list[str]:
        return [role for role, one in readers.items() if get_announcement_for(Reader(one, role), announcement_id)]

    assert seen() == []
    with writing() as tx:
        publish(tx, who, announcement_id, 1)
    assert seen() == ["admin", "staff"]
    with writing() as tx:
        archived(tx, who, announcement_id)
    assert seen() == []


def test_who_would_be_told_is_counted_as_they_then_are(app: Flask) -> None:
    who = author()
    member, abroad, tutor = make_account(), make_account(language="en"), make_tutor()
    make_device(member, language="ja")
    make_device(member, language="ja")
    make_device(abroad, language="ja")
    make_device(abroad, language="en")
    make_device(tutor)
    chosen(tutor, "announcements", "web_push", False)
    chosen(tutor, "announcements", "line", True)
    for what in (fields(), fields(texts={"ja": JA}), fields(texts={"ja": JA}, fallback="ja"),
                 fields(audience=Audience.MEMBERS), fields(audience=Audience.STAFF)):  # fmt: skip
        would = listeners(what)
        announcement_id = published(who, what)
        tell_everybody()
        progress = progress_of(announcement_id)
        assert progress is not None
        assert (would.people, would.devices + would.on_line) == (progress.notified, progress.made)
    everyone, in_japanese = listeners(fields()), listeners(fields(texts={"ja": JA}))
    assert (everyone.people, everyone.pushed, everyone.devices, everyone.on_line) == (4, 2, 4, 1)
    assert (in_japanese.people, in_japanese.pushed, in_japanese.devices, in_japanese.on_line) == (4, 2, 3, 1)
