"""What was asked and what was answered: the retry-key memory, the month's count, and the list the page shows."""

import json
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, Literal

Fate = Literal["accepted", "duplicate", "refused"]
Service = Literal["line", "web_push"]

KEY_REMEMBERED = timedelta(hours=24)
# LINE counts its months by Japanese time.
JAPAN = timezone(timedelta(hours=9))

_COLUMNS = (
    "at", "request_id", "asked", "recipient", "retry_key", "fate", "switch", "status", "says", "sent", "messages",
    "service",
)  # fmt: skip
_ACCEPTED_BY_LINE = "SELECT COUNT(*) FROM call WHERE fate = 'accepted' AND service = 'line'"
_INSERT = f"INSERT INTO call ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608


@dataclass(frozen=True)
class Call:
    """One request to the API.

    `at`: UTC. `fate`: what became of its messages. `switch`: the answer set for it, if one was. `status`: None when
    no answer left. `says`: the answer's `message`. `sent`: LINE's `sentMessages`. `service`: whose stand-in was asked.
    """

    request_id: str
    asked: str
    fate: Fate
    at: datetime
    status: int | None
    says: str = ""
    recipient: str | None = None
    retry_key: str | None = None
    switch: str | None = None
    sent: tuple[dict[str, str], ...] = ()
    messages: tuple[dict[str, Any], ...] = ()
    service: Service = "line"
    id: int = 0


@dataclass(frozen=True)
class Counts:
    """How much the file holds."""

    accepted: int
    calls: int


def record(db: sqlite3.Connection, call: Call) -> None:
    """Keep a call."""
    packed = {"at": call.at.timestamp(), "sent": json.dumps(call.sent), "messages": json.dumps(call.messages)}
    db.execute(_INSERT, [packed.get(name, getattr(call, name)) for name in _COLUMNS])


def accepted_with(db: sqlite3.Connection, retry_key: str, now: datetime) -> Call | None:
    """The call accepted with this key, while LINE remembers it: for 24 h after that call, whatever came since."""
    row = db.execute(
        "SELECT * FROM call WHERE retry_key = ? AND fate = 'accepted' AND at > ? ORDER BY id DESC LIMIT 1",
        (retry_key, (now - KEY_REMEMBERED).timestamp()),
    ).fetchone()
    return _call(row) if row else None


def used_this_month(db: sqlite3.Connection, now: datetime) -> int:
    """LINE's accepted pushes since the first of the month. Unlike there a group counts as one: who is in is unknown."""
    first = now.astimezone(JAPAN).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return _count(db, _ACCEPTED_BY_LINE + " AND at >= ?", first.timestamp())


def monthly_limit(db: sqlite3.Connection) -> int:
    """How many pushes a month are accepted."""
    return _count(db, "SELECT value FROM setting WHERE name = 'monthly_limit'")


def set_monthly_limit(db: sqlite3.Connection, limit: int) -> None:
    """From now on `limit` pushes a month are accepted."""
    db.execute("UPDATE setting SET value = ? WHERE name = 'monthly_limit'", (limit,))


def newest(db: sqlite3.Connection, count: int, before: int | None) -> list[Call]:
    """Up to `count` calls, the newest first; only those older than the call with the id `before`, if given."""
    rows = db.execute(
        "SELECT * FROM call WHERE ? IS NULL OR id < ? ORDER BY id DESC LIMIT ?", (before, before, count)
    ).fetchall()
    return [_call(row) for row in rows]


def counts(db: sqlite3.Connection) -> Counts:
    """How many calls are kept, and how many of them were accepted."""
    accepted = _count(db, "SELECT COUNT(*) FROM call WHERE fate = 'accepted'")
    return Counts(accepted=accepted, calls=_count(db, "SELECT COUNT(*) FROM call"))


def version(db: sqlite3.Connection) -> str:
    """A text that changes whenever the page would."""
    last = _count(db, "SELECT COALESCE(MAX(id), 0) FROM call")
    waiting = _count(db, "SELECT COUNT(*) FROM switch")
    return f"{last}.{waiting}.{monthly_limit(db)}"


def _count(db: sqlite3.Connection, query: str, *values: float) -> int:
    return int(db.execute(query, values).fetchone()[0])


def _call(row: sqlite3.Row) -> Call:
    unpacked = {
        "at": datetime.fromtimestamp(row["at"], UTC),
        "sent": tuple(json.loads(row["sent"])),
        "messages": tuple(json.loads(row["messages"])),
    }
    return Call(**{**dict(row), **unpacked})
