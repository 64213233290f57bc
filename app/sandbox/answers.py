"""The switches: what the next pushes are answered, one entry a push, kept in the file so that a restart goes on."""

import sqlite3
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

End = Literal["reply", "silence", "cut"]

ORDINARY = "ordinary"
LONGEST_QUEUE = 100


@dataclass(frozen=True)
class Answer:
    """One answer to choose.

    `accepts`: the message is accepted before this answer is given. `status` and `says`: what is said instead of
    LINE's ordinary answer. `end`: how the connection ends; without a reply nothing is said at all.
    """

    name: str
    accepts: bool = False
    status: int | None = None
    says: str = ""
    end: End = "reply"


RATE_LIMITED = "The API rate limit has been exceeded. Try again later."
LIMIT_REACHED = "You have reached your monthly limit."
SERVER_ERROR = "Internal server error"
BAD_TOKEN = (
    "Authentication failed due to the following reason: invalid token. "  # noqa: S105  # LINE's words, no secret
    "Confirm that the access token in the authorization header is valid."
)

ANSWERS = {
    answer.name: answer
    for answer in (
        Answer(ORDINARY, accepts=True),
        Answer("rate_limit", status=429, says=RATE_LIMITED),
        Answer("monthly_limit", status=429, says=LIMIT_REACHED),
        Answer("server_error_before", status=500, says=SERVER_ERROR),
        Answer("server_error_after", accepts=True, status=500, says=SERVER_ERROR),
        Answer("silence_after", accepts=True, end="silence"),
        Answer("cut_before", end="cut"),
        Answer("cut_after", accepts=True, end="cut"),
        Answer("bad_request", status=400, says="Failed to send messages"),
        Answer("unauthorized", status=401, says=BAD_TOKEN),
    )
}


@dataclass(frozen=True)
class Waiting:
    """Entries of the queue that follow each other and say the same."""

    answer: str
    count: int


def take_next(db: sqlite3.Connection) -> Answer | None:
    """The answer set for this push, taken out of the queue; None when none is set."""
    row = db.execute("DELETE FROM switch WHERE id = (SELECT MIN(id) FROM switch) RETURNING answer").fetchone()
    return ANSWERS[row["answer"]] if row else None


def add(db: sqlite3.Connection, name: str, count: int) -> bool:
    """Queue one answer `count` times. False, and nothing queued, when the queue would become too long."""
    if _length(db) + count > LONGEST_QUEUE:
        return False
    db.executemany("INSERT INTO switch (answer, from_start) VALUES (?, 0)", [(name,)] * count)
    return True


def clear(db: sqlite3.Connection) -> None:
    """From now on every push gets LINE's ordinary answer."""
    db.execute("DELETE FROM switch")


def waiting(db: sqlite3.Connection) -> list[Waiting]:
    """The queue in its order, equal neighbours counted together."""
    names = [row["answer"] for row in db.execute("SELECT answer FROM switch ORDER BY id")]
    return [Waiting(name, len(list(group))) for name, group in groupby(names)]


def as_at_the_start(db: sqlite3.Connection) -> bool:
    """True while answers of a fresh sandbox still wait."""
    return db.execute("SELECT 1 FROM switch WHERE from_start = 1 LIMIT 1").fetchone() is not None


def _length(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT COUNT(*) FROM switch").fetchone()[0])
