"""What pages are told of bulk retries, on both databases."""

from datetime import timedelta

import pytest
import time_machine
from flask import Flask

from app.operations.bulk_listing import (
    BulkLine,
    Outcome,
    bulk_retries,
    get_bulk_retry,
    items,
    lasting,
    outcomes,
)  # fmt: skip
from app.operations.deletion import delete_account
from app.outbox.models import Delivery
from app.outbox.state import State
from app.transaction import writing
from tests.factories import change, make_account
from tests.operations.bulks import admin, begin, failed, many_failed, picked, released, stopped
from tests.plans import hearing, plan_of


def line_of(bulk_id: int) -> BulkLine:
    found = get_bulk_retry(bulk_id)
    assert found is not None
    return found


@pytest.fixture
def mixed(ledger: Flask, clock: time_machine.Traveller) -> tuple[int, dict[Outcome, list[int]]]:
    """A bulk retry of which something has come to every outcome; and the deliveries of each."""
    moved_on, *mine = failed(8)
    bulk_id = begin(picked(moved_on, *mine))
    change(Delivery, moved_on, state=State.SENT)
    clock.shift(6)
    released(bulk_id)
    sent, canceled, again, pending, queued, sending, waiting = mine
    for one, state in ((sent, State.SENT), (canceled, State.CANCELED), (again, State.FAILED)):
        change(Delivery, one, state=state)
    for one, state in ((queued, State.QUEUED), (sending, State.SENDING)):
        change(Delivery, one, state=state)
    return bulk_id, {
        Outcome.SKIPPED: [moved_on], Outcome.SENT: [sent], Outcome.CANCELED: [canceled], Outcome.FAILED: [again],
        Outcome.UNDER_WAY: [pending, queued, sending], Outcome.WAITING: [waiting],
    }  # fmt: skip


def test_every_delivery_is_counted_by_what_became_of_it(mixed: tuple[int, dict[Outcome, list[int]]]) -> None:
    bulk_id, expected = mixed
    assert outcomes(line_of(bulk_id)) == {outcome: len(ids) for outcome, ids in expected.items()}


def test_each_outcome_has_its_list(mixed: tuple[int, dict[Outcome, list[int]]]) -> None:
    bulk_id, expected = mixed
    for outcome, ids in expected.items():
        found = items(bulk_id, outcome, None, 50)
        assert [(one.delivery.id, one.outcome) for one in found.lines] == [(one, outcome) for one in ids]
    assert len(items(bulk_id, None, None, 50).lines) == 8


def test_the_pages_of_a_list_neither_skip_nor_repeat(ledger: Flask) -> None:
    mine = many_failed(7)
    bulk_id, after, seen = begin(), None, list[int]()
    for _ in range(4):
        page = items(bulk_id, Outcome.WAITING, after, 2)
        seen += [one.delivery.id for one in page.lines]
        after = page.next
    assert (seen, after) == (mine, None)


def test_all_of_them_stand_in_a_list_the_newest_first(ledger: Flask) -> None:
    made = [begin(picked(*failed())) for _ in range(3)]
    page = bulk_retries(None, 2)
    assert ([one.id for one in page.lines], page.next) == (made[:0:-1], made[1])
    rest = bulk_retries(page.next, 2)
    assert ([one.id for one in rest.lines], rest.next) == ([made[0]], None)


def test_of_somebody_who_was_deleted_no_name_stays(ledger: Flask) -> None:
    failed()
    who, other = admin("青木 葵"), admin("西 薫")
    bulk_id = begin(by=who)
    stopped(bulk_id, who)
    make_account("admin", password="so that somebody is left who can sign in")
    with writing() as tx:
        delete_account(tx, other.actor, who.id)
    line = line_of(bulk_id)
    assert (line.made_by, line.stopped_by) == ("(deleted account)", "(deleted account)")


def test_what_there_is_not_is_none(ledger: Flask) -> None:
    assert get_bulk_retry(1) is None


@pytest.mark.parametrize(("number", "rate", "seconds"), [(0, 60, 1), (1, 1800, 1), (60, 60, 60), (1284, 300, 257)])
def test_how_long_it_takes_is_said_in_whole_seconds(number: int, rate: int, seconds: int) -> None:
    assert lasting(number, rate) == timedelta(seconds=seconds)


def test_what_waits_is_found_by_an_index(ledger: Flask) -> None:
    many_failed(300)
    bulk_id = begin()
    with hearing() as asked:
        released(bulk_id)
    for statement, parameters in asked:
        if "bulk_retry_item" in statement and ledger.config["SQLALCHEMY_DATABASE_URI"].startswith("sqlite"):
            plan = plan_of(statement, parameters)
            assert "SCAN" not in plan, plan
            assert "TEMP B-TREE" not in plan, plan
