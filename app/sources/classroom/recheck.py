"""Whether a reminder still holds, asked right before it is sent; and what is written down once it was."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from app.accounts.models import Account
from app.clock import now
from app.codes import CancelReason
from app.extensions import db
from app.kinds import Cancel, Due, Send, Told, Verdict
from app.sources.classroom.messages import Facts, reminder
from app.sources.classroom.models import Classroom, Shift, ShiftStatus, ShiftTold
from app.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Standing:
    """A shift as it stands now."""

    tutor_id: int
    version: int
    status: str
    deleted: bool
    facts: Facts


def recheck(deliveries: Sequence[Due]) -> dict[int, Verdict]:
    """A verdict for each delivery; one query."""
    shifts = standing({due.subject_id for due in deliveries})
    return {due.id: _verdict(due, shifts.get(due.subject_id)) for due in deliveries}


def note_told(tx: Transaction, sent: Sequence[Told]) -> None:
    """Write down what each tutor was told, once for each shift, version and tutor."""
    rows = [_told(one.delivery, one.note) for one in sent]
    if rows:
        tx.session.execute(tx.insert(ShiftTold).values(rows).on_conflict_do_nothing())


def standing(shift_ids: Collection[int]) -> Mapping[int, Standing]:
    """These shifts as they stand now, deleted ones included."""
    rows = db.session.execute(
        select(Shift, Account.name, Classroom.name)
        .join(Account, Account.id == Shift.tutor_id)
        .join(Classroom, Classroom.id == Shift.classroom_id)
        .where(Shift.id.in_(shift_ids))
    )
    return {shift.id: _standing(shift, tutor, classroom) for shift, tutor, classroom in rows}


def _standing(shift: Shift, tutor: str, classroom: str) -> Standing:
    facts = Facts(tutor, classroom, shift.starts_at, shift.ends_at)
    return Standing(shift.tutor_id, shift.version, shift.status, shift.deleted_at is not None, facts)


def _verdict(due: Due, shift: Standing | None) -> Verdict:
    if shift is None or shift.deleted:
        return Cancel(CancelReason.SUBJECT_DELETED)
    if shift.status != ShiftStatus.CONFIRMED:
        return Cancel(CancelReason.SHIFT_UNCONFIRMED)
    if (shift.version, shift.tutor_id) != (due.subject_version, due.account_id):
        return Cancel(CancelReason.SHIFT_CHANGED)
    return Send(reminder(shift.facts, due.language), shift.facts)


def _told(due: Due, facts: Facts) -> dict[str, object]:
    return {
        "shift_id": due.subject_id,
        "account_id": due.account_id,
        "kind": due.kind,
        "version": due.subject_version,
        "classroom": facts.classroom,
        "starts_at": facts.starts_at,
        "ends_at": facts.ends_at,
        "at": now(),
    }
