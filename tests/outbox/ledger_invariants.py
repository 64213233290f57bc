"""What holds of the ledger after every step, whoever did what in which order."""

from collections import Counter
from typing import Any

from sqlalchemy import select

from app.clock import now
from app.extensions import db
from app.outbox.models import Attempt, Delivery
from app.outbox.moves import REVERSIBLE
from app.outbox.state import AttemptOutcome, State
from tests.outbox.line_model import LineModel

ARROWS = {
    State.PENDING: {State.QUEUED, State.SENDING, State.CANCELED},
    State.QUEUED: {State.SENDING, State.CANCELED},
    State.RETRY: {State.QUEUED, State.SENDING, State.CANCELED},
    State.SENDING: {State.SENT, State.CANCELED, State.RETRY, State.FAILED, State.PENDING},
    State.FAILED: {State.PENDING},
    State.SENT: set[State](),
    State.CANCELED: {State.PENDING},
}
ENDS = {State.SENT, State.CANCELED, State.FAILED}

Row = dict[str, Any]
Snapshot = dict[int, Row]


def snapshot() -> Snapshot:
    """Every delivery, each with its attempts."""
    tries: dict[int, list[Row]] = {}
    for attempt in db.session.execute(select(Attempt.__table__).order_by(Attempt.number)).mappings():
        tries.setdefault(attempt["delivery_id"], []).append(dict(attempt))
    found = db.session.execute(select(Delivery.__table__).order_by(Delivery.id)).mappings().all()
    db.session.close()
    return {row["id"]: dict(row) | {"tries": tries.get(row["id"], [])} for row in found}


def check_moves(before: Snapshot, after: Snapshot, by_operator: bool) -> None:
    """States move along the arrows only; what has ended stays as it ended; tries are never taken back."""
    for delivery_id, then in before.items():
        row = after[delivery_id]
        if row["state"] != then["state"]:
            assert row["state"] in ARROWS[then["state"]], f"{then['state']} → {row['state']}"
            assert then["state"] != State.FAILED or by_operator, "only an operator moves what failed"
            if then["state"] == State.CANCELED:
                assert then["cancel_reason"] in REVERSIBLE, "only what a switch had stopped comes back"
        elif then["state"] in ENDS:
            assert row["finished_at"] == then["finished_at"], "an end has one time"
        assert row["attempts"] >= then["attempts"]


def check_row(row: Row, line: LineModel, confirmed_doubles: int) -> None:
    """What holds of one delivery at any time."""
    _counts(row)
    _waits_or_is_held_or_has_ended(row)
    _is_told_once(row, line, confirmed_doubles)


def _counts(row: Row) -> None:
    assert row["attempts"] == len(row["tries"])
    assert [one["number"] for one in row["tries"]] == list(range(1, row["attempts"] + 1))
    assert row["round_attempts"] <= min(row["attempts"], 3)
    still_open = [one for one in row["tries"] if one["finished_at"] is None]
    assert len(still_open) <= (row["state"] == State.SENDING), "an open try whose delivery nobody holds"
    outcomes = Counter(one["outcome"] for one in row["tries"])
    if row["state"] == State.SENT:
        assert outcomes[AttemptOutcome.ACCEPTED] + outcomes[AttemptOutcome.ALREADY_ACCEPTED] >= 1


def _waits_or_is_held_or_has_ended(row: Row) -> None:
    state = row["state"]
    held = row["lease_token"] is not None and row["lease_until"] is not None
    assert held == (state == State.SENDING)
    assert (row["finished_at"] is not None) == (state in ENDS)
    assert (row["cancel_reason"] is not None) == (state == State.CANCELED)
    if state == State.SENT or (state == State.CANCELED and row["cancel_reason"] not in REVERSIBLE):
        assert row["frozen_request"] is None
        assert row["frozen_note"] is None
    if state == State.QUEUED:
        assert row["queued_at"] is not None
        assert row["queued_at"] <= now()
    if state in ENDS or state in (State.SENDING, State.QUEUED):
        assert row["next_attempt_at"] is None, "only what waits shows a next try"
    if state == State.FAILED:
        assert row["failure_code"] is not None
    if state == State.SENT:
        assert row["failure_code"] is None
    assert not row["dead_letter"] or state == State.FAILED


def _is_told_once(row: Row, line: LineModel, confirmed_doubles: int) -> None:
    copies = line.copies[row["id"]]
    if copies:
        assert any(one["may_have_arrived"] for one in row["tries"]), "LINE has it, and every try says that it has not"
    assert copies <= 1 + confirmed_doubles, f"{copies} copies, {confirmed_doubles} of them agreed to"
    key = row["retry_key"]
    if key is None:
        return
    assert line.copies_by_key[key] <= 1, "two copies under one key"
    if row["state"] == State.SENT:
        assert line.copies_by_key[key] == 1, "sent, but LINE has nothing of it"
    elif row["state"] != State.SENDING and line.copies_by_key[key]:
        assert row["key_ambiguous"], "LINE has it, and the ledger is certain that it has not"
