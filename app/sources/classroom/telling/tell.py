"""Owing reminders and corrections: by the verb that changed a shift, at once, and by the scan, which is the net."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from app.clock import now
from app.outbox import transitions
from app.outbox.enqueue import NewDelivery, enqueue
from app.reach.preferences import LINE
from app.reach.resolve import LINE_LINK
from app.sources.classroom.imports.kept_files import forget_files
from app.sources.classroom.shifts.standing import Standing, standing
from app.sources.classroom.telling.audience import Reachable, reachable, shifts_with_news
from app.sources.classroom.telling.beliefs import SUBJECT, beliefs
from app.sources.classroom.telling.made import living
from app.sources.classroom.telling.plans import Belief, Made, last_start, owed, says_it
from app.transaction import Transaction, slices, writing


def remind() -> dict[str, int]:
    """The reminder scan; how many shifts it looked at, and how many messages became owed.

    It also forgets the files of imports that nobody confirmed within their hour: they hold people's addresses.
    """
    with writing() as tx:
        forget_files(tx)
    shift_ids = shifts_with_news(now())
    enqueued = 0
    for some in slices(shift_ids):
        with writing() as tx:
            enqueued += tell(tx, some)
    return {"shifts": len(shift_ids), "enqueued": enqueued}


def tell(tx: Transaction, shift_ids: Collection[int]) -> int:
    """Owe whatever is to be told about these shifts now to whoever can be reached; how many messages that newly are.

    What had been canceled only because the tutor could not be reached, and is still owed, is owed again.
    """
    shifts, believed, alive = standing(shift_ids), beliefs(shift_ids), living(shift_ids)
    concerned = {(shift.id, shift.tutor_id) for shift in shifts.values()} | believed.keys()
    people = reachable({account_id for _, account_id in concerned})
    wanted = [
        delivery
        for shift_id, account_id in sorted(concerned)
        if account_id in people
        for delivery in _owed(shifts[shift_id], people[account_id], believed.get((shift_id, account_id)), alive)
    ]
    made = enqueue(tx, wanted)
    reopened = transitions.reopen(tx, [one.dedup_key for one in wanted]) if len(made) < len(wanted) else []
    return len(made) + len(reopened)


def _owed(
    shift: Standing, person: Reachable, belief: Belief | None, alive: Mapping[tuple[int, int, str], Sequence[Made]]
) -> Iterator[NewDelivery]:
    plan = shift.plan_for(person.account_id)
    kind = owed(plan, belief, now())
    # Of a shift that was moved there and back, the message of the first version may still be on its way: it says the
    # same, and under its own retry key it arrives once. One that has ended is another matter, also if it may have
    # arrived: perhaps it never did, so it is told afresh. If a worker cancels it at this very moment, the scan sees.
    on_its_way = alive.get((shift.id, person.account_id, kind), ()) if kind else ()
    if kind is not None and not any(says_it(made, plan, belief) for made in on_its_way):
        yield NewDelivery(
            kind=kind,
            channel=LINE,
            dedup_key=f"{kind}:{shift.id}:{shift.version}:{person.account_id}",
            subject_type=SUBJECT,
            subject_id=shift.id,
            subject_version=shift.version,
            account_id=person.account_id,
            address_type=LINE_LINK,
            address_id=person.link_id,
            address_label=person.name,
            scope=f"classroom:{shift.classroom_id}",
            gate_key="line",
            expires_at=last_start(plan, *(belief.wrong(plan) if belief else [])),
        )
