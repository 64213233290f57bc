"""Freezing a set of failed deliveries, and stopping its release."""

from dataclasses import replace
from datetime import timedelta

import pytest
import time_machine
from flask import Flask
from sqlalchemy import func, select

from app.audit import entries
from app.clock import now
from app.extensions import db
from app.faults import InvalidInput
from app.operations import bulk
from app.operations.bulk import NothingToRetryError
from app.operations.bulk_models import BulkRetry
from app.operations.bulk_plan import Skip
from app.outbox.state import State
from app.transaction import writing
from tests.factories import delivery
from tests.operations.bulks import (
    admin,
    all_failed,
    begin,
    failed,
    items,
    many_failed,
    picked,
    released,
    row,
    stopped,
    tally,
    wanted,
)  # fmt: skip
from tests.outbox.ledger import KEY, place
from tests.plans import hearing
from tests.racing import race

OLD = {"retry_key": KEY, "key_ambiguous": True}


def how_many() -> int | None:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(BulkRetry))


def test_the_set_is_what_had_failed_and_nothing_moves_yet(ledger: Flask) -> None:
    mine = failed(3)
    place(State.SENT)
    bulk_id = begin(rate=300, why="LINE is well again", asked={"state": "failed"})
    failed(1)
    assert items(bulk_id) == dict.fromkeys(mine, ("waiting", None))
    made = row(bulk_id)
    assert (made.total, made.released, made.skipped, made.finished_at) == (3, 0, 0, None)
    assert (made.rate, made.why, made.asked) == (300, "LINE is well again", {"state": "failed"})
    assert {delivery(one).state for one in mine} == {State.FAILED}


def test_it_is_written_down_once_who_began_it_and_how(ledger: Flask) -> None:
    failed(2)
    bulk_id = begin(by=admin("青木 葵"), why="so")
    (noted,) = entries("bulk_retry", bulk_id)
    assert (noted.act, noted.actor_name) == ("begin_bulk_retry", "青木 葵")
    assert noted.detail == {"total": 2, "rate": 60, "with_doubles": False, "why": "so"}


def test_a_form_that_is_sent_twice_makes_one(ledger: Flask) -> None:
    failed(2)
    who, selection = admin(), all_failed()
    first = begin(selection, by=who, form="form")
    assert begin(selection, by=who, form="form") == first
    assert how_many() == 1
    assert len(entries("bulk_retry", first)) == 1


def test_a_form_that_is_sent_again_with_something_else_in_it_is_refused(ledger: Flask) -> None:
    failed(2)
    who, selection = admin(), all_failed()
    begin(selection, by=who, form="form")
    with pytest.raises(InvalidInput, match="request_id"):
        begin(selection, by=who, form="form", rate=300)


def test_what_could_arrive_twice_is_left_out_unless_somebody_says_yes(ledger: Flask) -> None:
    (old,) = failed(1, **OLD, retry_key_used_at=now() - timedelta(days=2))
    (other,) = failed(1)
    assert items(begin()) == {old: ("skipped", Skip.WOULD_DOUBLE), other: ("waiting", None)}
    assert items(begin(picked(old), with_doubles=True)) == {old: ("waiting", None)}


def test_of_those_that_were_ticked_it_is_noted_what_each_was_found_as(ledger: Flask) -> None:
    (mine,), sent, waiting = failed(1), place(State.SENT), place(State.RETRY)
    found = items(begin(picked(mine, sent, waiting)))
    assert found == {mine: ("waiting", None), sent: ("skipped", "sent"), waiting: ("skipped", "retry")}


def test_no_delivery_waits_in_two(ledger: Flask) -> None:
    first, second = failed(2)
    begin(picked(first))
    assert items(begin()) == {first: ("skipped", Skip.WAITS_ELSEWHERE), second: ("waiting", None)}


def test_two_who_begin_at_once_share_the_deliveries_between_them(ledger: Flask) -> None:
    mine = failed(5)
    one, other = admin(), admin()
    made = list[int]()
    race(
        ledger,
        lambda tx: made.append(bulk.begin(tx, one, "a", wanted(picked(*mine[:3])))),
        lambda tx: made.append(bulk.begin(tx, other, "b", wanted(picked(*mine)))),
    )
    waiting = [one for bulk_id in made for one, (state, _why) in items(bulk_id).items() if state == "waiting"]
    assert sorted(waiting) == mine
    assert [tally(bulk_id)["waiting"] for bulk_id in made] == [3, 2]
    assert [(row(bulk_id).total, row(bulk_id).skipped) for bulk_id in made] == [(3, 0), (5, 3)]
    assert {why for _state, why in items(made[1]).values()} == {None, Skip.WAITS_ELSEWHERE}


@pytest.mark.parametrize("state", [state for state in State if state is not State.FAILED])
def test_where_nothing_can_be_retried_nothing_is_made(ledger: Flask, state: State) -> None:
    moved_on = place(state)
    for selection in (picked(moved_on), all_failed(), picked(404)):
        with pytest.raises(NothingToRetryError):
            begin(selection)
    assert how_many() == 0


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("rate", {"rate": 61}),
        ("why", {"why": "x" * 301}),
        ("why", {"why": "\x00"}),
    ],
)
def test_what_makes_no_sense_is_refused(ledger: Flask, field: str, changes: dict[str, object]) -> None:
    failed()
    with pytest.raises(InvalidInput, match=field), writing() as tx:
        bulk.begin(tx, admin(), "form", replace(wanted(), **changes))  # type: ignore[arg-type]
    assert how_many() == 0


def test_only_so_many_can_be_ticked() -> None:
    with pytest.raises(InvalidInput, match="ids"):
        picked(*range(201))


def test_stopped_it_retries_nothing_more_and_says_of_each_why(ledger: Flask, clock: time_machine.Traveller) -> None:
    first, *others = failed(3)
    bulk_id = begin()
    clock.shift(1)
    assert released(bulk_id) == {"retried": 1, "passed_over": 0}
    who = admin("西 薫")
    assert stopped(bulk_id, who)
    clock.shift(60)
    assert released(bulk_id) == {}
    assert items(bulk_id) == {first: ("released", None)} | dict.fromkeys(others, ("skipped", Skip.STOPPED))
    over = row(bulk_id)
    assert (over.released, over.skipped, over.stopped_by) == (1, 2, who.id)
    assert over.stopped_at == over.finished_at is not None
    assert {delivery(one).state for one in others} == {State.FAILED}
    assert [noted.act for noted in entries("bulk_retry", bulk_id)] == ["begin_bulk_retry", "stop_bulk_retry"]


def test_what_was_stopped_or_is_over_cannot_be_stopped_and_its_deliveries_may_be_retried_anew(ledger: Flask) -> None:
    mine = failed(2)
    bulk_id = begin()
    assert stopped(bulk_id)
    assert not stopped(bulk_id)
    assert not stopped(404)
    assert items(begin()) == dict.fromkeys(mine, ("waiting", None))


def test_the_statements_of_a_beginning_do_not_grow_with_the_set(ledger: Flask) -> None:
    heard = []
    for number in (2, 50):
        many_failed(number)
        who = admin()
        with hearing("INSERT", "UPDATE") as asked:
            begin(by=who)
        heard.append(len(asked))
    assert heard[0] == heard[1]
