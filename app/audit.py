"""Who did what, when, why: one row for each act of an operator, kept for good."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask_babel import gettext as _
from sqlalchemy import JSON, ForeignKey, Index, String, insert, select, true, update
from sqlalchemy.orm import Mapped, mapped_column

from app.clock import now
from app.columns import Base, BigInt, UtcDateTime
from app.extensions import db
from app.names import called
from app.transaction import Transaction

Detail = Mapping[str, str | int | bool | None]
"""The facts of one act."""
_NO_FACTS: Detail = {}


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts. `account_id` is None for the command line, whose user has no account here, and for the clock."""

    account_id: int | None
    name: str


COMMAND_LINE = Actor(None, "command line")
CLOCK = Actor(None, "clock")
"""For what an account had said is to happen at a certain time."""


class AuditEntry(Base):
    """One act. `detail` holds plain facts (old state, whether a possible duplicate was confirmed), never a secret."""

    __tablename__ = "audit_entry"
    __table_args__ = (
        Index(None, "subject_type", "subject_id", "at"),
        # The list of acts, the newest first: of one sort of subject, of one act, of one person.
        Index("ix_audit_entry_type_at", "subject_type", "at", "id"),
        Index("ix_audit_entry_act_at", "subject_type", "act", "at", "id"),
        Index("ix_audit_entry_actor_at", "actor_id", "at", "id"),
    )

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    actor_id: Mapped[int | None] = mapped_column(BigInt, ForeignKey("account.id"))
    actor_name: Mapped[str] = mapped_column(String(200))
    act: Mapped[str] = mapped_column(String(40))
    subject_type: Mapped[str] = mapped_column(String(40))
    subject_id: Mapped[int] = mapped_column(BigInt)
    detail: Mapped[dict[str, str | int | bool | None]] = mapped_column(JSON)

    @property
    def who(self) -> str:
        """Who acted, in the reader's words where that is no name: no account at all, or one that was deleted."""
        if self.actor_id is None and self.actor_name == COMMAND_LINE.name:
            return str(_("command line"))
        if self.actor_id is None and self.actor_name == CLOCK.name:
            return str(_("the clock"))
        return called(self.actor_name)

    @property
    def whom(self) -> int | None:
        """The account that it was done to, if it was done to one: never its name, which goes when it is deleted."""
        account_id = self.detail.get("account_id")
        return account_id if isinstance(account_id, int) else None

    @property
    def why(self) -> str:
        """What whoever acted said of it, if anything."""
        return str(self.detail.get("why") or "")


def note(
    tx: Transaction,
    actor: Actor,
    act: str,
    subject: tuple[str, int],
    detail: Detail | None = None,
) -> None:
    """Write down an act on `subject` (type, id) in the transaction that does it."""
    tx.session.add(
        AuditEntry(
            at=now(),
            actor_id=actor.account_id,
            actor_name=actor.name,
            act=act,
            subject_type=subject[0],
            subject_id=subject[1],
            detail=dict(detail or {}),
        )
    )


def note_all(tx: Transaction, actor: Actor, act: str, subject_type: str, subject_ids: Collection[int]) -> None:
    """Write down one act on many subjects, in one statement."""
    note_each(tx, actor, act, subject_type, dict.fromkeys(subject_ids, _NO_FACTS))


def note_each(tx: Transaction, actor: Actor, act: str, subject_type: str, details: Mapping[int, Detail]) -> None:
    """The same with the facts of each subject, by its id."""
    same: dict[str, Any] = {"at": now(), "actor_id": actor.account_id, "actor_name": actor.name, "act": act}
    rows = [
        {**same, "subject_type": subject_type, "subject_id": subject_id, "detail": dict(detail)}
        for subject_id, detail in details.items()
    ]
    if rows:
        tx.session.execute(insert(AuditEntry), rows)


def forget_name(tx: Transaction, account_id: int) -> None:
    """Of an account that is deleted its acts stay, and its name goes."""
    tx.session.execute(update(AuditEntry).where(AuditEntry.actor_id == account_id).values(actor_name=""))


def entries(subject_type: str, subject_id: int, since: datetime | None = None) -> list[AuditEntry]:
    """The acts on one subject, oldest first; all of them, or those since then."""
    about = (AuditEntry.subject_type == subject_type) & (AuditEntry.subject_id == subject_id)
    wanted = select(AuditEntry).where(about, AuditEntry.at >= since if since else true())
    return list(db.session.scalars(wanted.order_by(AuditEntry.at, AuditEntry.id)))
