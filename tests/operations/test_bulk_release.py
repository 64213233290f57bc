"""Releasing what waits in bulk retries, at the rate that was chosen, each as an ordinary retry."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from flask import Flask

from app.accounts.known import hold_alone
from app.audit import Actor, entries
from app.clock import now
from app.operations import access, bulk, deliveries
from app.operations.bulk_plan import Skip
from app.operations.bulk_release import MOST_AT_ONCE, release, release_waiting
from app.operations.deletion import delete_account
from app.outbox.models import Delivery
from app.outbox.state import State, Trigger
from app.transaction import Transaction, writing
from tests.factories import change, delivery, make_account
from tests.operations.bulks import admin, begin, change_all, failed, items, many_failed, picked, released, row, tally
from tests.outbox.ledger import KEY, quietly
from tests.plans import hearing
from tests.racing import race


def demote(tx: Transaction, actor: Actor, account_id: int) -> None:
    access.set_role(tx, actor, account_id, "staff")


def test_each_is_an_ordinary_retry_by_who_wanted_it(ledger: Flask, clock: time_machine.Traveller) -> None:
    (mine,) = failed(1, attempts=6, round_attempts=6, dead_letter=True, failure_code="LINE_TIMEOUT")
    who = admin("青木 葵")
    bulk_id = begin(by=who)
    clock.shift(1)
    with writing() as tx:
        assert release(tx, bulk_id) == {"retried": 1, "passed_over": 0}
        assert tx.enqueued == [("probe", mine)]
        tx.enqueued.clear()
    now_is = delivery(mine)
    assert (now_is.state, now_is.attempts, now_is.round_attempts) == (State.PENDING, 6, 0)
    assert (now_is.next_trigger, now_is.dead_letter) == (Trigger.MANUAL, False)
    (noted,) = entries("delivery", mine)
    assert (noted.act, noted.actor_id, noted.actor_name) == ("retry", who.id, "青木 葵")
    facts = {"state": "failed", "code": "LINE_TIMEOUT", "new_key": False, "may_double": False}
    assert noted.detail == facts | {"bulk_retry": bulk_id}
    assert row(bulk_id).finished_at == now()


@pytest.mark.parametrize(("rate", "seconds", "number"), [(60, 1, 1), (60, 2.5, 2), (300, 1, 5), (1800, 2, 60)])
def test_as_many_are_released_as_the_rate_allows(
    ledger: Flask, clock: time_machine.Traveller, rate: int, seconds: float, number: int
) -> None:
    many_failed(100)
    bulk_id = begin(rate=rate)
    assert released(bulk_id)["retried"] == 0
    clock.shift(seconds)
    assert released(bulk_id)["retried"] == number
    assert released(bulk_id)["retried"] == 0


def test_over_a_minute_of_uneven_runs_the_rate_holds(ledger: Flask, clock: time_machine.Traveller) -> None:
    many_failed(120)
    bulk_id = begin(rate=60)
    for seconds in (0.3, 0.9, 1.7, 4.6, 0.1, 11.4, 30, 11):
        clock.shift(seconds)
        released(bulk_id)
    assert tally(bulk_id) == {"released": 60, "waiting": 60}


def test_a_run_that_comes_late_makes_up_for_one_minute_alone(ledger: Flask, clock: time_machine.Traveller) -> None:
    many_failed(200)
    bulk_id = begin(rate=60)
    clock.shift(timedelta(hours=1))
    assert released(bulk_id)["retried"] == 60
    clock.shift(1)
    assert released(bulk_id)["retried"] == 1


def test_one_transaction_takes_so_many_at_most(ledger: Flask, clock: time_machine.Traveller) -> None:
    many_failed(2 * MOST_AT_ONCE + 50)
    bulk_id = begin(rate=1800)
    clock.shift(60)
    assert released(bulk_id)["retried"] == MOST_AT_ONCE
    assert release_waiting() == {"retried": MOST_AT_ONCE + 50, "passed_over": 0}


@pytest.mark.parametrize(("back", "then"), [(5, 0), (3600, 2)], ids=["a little", "far"])
def test_a_clock_that_is_behind_releases_nothing_twice_and_one_that_was_set_back_stops_nothing(
    ledger: Flask, clock: time_machine.Traveller, back: float, then: int
) -> None:
    many_failed(10)
    bulk_id = begin()
    clock.shift(-back)
    assert released(bulk_id)["retried"] == 0
    clock.shift(2)
    assert released(bulk_id)["retried"] == then


def test_what_moved_on_is_skipped_with_the_state_in_which_it_is_found(
    ledger: Flask, clock: time_machine.Traveller
) -> None:
    mine = failed(len(State))
    bulk_id = begin()
    for one, state in zip(mine, State, strict=True):
        change(Delivery, one, state=state, attempts=2)
    clock.shift(60)
    assert released(bulk_id) == {"retried": 0, "passed_over": len(State)}
    assert items(bulk_id) == {one: ("skipped", state) for one, state in zip(mine, State, strict=True)}
    assert {delivery(one).attempts for one in mine} == {2}
    assert (row(bulk_id).skipped, row(bulk_id).finished_at) == (len(State), now())


def test_what_is_skipped_does_not_use_up_the_rate(ledger: Flask, clock: time_machine.Traveller) -> None:
    gone, *others = failed(3)
    bulk_id = begin()
    change(Delivery, gone, state=State.SENT)
    clock.shift(2)
    assert released(bulk_id) == {"retried": 2, "passed_over": 1}
    assert {delivery(one).state for one in others} == {State.PENDING}


def test_however_many_are_skipped_what_is_to_be_retried_waits_for_the_rate_alone(
    ledger: Flask, clock: time_machine.Traveller
) -> None:
    gone, others = many_failed(2 * MOST_AT_ONCE + 50), failed(2)
    bulk_id = begin(rate=60)
    change_all(gone, state=State.SENT)
    clock.shift(1)
    assert release_waiting() == {"retried": 1, "passed_over": len(gone)}
    assert tally(bulk_id) == {"skipped": len(gone), "released": 1, "waiting": 1}
    assert [delivery(one).state for one in others] == [State.PENDING, State.FAILED]


@pytest.mark.parametrize("loses_it", [access.suspend, demote, delete_account])
def test_it_ends_by_itself_when_whoever_wanted_it_may_retry_nothing_any_more(
    ledger: Flask, clock: time_machine.Traveller, loses_it: Callable[[Transaction, Actor, int], object]
) -> None:
    first, *others = failed(3)
    who, other = admin(), admin()
    make_account("admin", password="so that somebody is left who can sign in")
    bulk_id = begin(by=who)
    clock.shift(1)
    released(bulk_id)
    with writing() as tx:
        loses_it(tx, other.actor, who.id)
    clock.shift(60)
    assert release_waiting() == {"retried": 0, "passed_over": 0}
    assert items(bulk_id) == {first: ("released", None)} | dict.fromkeys(others, ("skipped", Skip.STOPPED))
    over = row(bulk_id)
    assert (over.stopped_at, over.stopped_by, over.skipped) == (over.finished_at, None, 2)
    assert over.finished_at is not None
    assert {delivery(one).state for one in others} == {State.FAILED}
    assert [noted.who for noted in entries("bulk_retry", bulk_id) if noted.act == "stop_bulk_retry"] == ["the clock"]


def test_a_key_that_grows_too_old_while_it_waits_is_decided_about_then(
    ledger: Flask, clock: time_machine.Traveller
) -> None:
    nearly = {"retry_key": KEY, "retry_key_used_at": now() - timedelta(hours=23, minutes=59)}
    (surely_refused,) = failed(1, **nearly)
    (may_have_arrived,) = failed(1, **nearly, key_ambiguous=True)
    bulk_id = begin()
    clock.shift(60)
    released(bulk_id)
    assert items(bulk_id) == {
        surely_refused: ("released", None), may_have_arrived: ("skipped", Skip.WOULD_DOUBLE),
    }  # fmt: skip
    assert delivery(surely_refused).retry_key is None
    assert delivery(may_have_arrived).retry_key == KEY
    (noted,) = entries("delivery", surely_refused)
    assert (noted.detail["new_key"], noted.detail["may_double"]) == (True, False)


def test_a_second_copy_that_somebody_said_yes_to_is_written_down(ledger: Flask, clock: time_machine.Traveller) -> None:
    old = {"retry_key": KEY, "retry_key_used_at": now() - timedelta(days=2), "key_ambiguous": True}
    (mine,) = failed(1, **old)
    bulk_id = begin(with_doubles=True)
    clock.shift(1)
    released(bulk_id)
    (noted,) = entries("delivery", mine)
    assert (noted.detail["new_key"], noted.detail["may_double"]) == (True, True)
    assert delivery(mine).retry_key is None


def test_a_key_that_line_remembers_is_kept(ledger: Flask, clock: time_machine.Traveller) -> None:
    (mine,) = failed(1, retry_key=KEY, retry_key_used_at=now(), key_ambiguous=True, frozen_request=b"x")
    bulk_id = begin()
    clock.shift(1)
    released(bulk_id)
    assert (delivery(mine).retry_key, delivery(mine).frozen_request) == (KEY, b"x")


def test_while_something_waits_each_run_wakes_the_next(ledger: Flask, clock: time_machine.Traveller) -> None:
    failed(2)
    bulk_id = begin()
    with quietly() as tx:
        release(tx, bulk_id)
        assert tx.woken == {bulk.SCAN}
    clock.shift(60)
    with quietly() as tx:
        release(tx, bulk_id)
        assert tx.woken == set()


def test_the_scan_releases_of_every_bulk_retry(ledger: Flask, clock: time_machine.Traveller) -> None:
    first, second, third = failed(3)
    begun = [begin(picked(first, second)), begin(picked(third))]
    clock.shift(1)
    assert release_waiting() == {"retried": 2, "passed_over": 0}
    assert [tally(one) for one in begun] == [{"released": 1, "waiting": 1}, {"released": 1}]
    assert release_waiting() == {"retried": 0, "passed_over": 0}


def test_the_statements_of_a_release_do_not_grow_with_what_it_releases(
    ledger: Flask, clock: time_machine.Traveller
) -> None:
    many_failed(100)
    bulk_id, heard = begin(rate=1800), []
    for seconds in (0.1, 2):  # three, and sixty
        clock.shift(seconds)
        with hearing("INSERT", "UPDATE") as asked:
            released(bulk_id)
        heard.append(len(asked))
    assert heard[0] == heard[1]


def test_of_two_runs_at_once_one_releases(ledger: Flask, clock: time_machine.Traveller) -> None:
    failed(3)
    bulk_id = begin()
    clock.shift(2)
    with writing() as tx:
        assert release(tx, bulk_id)["retried"] == 2
        tx.enqueued.clear()
        tx.woken.clear()
        if tx.session.get_bind().dialect.name == "postgresql":  # SQLite lets one in after the other
            with ledger.app_context():
                assert released(bulk_id) == {}
    assert released(bulk_id)["retried"] == 0
    assert tally(bulk_id) == {"released": 2, "waiting": 1}


def test_who_stops_while_some_are_released_stops_the_others(ledger: Flask, clock: time_machine.Traveller) -> None:
    failed(3)
    bulk_id, who = begin(), admin()
    clock.shift(1)

    def some(tx: Transaction) -> None:
        release(tx, bulk_id)
        tx.enqueued.clear()

    race(ledger, some, lambda tx: bulk.stop(tx, who, bulk_id))
    assert tally(bulk_id) == {"released": 1, "skipped": 2}
    assert (row(bulk_id).released, row(bulk_id).skipped) == (1, 2)


def test_whoever_deletes_the_account_of_who_wanted_it_waits_for_no_release_that_waits_for_them(
    ledger: Flask, clock: time_machine.Traveller
) -> None:
    (mine,), who, other = failed(), admin(), admin()
    make_account("admin", password="so that somebody is left who can sign in")
    change(Delivery, mine, account_id=who.id)
    bulk_id = begin(by=who)
    clock.shift(1)

    def some(tx: Transaction) -> None:
        release(tx, bulk_id)
        tx.enqueued.clear()

    def erase(tx: Transaction) -> None:
        delete_account(tx, other.actor, who.id)

    race(ledger, lambda tx: hold_alone(tx, who.id), some, erase)
    assert items(bulk_id) == {mine: ("skipped", Skip.STOPPED)}


def test_a_single_retry_that_comes_first_is_not_done_again(ledger: Flask, clock: time_machine.Traveller) -> None:
    mine, other = failed(2)
    bulk_id, who = begin(), admin()
    clock.shift(5)
    with quietly() as tx:
        deliveries.retry(tx, who.actor, mine, confirmed=False, seen_attempts=1)
    released(bulk_id)
    assert items(bulk_id) == {mine: ("skipped", State.PENDING), other: ("released", None)}
    assert len(entries("delivery", mine)) == 1
