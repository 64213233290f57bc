"""Failures that are alike, and what operators made of them: open, acknowledged, resolved, ignored."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, String, UniqueConstraint, select
from sqlalchemy.orm import Mapped, mapped_column

from app import audit
from app.audit import Actor
from app.clock import now
from app.columns import Base, BigInt, UtcDateTime
from app.extensions import db
from app.outbox.listing import FailureGroup, failures
from app.transaction import Transaction

SUBJECT = "issue"


class Standing(StrEnum):
    """What an operator made of an issue."""

    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    """Somebody sees to it, until all that failed before was sent again."""
    RESOLVED = "resolved"
    """The cause is gone. A later failure opens it again."""
    IGNORED = "ignored"
    """Nobody need look, however often it happens."""


class IssueMark(Base):
    """What was last said of the failures of one channel with one code, when, and by whom (None: the command line)."""

    __tablename__ = "issue"
    __table_args__ = (UniqueConstraint("channel", "code"),)

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    channel: Mapped[str] = mapped_column(String(20))
    code: Mapped[str] = mapped_column(String(40))
    standing: Mapped[str] = mapped_column(String(20))
    marked_at: Mapped[datetime] = mapped_column(UtcDateTime)
    marked_by: Mapped[int | None] = mapped_column(BigInt, ForeignKey("account.id"))


@dataclass(frozen=True, slots=True)
class Issue:
    """Failures of one channel with one code, and how the issue stands since when; open ones have no `marked_by`."""

    group: FailureGroup
    standing: Standing
    marked_at: datetime | None = None
    marked_by: int | None = None
    came_back: bool = False
    """Whether it was resolved, and has happened again."""


@dataclass
class MovedOnError(Exception):
    """The issue stands otherwise than the operator saw, or is gone (None)."""

    standing: Standing | None


def issues() -> list[Issue]:
    """Everything that failed or is held up; what has most failures first. Two statements."""
    marks = {(mark.channel, mark.code): mark for mark in db.session.scalars(select(IssueMark))}
    return [_issue(group, marks.get((group.channel, group.code))) for group in failures()]


def mark(tx: Transaction, actor: Actor, channel: str, code: str, standing: Standing, seen: Standing) -> None:
    """Say how an issue stands, for whoever saw how it stood. Raises MovedOnError."""
    tx.lock(IssueMark)
    before = next((one for one in issues() if (one.group.channel, one.group.code) == (channel, code)), None)
    if before is None or before.standing is not seen:
        raise MovedOnError(before.standing if before else None)
    said = {"standing": standing, "marked_at": now(), "marked_by": actor.account_id}
    new = tx.insert(IssueMark).values(channel=channel, code=code, **said)
    once = new.on_conflict_do_update(index_elements=["channel", "code"], set_=said).returning(IssueMark.id)
    facts = {"channel": channel, "code": code, "before": seen}
    audit.note(tx, actor, _ACTS[standing], (SUBJECT, tx.session.scalars(once).one()), facts)


_ACTS = {
    Standing.OPEN: "reopen_issue",
    Standing.ACKNOWLEDGED: "acknowledge_issue",
    Standing.RESOLVED: "resolve_issue",
    Standing.IGNORED: "ignore_issue",
}


def _issue(group: FailureGroup, mark: IssueMark | None) -> Issue:
    if mark is None or mark.standing == Standing.OPEN:
        return Issue(group, Standing.OPEN)
    if _is_over(group, mark):
        return Issue(group, Standing.OPEN, came_back=mark.standing == Standing.RESOLVED)
    return Issue(group, Standing(mark.standing), mark.marked_at, mark.marked_by)


def _is_over(group: FailureGroup, mark: IssueMark) -> bool:
    """Whether what was said was said of other failures than these."""
    match mark.standing:
        case Standing.RESOLVED:
            return group.last_at is not None and group.last_at > mark.marked_at
        case Standing.ACKNOWLEDGED:
            return group.first_at > mark.marked_at
    return False
