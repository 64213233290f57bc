"""How the databases go about a ledger in which a whole broadcast waits: never through all that waits."""

import re
from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import update

from app.clock import now
from app.codes import CancelReason
from app.extensions import db
from app.outbox import gates, queries, transitions
from app.outbox.models import Delivery
from app.transaction import Transaction
from benchmarks.filling import filling, instant, put
from tests.outbox.ledger import quietly
from tests.plans import hearing, plan_of

WAIT = 20_000
HELD, LATER = "i % 2 = 0", "i % 10 = 1"
"""Behind a closed gate, and until the morning."""
OWED = [one for one in range(1, 400) if one % 2 and one % 10 != 1]
LIMIT = 100

BY_ID = {"sqlite": "INTEGER PRIMARY KEY", "postgresql": "pk_delivery"}
AT_ADDRESS = dict.fromkeys(BY_ID, "ix_delivery_owed_at")
UNTIL = dict.fromkeys(BY_ID, "ix_delivery_owed_until")
ASKED: dict[str, tuple[dict[str, str], Callable[[Transaction], object]]] = {
    "a claim": (BY_ID, lambda tx: transitions.claim(tx, "probe", OWED[:LIMIT])),
    "whether a claim is worth a wait": (BY_ID, lambda _: queries.any_claimable("probe", OWED[:LIMIT])),
    "a hand-over": (BY_ID, lambda tx: transitions.hand_over(tx, OWED[:LIMIT])),
    "a hand-over again": (BY_ID, lambda tx: transitions.hand_over_again(tx, OWED[:LIMIT], now())),
    "a refusal": (BY_ID, lambda tx: transitions.refuse_hand_over(tx, OWED[:LIMIT])),
    "an end": (BY_ID, lambda tx: transitions.cancel(tx, OWED[:LIMIT], CancelReason.BY_OPERATOR)),
    "devices that are gone": (AT_ADDRESS, lambda _: queries.waiting_at("device", OWED[:5])),
    "what is too late": (UNTIL, transitions.expire),
}
"""By which index each goes, and how it is asked."""
THROUGH = re.compile(r"(SEARCH|SCAN|Scan .*on) delivery\b")


@pytest.fixture
def broadcast(ledger: Flask) -> Flask:
    """A ledger in which a broadcast waits, half of it behind a closed gate."""
    at = now()
    with filling(Delivery) as connection:
        put(connection, Delivery, WAIT, {
            "id": "i", "kind": "'probe'", "channel": "'web_push'", "dedup_key": "'one-' || i",
            "subject_type": "'probe'", "subject_id": "1", "address_type": "'device'", "address_id": "i",
            "address_label": "'Firefox'", "gate_key": f"CASE WHEN {HELD} THEN 'shut' ELSE 'open' END",
            "next_attempt_at": f"CASE WHEN {LATER} THEN {instant(at, '3600')} END", "state": "'pending'",
            "next_trigger": "'auto'", "attempts": "0", "round_attempts": "0", "rescues": "0",
            "key_ambiguous": "false", "dead_letter": "false", "already_accepted": "false",
            "created_at": instant(at, "0"), "updated_at": instant(at, "0"), "expires_at": instant(at, "86400"),
        })  # fmt: skip
    with quietly() as tx:
        gates.pause(tx, "shut", "for a while")
    return ledger


def test_what_is_known_by_its_id_address_or_time_is_found_by_it(broadcast: Flask) -> None:
    for name, (indexes, ask) in ASKED.items():
        with hearing("UPDATE") as heard, quietly() as tx:
            ask(tx)
            tx.session.rollback()
        steps = [step for one in heard for step in plan_of(*one).splitlines() if THROUGH.search(step)]
        assert steps, name
        assert [step for step in steps if indexes[db.engine.dialect.name] not in step] == [], name


def test_what_is_held_up_hides_nothing_that_is_due(broadcast: Flask) -> None:
    assert [row.id for row in queries.due(["probe"], LIMIT)] == OWED[:LIMIT]
    with quietly() as tx:
        first = transitions.claim_due(tx, "probe", LIMIT, [])
        then = transitions.claim_due(tx, "probe", 10, [], first[-1].place)
    assert [one.id for one in (*first, *then)] == OWED[: LIMIT + 10]


def test_devices_that_are_gone_end_what_waits_for_them_alone(broadcast: Flask) -> None:
    gone = OWED[:3]
    with quietly() as tx:
        assert sorted(transitions.cancel(tx, queries.waiting_at("device", gone), CancelReason.DEVICE_GONE)) == gone
        assert queries.waiting_at("device", gone) == []


def test_all_that_is_too_late_ends_so_many_at_a_time(broadcast: Flask) -> None:
    with quietly() as tx:
        tx.session.execute(update(Delivery).where(Delivery.id <= 30).values(expires_at=now()))
        assert len(transitions.expire(tx, 20)) == 20
        assert len(transitions.expire(tx, 20)) == 10
