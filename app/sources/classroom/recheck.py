"""Whether a message about a shift still holds, asked right before it is sent; and what is written down once it was."""

from collections.abc import Mapping, Sequence

from app.clock import now
from app.codes import CancelReason
from app.kinds import Cancel, Due, Send, Told, Verdict
from app.sources.classroom.beliefs import beliefs
from app.sources.classroom.messages import Facts, correction, reminder
from app.sources.classroom.models import ShiftStatus, ShiftTold
from app.sources.classroom.plans import Belief, Plan
from app.sources.classroom.standing import Standing, account_names, classroom_names, standing
from app.transaction import Transaction


def recheck_reminders(deliveries: Sequence[Due]) -> dict[int, Verdict]:
    """Still confirmed, still the version and the tutor that it was made for, nothing else told before? Three queries.

    An earlier version may have been sent while the verb that made this one looked: then a correction is owed instead,
    by the scan.
    """
    shifts = standing({due.subject_id for due in deliveries})
    believed = beliefs(shifts.keys())
    return {due.id: _reminder(due, shifts.get(due.subject_id), believed) for due in deliveries}


def recheck_corrections(deliveries: Sequence[Due]) -> dict[int, Verdict]:
    """Still the version that it speaks of, and does it still differ from what was told? Five queries."""
    shifts = standing({due.subject_id for due in deliveries})
    believed = beliefs(shifts.keys())
    people = account_names({due.account_id for due in deliveries if due.account_id is not None})
    places = classroom_names(_classrooms(shifts, believed))
    return {
        due.id: _correction(due, shifts.get(due.subject_id), believed, people, places)
        for due in deliveries
    }  # fmt: skip


def note_told(tx: Transaction, sent: Sequence[Told]) -> None:
    """Write down what each tutor was told, once for each shift, version and tutor."""
    rows = [_told(one.delivery, one.note) for one in sent]
    if rows:
        tx.session.execute(tx.insert(ShiftTold).values(rows).on_conflict_do_nothing())


def _reminder(due: Due, shift: Standing | None, believed: Mapping[tuple[int, int], Belief]) -> Verdict:
    if shift is None or shift.deleted:
        return Cancel(CancelReason.SUBJECT_DELETED)
    if shift.status != ShiftStatus.CONFIRMED:
        return Cancel(CancelReason.SHIFT_UNCONFIRMED)
    if (shift.version, shift.tutor_id) != (due.subject_version, due.account_id):
        return Cancel(CancelReason.SHIFT_CHANGED)
    belief = believed.get((shift.id, shift.tutor_id))
    if belief is not None and belief.wrong(shift.plan_for(shift.tutor_id)):
        return Cancel(CancelReason.SHIFT_CHANGED)
    facts = Facts(shift.tutor, shift.classroom, shift.starts_at, shift.ends_at)
    return Send(reminder(facts, due.language), facts)


def _correction(
    due: Due,
    shift: Standing | None,
    believed: Mapping[tuple[int, int], Belief],
    people: Mapping[int, str],
    places: Mapping[int, str],
) -> Verdict:
    account_id = due.account_id
    if shift is None or account_id is None:
        return Cancel(CancelReason.SUBJECT_DELETED)
    belief, plan = believed.get((shift.id, account_id)), shift.plan_for(account_id)
    wrong = belief.wrong(plan) if belief else []
    if shift.version != due.subject_version or not wrong:
        return Cancel(CancelReason.SHIFT_CHANGED)
    before, after = (_facts(one, people[account_id], places) for one in (wrong[0], plan))
    return Send(correction(before, after, due.language), after or before)


def _facts(plan: Plan | None, tutor: str, places: Mapping[int, str]) -> Facts | None:
    return Facts(tutor, places[plan.classroom_id], plan.starts_at, plan.ends_at) if plan else None


def _classrooms(shifts: Mapping[int, Standing], believed: Mapping[tuple[int, int], Belief]) -> set[int]:
    tellings = (telling for belief in believed.values() for telling in belief.tellings)
    old = {telling.plan.classroom_id for telling in tellings if telling.plan}
    return old | {shift.classroom_id for shift in shifts.values()}


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
