"""A ledger of years: a thousand deliveries a day up to now, so that fewer of them are the last days of the same.

The newest 200 wait to be tried again, and of the 2,000 before them 1,500 failed, with 20 codes: so each list has a full
page in either ledger. Of a thousand others 952 were sent, 47 rightly not, and one or two failed. Every twentieth is
about one announcement, and every fiftieth for the same person; there are 20 kinds, 2 channels, 50 classrooms and
stores, and two LINE groups. Of what failed, and of one in a hundred that was sent, the try is known.
"""

from collections.abc import Sequence

from sqlalchemy import Connection

from app.accounts.models import Account
from app.clock import now
from app.codes import CancelReason, FailureCode
from app.outbox.models import Attempt, Delivery
from app.outbox.state import State
from benchmarks.filling import filling, instant, put

A_DAY = 1000
KINDS = [f"kind_{number}" for number in range(20)]
CODES = [code for code in FailureCode if code is not FailureCode.QUEUE_ENQUEUE_FAILED][:20]
REASONS = list(CancelReason)[:8]
PEOPLE = 1000
ADMIN, PERSON = 1, 2
SUBJECT = ("announcement", 1)
GROUP, SCOPE, CHANNELS = 1, "classroom:1", ("line", "web_push")
WAITING, OUTAGE = 200, 2000
SEARCHED = 393
"""So many deliveries before the newest is one that failed, and whose try is known."""

CANCELED, TRIED = "i % 1000 BETWEEN 701 AND 747", "i % 100 = 7"


def fill(number: int) -> None:
    """So many deliveries, whose ids are 1 and on, the newest last."""
    waits = f"(i > {number - WAITING})"
    failed = f"(i % 2000 IN (17, 611, 1333) OR (i > {number - WAITING - OUTAGE} AND i % 4 <> 0))"
    age, coded = f"({number} - i) * {86_400 // A_DAY} + 60", f"({waits} OR {failed})"
    with filling(Account, Delivery, Attempt) as connection:
        _put_people(connection)
        made, ended = _ago(age), _ago(f"{age} - (1 + i % 40)")
        put(connection, Delivery, number, _SAME | {
            "kind": _one_of(KINDS, "i % 20"), "channel": _one_of(CHANNELS, "i / 20 % 2"),
            "subject_type": f"CASE WHEN i % 20 = 0 THEN '{SUBJECT[0]}' ELSE 'shift' END",
            "subject_id": f"CASE WHEN i % 20 = 0 THEN {SUBJECT[1]} ELSE i END",
            "account_id": f"CASE WHEN i % 50 = 0 THEN {PERSON} ELSE 3 + i % {PEOPLE - 3} END",
            "address_type": "CASE WHEN i % 100 = 0 THEN 'line_group' ELSE 'line_link' END",
            "address_id": f"CASE WHEN i % 100 = 0 THEN {GROUP} + i / 100 % 2 ELSE i % {PEOPLE} END",
            "scope": "CASE WHEN i % 2 = 0 THEN 'classroom:' || (1 + i / 2 % 50) END",
            "state": f"CASE WHEN {waits} THEN '{State.RETRY}' WHEN {failed} THEN '{State.FAILED}' "
                     f"WHEN {CANCELED} THEN '{State.CANCELED}' ELSE '{State.SENT}' END",
            "failure_code": f"CASE WHEN {coded} THEN {_one_of(CODES, 'i / 20 % 20')} END",
            "cancel_reason": f"CASE WHEN {CANCELED} AND NOT {coded} THEN {_one_of(REASONS, 'i % 8')} END",
            "dead_letter": f"({failed} AND i % 3 = 0 AND NOT {waits})", "created_at": made, "updated_at": ended,
            "finished_at": f"CASE WHEN NOT {waits} THEN {ended} END",
            "next_attempt_at": f"CASE WHEN {waits} THEN {_ago('-3600')} END",
            "retry_key": _key("i"), "provider_request_id": f"CASE WHEN NOT {coded} THEN 'request-' || i END",
        })  # fmt: skip
        put(connection, Attempt, number, {
            "delivery_id": "i", "number": "1", "trigger": "'auto'", "started_at": made, "finished_at": ended,
            "outcome": f"CASE WHEN {failed} THEN 'rejected' ELSE 'accepted' END", "may_have_arrived": "true",
            "code": f"CASE WHEN {failed} THEN 'LINE_BAD_REQUEST' END", "retry_key": _key("i"),
            "provider_request_id": "'request-' || i", "http_status": "200", "duration_ms": "120",
        }, f"({failed} OR {TRIED})")  # fmt: skip


def key_of(number: int) -> str:
    """The retry key of one of them."""
    return f"00000000-0000-4000-8000-000000{100_000 + number * 97 % 899_981}"


def _put_people(connection: Connection) -> None:
    person = {"language": "'ja'", "active": "true", "created_at": _ago("0")}
    role = f"CASE WHEN i = {ADMIN} THEN 'admin' ELSE 'member' END"
    put(connection, Account, PEOPLE, {"id": "i", "email": "'a' || i", "name": "'講師' || i", "role": role, **person})


def _ago(seconds: str) -> str:
    return instant(now(), f"-({seconds})")


def _one_of(names: Sequence[str], number: str) -> str:
    whens = " ".join(f"WHEN {place} THEN '{name}'" for place, name in enumerate(names))
    return f"CASE {number} {whens} END"


def _key(number: str) -> str:
    """As long as a UUID, and as little in order as the end of one."""
    return f"'00000000-0000-4000-8000-000000' || (100000 + {number} * 97 % 899981)"


_SAME = {
    "id": "i", "dedup_key": "'delivery-' || i", "subject_version": "1", "address_label": "'講師'", "gate_key": "'line'",
    "attempts": "1", "round_attempts": "1", "next_trigger": "'auto'", "rescues": "0", "key_ambiguous": "false",
    "already_accepted": "false",
}  # fmt: skip
