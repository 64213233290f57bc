"""What somebody may no longer see neither shows nor counts, and comes back as it was with the right."""

from flask import Flask

from app.accounts.models import Account
from app.inbox.marks import archive, mark_read, restore
from app.inbox.queries import Box, find, unread
from app.kinds import Reader
from app.transaction import writing
from tests.factories import change, make_account
from tests.fakes.inbox_kind import Greeting
from tests.inbox.inboxes import tell, titles


def test_a_lost_right_stops_list_count_search_and_link_at_once(app: Flask, kind: Greeting) -> None:
    reader, newcomer = make_account(), make_account(name="田中")
    (one,) = tell(newcomer, reader)
    look = Reader(reader, "member")
    assert (titles(reader), titles(reader, words="田"), unread(look)) == (["田中"], ["田中"], 1)
    change(Account, newcomer, active=False)
    assert (titles(reader), titles(reader, words="田"), unread(look)) == ([], [], 0)
    assert find(look, one, "en") is None
    with writing() as tx:
        assert mark_read(tx, reader, [one]) == []
    change(Account, newcomer, active=True)
    assert (titles(reader), unread(look)) == (["田中"], 1)


def test_reading_is_noted_once_and_only_by_its_reader(app: Flask, kind: Greeting) -> None:
    reader, other, newcomer = make_account(), make_account(), make_account()
    (one,) = tell(newcomer, reader)
    with writing() as tx:
        assert mark_read(tx, other, [one]) == []
        assert mark_read(tx, reader, [one]) == [one]
        assert mark_read(tx, reader, [one]) == []
    assert titles(reader, Box.UNREAD) == []
    assert len(titles(reader)) == 1


def test_what_was_archived_can_be_brought_back(app: Flask, kind: Greeting) -> None:
    reader, newcomer = make_account(), make_account(name="田中")
    (one,) = tell(newcomer, reader)
    with writing() as tx:
        archive(tx, reader, [one])
    assert (titles(reader), titles(reader, Box.ARCHIVED)) == ([], ["田中"])
    with writing() as tx:
        restore(tx, reader, [one])
    assert (titles(reader), titles(reader, Box.ARCHIVED)) == (["田中"], [])
