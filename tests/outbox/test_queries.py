"""What the ledger is asked: what is due, what the queue lost, and what a page shows."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import time_machine
from flask import Flask
from sqlalchemy import event

from app.clock import now
from app.codes import CancelReason, FailureCode
from app.extensions import db
from app.outbox import listing, queries, transitions
from app.outbox.listing import Filter
from app.outbox.queries import DueRow, batches
from app.outbox.state import State
from app.place import Place
from tests.factories import make_tutor, owe
from tests.outbox.ledger import MINUTE, begun, claimed, owing, place, quietly


def test_due_is_what_is_owed_now_or_was_refused_by_the_queue(ledger: Flask) -> None:
    due = [
        place(State.PENDING),
        place(State.PENDING, next_attempt_at=now()),
        place(State.PENDING, next_attempt_at=now() + MINUTE, failure_code=FailureCode.QUEUE_ENQUEUE_FAILED),
        place(State.RETRY),
        place(State.RETRY, next_attempt_at=now() - MINUTE),
    ]
    place(State.PENDING, next_attempt_at=now() + MINUTE)
    place(State.RETRY, next_attempt_at=now() + MINUTE)
    for state in (State.QUEUED, State.SENDING, State.SENT, State.CANCELED, State.FAILED):
        place(state)
    place(State.PENDING, kind="another")
    assert queries.due(["probe"], 100) == [DueRow(delivery_id, "probe", alone=False) for delivery_id in due]
    assert [row.id for row in queries.due(["probe"], 2)] == due[:2]


def test_due_of_several_kinds_is_oldest_first_whatever_their_names(ledger: Flask) -> None:
    due = [place(State.PENDING, kind=kind) for kind in ("b", "a", "c", "a", "b")]
    assert [row.id for row in queries.due(["a", "b", "c"], 4)] == due[:4]
    assert queries.due([], 4) == []


def test_a_row_taken_back_before_travels_alone(ledger: Flask) -> None:
    place(State.RETRY, rescues=1)
    assert [row.alone for row in queries.due(["probe"], 10)] == [True]


def test_lost_is_what_the_queue_had_before_a_time_and_only_of_these_kinds(ledger: Flask) -> None:
    older = place(State.QUEUED, queued_at=now() - 3 * MINUTE)
    old = place(State.QUEUED, queued_at=now() - 2 * MINUTE, rescues=1)
    place(State.QUEUED, queued_at=now() - MINUTE)
    place(State.PENDING, queued_at=now() - 5 * MINUTE)
    place(State.QUEUED, queued_at=now() - 5 * MINUTE, kind="another")
    found = queries.lost(["probe"], now() - MINUTE, 10)
    assert found == [DueRow(older, "probe", alone=False), DueRow(old, "probe", alone=True)]


def test_claimable_is_what_is_due_and_what_waits_in_a_queue_that_is_not_there(ledger: Flask) -> None:
    wanted = [place(State.PENDING), place(State.QUEUED), place(State.RETRY)]
    place(State.PENDING, next_attempt_at=now() + MINUTE)
    place(State.SENDING)
    place(State.QUEUED, kind="another")
    assert [row.id for row in queries.claimable(["probe"], 10)] == wanted


def test_each_kind_has_its_first_batch_before_any_has_its_second() -> None:
    many = [DueRow(number, "many", alone=number == 1) for number in range(1, 6)]
    few = [DueRow(9, "few", alone=False)]
    assert list(batches([*many, *few], 2)) == [("many", [1]), ("few", [9]), ("many", [2, 3]), ("many", [4, 5])]


def test_pages_neither_skip_nor_repeat_rows_that_share_a_timestamp(ledger: Flask) -> None:
    tutor = make_tutor()
    with quietly() as tx:
        owed = [owe(tx, tutor) for _ in range(120)]
    seen, cursor = list[int](), None
    while True:
        page = listing.page(Filter(), cursor, 50)
        seen += [row.id for row in page.rows]
        cursor = page.next
        if cursor is None:
            break
        # What comes in meanwhile stands before the first page, and moves no other.
        owing()
    assert seen == sorted(owed, reverse=True)


def test_a_page_that_is_just_full_is_the_last(ledger: Flask) -> None:
    first, second = owing(), owing()
    page = listing.page(Filter(), None, 2)
    assert ([row.id for row in page.rows], page.next) == ([second, first], None)
    page = listing.page(Filter(), None, 1)
    assert page.next == Place(now(), second)


def test_pages_are_in_the_order_of_time_whatever_the_ids(ledger: Flask, clock: time_machine.Traveller) -> None:
    newer, older, same = owing(), place(State.SENT, created_at=now() - MINUTE), owing()
    first = listing.page(Filter(), None, 2)
    assert [row.id for row in first.rows] == [same, newer]
    assert [row.id for row in listing.page(Filter(), first.next, 2).rows] == [older]


def test_each_filter_leaves_what_it_names(ledger: Flask) -> None:
    sent = place(State.SENT)
    failed = place(State.FAILED, failure_code=FailureCode.LINE_TIMEOUT, dead_letter=True)
    canceled = place(State.CANCELED, cancel_reason=CancelReason.SHIFT_CHANGED)
    pushed = place(State.SENT, channel="web_push")
    another = place(State.SENT, kind="another")
    old = place(State.SENT, created_at=now() - timedelta(days=2))
    assert _found(Filter()) == {sent, failed, canceled, pushed, another, old}
    assert _found(Filter(state="failed")) == {failed}
    assert _found(Filter(kind="another")) == {another}
    assert _found(Filter(channel="web_push")) == {pushed}
    assert _found(Filter(code="LINE_TIMEOUT")) == {failed}
    assert _found(Filter(code="shift_changed")) == {canceled}
    assert _found(Filter(dead_letter=True)) == {failed}
    assert _found(Filter(created_before=now())) == {old}
    assert _found(Filter(created_from=now(), state="sent")) == {sent, pushed, another}
    assert _found(Filter(state="failed", channel="web_push")) == set()


def test_a_search_finds_ids_keys_and_parts_of_the_label(ledger: Flask) -> None:
    one = place(State.SENT, address_label="佐藤 Anna", provider_request_id="r-1", retry_key="k-1", dedup_key="d-1")
    other = place(State.SENT, address_label="鈴木")
    for words in (str(one), "r-1", "k-1", "d-1", "佐藤", "anna", " 藤 A "):
        assert _found(Filter(search=words)) == {one}, words
    assert _found(Filter(search="鈴")) == {other}
    assert _found(Filter(search="9" * 30)) == set()


def test_a_search_takes_percent_and_underscore_for_what_they_are(ledger: Flask) -> None:
    place(State.SENT, address_label="A class")
    percent, underscore = place(State.SENT, address_label="100%"), place(State.SENT, address_label="a_b\\c")
    assert _found(Filter(search="%")) == {percent}
    assert _found(Filter(search="_")) == {underscore}
    assert _found(Filter(search="\\")) == {underscore}
    assert _found(Filter(search="'; --")) == set()


def test_counts_name_every_state_and_follow_the_filter_but_its_state(ledger: Flask) -> None:
    place(State.SENT)
    place(State.SENT, kind="another")
    place(State.FAILED)
    assert listing.counts() == dict.fromkeys(State, 0) | {State.SENT: 2, State.FAILED: 1}
    assert listing.counts(Filter(kind="probe", state="failed"))[State.SENT] == 1


def test_a_timeline_holds_every_attempt_oldest_first(ledger: Flask, clock: time_machine.Traveller) -> None:
    owed = owing()
    for _ in range(3):
        begun(claimed(owed))
        clock.shift(120)
        with quietly() as tx:
            transitions.rescue(tx, 10)
    assert [attempt.number for attempt in queries.timeline(owed)] == [1, 2, 3]


def test_deliveries_about_subjects_are_found_newest_first(ledger: Flask) -> None:
    first, second, other = owing(subject_id=1), owing(subject_id=1), owing(subject_id=2)
    found = queries.about("probe", [1, 2, 3])
    assert {subject: [row.id for row in rows] for subject, rows in found.items()} == {
        1: [second, first],
        2: [other],
        3: [],
    }


def test_the_oldest_waiting_row_tells_how_long_it_has_been_owed(ledger: Flask, clock: time_machine.Traveller) -> None:
    assert queries.oldest_waiting(State.PENDING) is None
    owing()
    clock.shift(90)
    owing()
    assert queries.oldest_waiting(State.PENDING) == timedelta(seconds=90)


def test_what_the_clock_asks_every_second_reads_only_the_few_rows_that_wait(ledger: Flask) -> None:
    if db.engine.dialect.name == "sqlite":  # PostgreSQL decides by what is in the table
        assert "SEARCH delivery USING INDEX ix_delivery_kind_state" in _plan(lambda: queries.due(["probe"], 1000))
        place(State.RETRY)
        searched = _plan(lambda: queries.due(["probe"], 1000))
        assert "SEARCH delivery USING INDEX ix_delivery_kind_state" in searched
        assert "TEMP B-TREE" not in searched
        assert "SEARCH delivery USING INDEX" in _plan(lambda: queries.lost(["probe"], now(), 1000))


def test_pages_are_read_along_an_index(ledger: Flask) -> None:
    if db.engine.dialect.name == "sqlite":
        cursor = Place(now(), 1)
        assert "ix_delivery_created" in _plan(lambda: listing.page(Filter(), cursor, 50))
        assert "ix_delivery_state_created" in _plan(lambda: listing.page(Filter(state="failed"), cursor, 50))


def _found(wanted: Filter) -> set[int]:
    return {row.id for row in listing.page(wanted, None, 100).rows}


def _plan(ask: Callable[[], object]) -> str:
    """How SQLite means to answer the one statement that `ask` makes."""
    said = list[tuple[str, Any]]()

    def listen(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        said.append((statement, parameters))

    event.listen(db.engine, "before_cursor_execute", listen)
    ask()
    event.remove(db.engine, "before_cursor_execute", listen)
    statement, parameters = said[-1]
    with db.engine.connect() as connection:
        steps = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
    return "\n".join(step[-1] for step in steps)
