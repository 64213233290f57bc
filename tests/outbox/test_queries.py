"""What the ledger is asked: what is due, what the queue lost, and what a page shows."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import time_machine
from flask import Flask
from sqlalchemy import event

from app.clock import now
from app.codes import FailureCode
from app.extensions import db
from app.outbox import gates, queries, transitions
from app.outbox.queries import DueRow, batches
from app.outbox.state import State
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


def test_the_oldest_that_is_due_and_in_no_queue_tells_how_long_it_has_been_owed(
    ledger: Flask, clock: time_machine.Traveller
) -> None:
    place(State.PENDING, next_attempt_at=now() + timedelta(days=1))
    place(State.QUEUED)
    assert queries.oldest_unqueued() is None
    clock.shift(10)
    place(State.RETRY)
    clock.shift(90)
    owing()
    assert queries.oldest_unqueued() == timedelta(seconds=90)


def test_what_the_clock_asks_every_second_reads_only_the_few_rows_that_wait(ledger: Flask) -> None:
    if db.engine.dialect.name == "sqlite":  # PostgreSQL decides by what is in the table
        assert "SEARCH delivery USING INDEX ix_delivery_kind" in _plan(lambda: queries.due(["probe"], 1000))
        place(State.RETRY)
        searched = _plan(lambda: queries.due(["probe"], 1000))
        assert "SEARCH delivery USING INDEX ix_delivery_kind" in searched
        assert "TEMP B-TREE" not in searched
        assert "SEARCH delivery USING INDEX" in _plan(lambda: queries.lost(["probe"], now(), 1000))


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


def test_a_channel_that_is_paused_holds_back_all_its_hosts_and_nothing_else(ledger: Flask) -> None:
    hosts = [
        place(State.PENDING, channel="web_push", gate_key=f"web_push:{host}") for host in ("a.example", "b.example")
    ]
    line = place(State.PENDING)
    held = [(one, "web_push:a.example") for one in hosts[:1]] + [(line, "line")]
    with quietly() as tx:
        gates.pause(tx, "web_push", "")
        assert [row.id for row in queries.due(["probe"], 10)] == [line]
        assert gates.shut_to(tx, held) == {hosts[0]}
    with quietly() as tx:
        gates.resume(tx, "web_push")
        assert [row.id for row in queries.due(["probe"], 10)] == [*hosts, line]
        assert gates.shut_to(tx, held) == set()
