"""Whether a message about a shift still holds, asked right before it is sent; and what is written down once it was."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from app.clock import now
from app.codes import CancelReason
from app.kinds import Cancel, Due, Send, Told, Verdict
from app.sources.classroom.models import ShiftStatus, ShiftTold
from app.sources.classroom.shifts.standing import Standing, account_names, classroom_names, standing
from app.sources.classroom.telling.beliefs import beliefs
from app.sources.classroom.telling.made import made_to_say
from app.sources.classroom.telling.messages import Facts, correction, reminder
from app.sources.classroom.telling.plans import Belief, Made, Owed, Plan, still_owed
from app.transaction import Transaction

Beliefs = Mapping[tuple[int, int], Belief]


def recheck_reminders(deliveries: Sequence[Due]) -> dict[int, Verdict]:
    """Still confirmed, still or again the plan that it was made to say, nothing told meanwhile? Four queries.

    An earlier version may have been sent while the verb that made this one looked: then a correction is owed instead,
    by the scan.
    """
    shifts = standing({due.subject_id for due in deliveries})
    believed, made = beliefs(shifts.keys()), made_to_say(deliveries)
    return {due.id: _reminder(due, shifts.get(due.subject_id), believed, made.get(due.id)) for due in deliveries}


def recheck_corrections(deliveries: Sequence[Due]) -> dict[int, Verdict]:
    """Still or again the plan that it was made to say, and does it still differ from what was told? Six queries."""
    shifts = standing({due.subject_id for due in deliveries})
    believed, made = beliefs(shifts.keys()), made_to_say(deliveries)
    people = account_names({due.account_id for due in deliveries if due.account_id is not None})
    places = classroom_names(_classrooms(shifts, believed))
    return {
        due.id: _correction(due, shifts.get(due.subject_id), believed, made.get(due.id), people, places)
        for due in deliveries
    }  # fmt: skip


def note_told(tx: Transaction, sent: Sequence[Told]) -> None:
    """Write down what each tutor was told, once for each shift, version and tutor."""
    rows = [_told(one.delivery, one.note) for one in sent]
    if rows:
        tx.session.execute(tx.insert(ShiftTold).values(rows).on_conflict_do_nothing())


def _reminder(due: Due, shift: Standing | None, believed: Beliefs, made: Made | None) -> Verdict:
    if shift is None or shift.deleted:
        return Cancel(CancelReason.SUBJECT_DELETED)
    if shift.status != ShiftStatus.CONFIRMED:
        return Cancel(CancelReason.SHIFT_UNCONFIRMED)
    account_id = due.account_id or 0
    plan, belief = shift.plan_for(account_id), believed.get((shift.id, account_id))
    if plan is None or made is None or not still_owed(Owed.REMINDER, made, plan, belief):
        return Cancel(CancelReason.SHIFT_CHANGED)
    facts = Facts(shift.tutor, shift.classroom, shift.starts_at, shift.ends_at)
    return Send(reminder(facts, due.language), _noted(plan))


def _correction(
    due: Due,
    shift: Standing | None,
    believed: Beliefs,
    made: Made | None,
    people: Mapping[int, str],
    places: Mapping[int, str],
) -> Verdict:
    account_id = due.account_id
    if shift is None or account_id is None:
        return Cancel(CancelReason.SUBJECT_DELETED)
    plan, belief = shift.plan_for(account_id), believed.get((shift.id, account_id))
    if belief is None or made is None or not still_owed(Owed.CORRECTION, made, plan, belief):
        return Cancel(CancelReason.SHIFT_CHANGED)
    old = belief.wrong(plan)[0]
    before, after = (_facts(one, people[account_id], places) for one in (old, plan))
    return Send(correction(before, after, due.language), _noted(plan or old))


def _facts(plan: Plan | None, tutor: str, places: Mapping[int, str]) -> Facts | None:
    return Facts(tutor, places[plan.classroom_id], plan.starts_at, plan.ends_at) if plan else None


def _classrooms(shifts: Mapping[int, Standing], believed: Beliefs) -> set[int]:
    tellings = (telling for belief in believed.values() for telling in belief.tellings)
    old = {telling.plan.classroom_id for telling in tellings if telling.plan}
    return old | {shift.classroom_id for shift in shifts.values()}


def _noted(plan: Plan | None) -> list[object] | None:
    """What is said, in the words of JSON: for `_told`."""
    return [plan.classroom_id, plan.starts_at.isoformat(), plan.ends_at.isoformat()] if plan else None


def _told(due: Due, noted: Sequence[Any]) -> dict[str, object]:
    # The version that it was made for, whatever the shift's version is by now: of both the plan is the same.
    classroom_id, starts_at, ends_at = noted
    return {
        "shift_id": due.subject_id,
        "account_id": due.account_id,
        "kind": due.kind,
        "version": due.subject_version,
        "classroom_id": classroom_id,
        "starts_at": datetime.fromisoformat(starts_at),
        "ends_at": datetime.fromisoformat(ends_at),
        "at": now(),
    }
