"""Who would be corrected if shifts were changed: said before anything is."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from app.clock import now
from app.sources.classroom.models import ShiftStatus
from app.sources.classroom.shifts.edit import ShiftValues
from app.sources.classroom.shifts.standing import Standing, account_names, standing
from app.sources.classroom.telling.audience import reachable
from app.sources.classroom.telling.beliefs import beliefs
from app.sources.classroom.telling.plans import Owed, owed


@dataclass(frozen=True, slots=True)
class Misled:
    """Somebody who was, or may have been, told of a shift what would no longer hold.

    `reachable`: they get a correction at once. If not, somebody has to tell them.
    """

    account_id: int
    name: str
    reachable: bool


def misled_by_change(shift_id: int, values: ShiftValues) -> list[Misled]:
    """Who would be misled if this shift became so."""
    return _misled({one.id: _so(one, values) for one in standing([shift_id]).values()})


def misled_by_status(shift_ids: Collection[int], status: ShiftStatus) -> list[Misled]:
    """Who would be misled if these shifts were confirmed or unconfirmed."""
    return _misled({one.id: replace(one, status=status) for one in standing(shift_ids).values()})


def misled_by_deletion(shift_ids: Collection[int]) -> list[Misled]:
    """Who would be misled if these shifts were deleted."""
    return _misled({one.id: replace(one, deleted=True) for one in standing(shift_ids).values()})


def _so(one: Standing, values: ShiftValues) -> Standing:
    return replace(
        one, tutor_id=values.tutor_id, classroom_id=values.classroom_id, status=values.status,
        starts_at=values.starts_at, ends_at=values.ends_at,
    )  # fmt: skip


def _misled(wanted: Mapping[int, Standing]) -> list[Misled]:
    """By name, each once; whoever already is misled by a shift that stays as it is gets their correction anyway."""
    at = now()
    wrong = {
        account_id
        for (shift_id, account_id), belief in beliefs(wanted.keys()).items()
        if owed(wanted[shift_id].plan_for(account_id), belief, at) is Owed.CORRECTION
    }
    names, people = account_names(wrong), reachable(wrong)
    misled = [Misled(account_id, names[account_id], account_id in people) for account_id in wrong]
    return sorted(misled, key=lambda one: (one.name, one.account_id))
