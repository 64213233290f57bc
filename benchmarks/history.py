"""A house with a history: the shifts of years, what was told of each, and a ledger of about as many deliveries.

Of so many shifts 200 begin within the window and nobody was told yet, and of 200 more the tutor was. Of the rest three
in a hundred are planned for later, and the others are over. Every twentieth of those was changed once, a fifth of these
after it had been told, so that a correction followed. Two in a hundred messages failed.
"""

from functools import partial

from sqlalchemy import Connection, case, insert, literal, select

from app.accounts.models import Account
from app.clock import now
from app.outbox.models import Attempt, Delivery
from app.reach.models import LineLink
from app.sources.classroom.models import Classroom, Shift, ShiftTold, ShiftVersion
from benchmarks.filling import filling, instant, put

SOON = 200
TUTORS = 1000
HOUR, DAY = 3600, 86_400

TUTOR = f"1 + i % {TUTORS}"
CHANGED = f"(i > {2 * SOON} AND i % 20 = 0)"
CORRECTED = f"(i > {2 * SOON} AND i % 100 = 0)"
FAILED = f"(i > {2 * SOON} AND i % 50 = 1)"


def fill(number: int) -> None:
    """So many shifts, with their versions, what was told of them, and a delivery for each message."""
    after = partial(instant, now())
    planned = f"(i <= {2 * SOON + number * 3 // 100})"
    later, over = f"{DAY} + i * 97 % {30 * DAY}", f"-{DAY} - i * 61 % {1000 * DAY}"
    starts = f"CASE WHEN i <= {2 * SOON} THEN {HOUR} + i WHEN {planned} THEN {later} ELSE {over} END"
    plan = {"classroom_id": "1", "starts_at": after(starts), "ends_at": after(f"{starts} + {2 * HOUR}")}
    told_at = after(f"{starts} - {2 * HOUR}")
    reminded = f"(i > {SOON} AND (i <= {2 * SOON} OR NOT {planned}))"
    with filling(Account, LineLink, Shift, ShiftVersion, ShiftTold, Delivery, Attempt) as connection:
        _put_people(connection, after("0"))
        _put_shifts(connection, number, plan, told_at)
        for kind, version, which in (
            ("shift_reminder", 1, f"{reminded} AND (NOT {CHANGED} OR {CORRECTED})"),
            ("shift_reminder", 2, f"{reminded} AND {CHANGED} AND NOT {CORRECTED}"),
            ("shift_correction", 2, CORRECTED),
        ):
            about = {"kind": f"'{kind}'", "account_id": TUTOR}
            said = {"shift_id": "i", "version": f"{version}", "at": told_at, **about, **plan}
            put(connection, ShiftTold, number, said, f"{which} AND NOT {FAILED}")
            delivery = {"dedup_key": f"'{kind}-{version}-' || i", "subject_version": f"{version}", **about}
            times = {"expires_at": plan["starts_at"], **dict.fromkeys(_TIMES, told_at)}
            put(connection, Delivery, number, _DELIVERY | delivery | times, which)
        outcome = case((Delivery.state == "sent", "accepted"), else_="transient")
        tried = (Delivery.id, literal(1), literal("auto"), Delivery.created_at, Delivery.finished_at, outcome)
        connection.execute(insert(Attempt).from_select(_ATTEMPT, select(*tried, literal(True))))


def _put_people(connection: Connection, at: str) -> None:
    person = {"role": "'member'", "language": "'ja'", "active": "true", "created_at": at}
    put(connection, Account, TUTORS, {"id": "i", "email": "'a' || i", "name": "'講師' || i", **person})
    link = {"line_user_id": "'U' || i", "enabled": "true", "created_at": at}
    put(connection, LineLink, TUTORS, {"id": "i", "account_id": "i", **link})
    put(connection, Classroom, 1, {"id": "1", "name": "'渋谷'", "created_at": at})


def _put_shifts(connection: Connection, number: int, plan: dict[str, str], at: str) -> None:
    shift = {"version": f"CASE WHEN {CHANGED} THEN 2 ELSE 1 END", "status": "'confirmed'", "note": "''"}
    times = {"created_at": at, "updated_at": at}
    put(connection, Shift, number, {"id": "i", "tutor_id": TUTOR, **shift, **plan, **times})
    kept = {"shift_id": "i", "tutor_id": TUTOR, "takes_place": "true", **plan}
    put(connection, ShiftVersion, number, {"version": "1", **kept})
    put(connection, ShiftVersion, number, {"version": "2", **kept}, CHANGED)


_TIMES = ("created_at", "finished_at", "updated_at")
_ATTEMPT = ("delivery_id", "number", "trigger", "started_at", "finished_at", "outcome", "may_have_arrived")
_DELIVERY = {
    "channel": "'line'", "subject_type": "'shift'", "subject_id": "i", "address_type": "'line_link'",
    "address_id": TUTOR, "address_label": "'講師'", "gate_key": "'line'",
    "state": f"CASE WHEN {FAILED} THEN 'failed' ELSE 'sent' END", "dead_letter": FAILED,
    "failure_code": f"CASE WHEN {FAILED} THEN 'LINE_TIMEOUT' END", "attempts": "1", "round_attempts": "1",
    "next_trigger": "'auto'", "rescues": "0", "key_ambiguous": "false", "already_accepted": "false",
}  # fmt: skip
