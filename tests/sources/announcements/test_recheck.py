"""What was true when everybody was told is asked again right before each push."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from app.accounts.models import Account
from app.engine.deliver import deliver
from app.inbox.queries import Box, page
from app.kinds import Reader
from app.reach.models import Device
from app.sources.announcements.fan_out import announce
from app.sources.announcements.fields import Fields, Text
from app.sources.announcements.listing import get_announcement
from app.sources.announcements.models import Announcement, Audience
from app.sources.announcements.write import change as change_text
from app.transaction import writing
from tests.factories import all_deliveries, change, make_account
from tests.fakes.push import FakePush
from tests.inbox.browsers import KEY
from tests.sources.announcements.announced import EN, JA, archived, author, fields, give_devices, published

TEXTS = {"ja": JA, "en": EN}


class Told:
    """One member, with one device, who was told of one announcement."""

    def __init__(self, push: FakePush, what: Fields | None = None) -> None:
        self.push, self.who, self.member = push, author(), make_account()
        self.browser = push.subscribe(KEY)
        give_devices([self.member], [self.browser])
        self.announcement_id = published(self.who, what)
        announce()

    def edit(self, texts: dict[str, Text], **how: Any) -> None:
        """Its author writes something else."""
        line = get_announcement(self.announcement_id)
        assert line is not None
        with writing() as tx:
            change_text(tx, self.who, self.announcement_id, fields(texts=texts), line.revision, **how)

    def send(self) -> list[str | None]:
        """A worker comes; why each delivery was not sent."""
        deliver("announcement", [one.id for one in all_deliveries()], lambda: False)
        return [one.cancel_reason for one in all_deliveries()]

    @property
    def shown(self) -> list[tuple[str, str]]:
        """Title and text of what the device shows."""
        return [(one["title"], one["body"]) for one in self.push.arrived(self.browser)]


@pytest.fixture
def push(app: Flask) -> Iterator[FakePush]:
    with FakePush() as fake:
        yield fake


def test_the_text_is_the_one_of_now(push: FakePush) -> None:
    told = Told(push)
    told.edit({"ja": Text("訂正", "一日\n\n だけ休みます。")})
    assert told.send() == [None]
    assert told.shown == [("訂正", "一日 だけ休みます。")]


def test_a_long_text_is_cut_for_the_screen(push: FakePush) -> None:
    told = Told(push, fields(texts={"ja": Text("題", "長" * 3000)}))
    told.send()
    assert told.shown == [("題", "長" * 199 + "…")]


def test_archived_meanwhile(push: FakePush) -> None:
    told = Told(push)
    with writing() as tx:
        archived(tx, told.who, told.announcement_id)
    assert (told.send(), told.shown) == (["announcement_archived"], [])


def test_told_anew_meanwhile_only_that_one_arrives(push: FakePush) -> None:
    told = Told(push)
    told.edit({"ja": Text("訂正", "")}, anew=True)
    assert (told.send(), told.shown) == (["announced_anew"], [])
    announce()
    assert (told.send(), told.shown) == (["announced_anew", None], [("訂正", "")])


def test_a_language_that_is_written_no_more(push: FakePush) -> None:
    told = Told(push)
    told.edit({"en": EN})
    assert (told.send(), told.shown) == (["language_missing"], [])


def test_a_device_that_reads_another_language_by_now(push: FakePush) -> None:
    told = Told(push)
    change(Device, 1, language="en")
    assert (told.send(), told.shown) == ([None], [(EN.title, EN.body)])


@pytest.mark.parametrize(
    ("meanwhile", "why"), [({"role": "staff"}, "not_entitled"), ({"active": False}, "recipient_disabled")]
)
def test_who_is_of_the_audience_no_more(push: FakePush, meanwhile: dict[str, Any], why: str) -> None:
    told = Told(push, fields(audience=Audience.MEMBERS))
    change(Account, told.member, **meanwhile)
    assert (told.send(), told.shown) == ([why], [])


def test_an_audience_that_was_narrowed_leaves_the_inboxes_of_the_others(push: FakePush) -> None:
    told = Told(push)

    def titles(language: str) -> list[str]:
        shown = page(Reader(told.member, "member"), Box.ALL, "", None, 10, language)
        return [item.title for item in shown.items]

    assert (titles("ja"), titles("en")) == ([JA.title], [EN.title])
    change(Announcement, told.announcement_id, audience="staff")
    assert titles("ja") == []
    assert told.send() == ["not_entitled"]
    change(Announcement, told.announcement_id, audience="members")
    told.edit({"ja": JA})
    assert titles("en") == [JA.title], "better in a language they do not read than not at all"
