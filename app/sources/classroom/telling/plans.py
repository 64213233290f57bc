"""What a tutor is to know of a shift, what they may believe, and what is owed to them because of the difference."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

WINDOW = timedelta(hours=2, minutes=15)
"""How long before its start a shift is reminded of: two hours, and a whole interval of the scan."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Where somebody works, from when to when. None in its place means: this shift is not theirs, or is off."""

    classroom_id: int
    starts_at: datetime
    ends_at: datetime


def plan_for(account_id: int, *, tutor_id: int, takes_place: bool, plan: Plan) -> Plan | None:
    """What a shift means for somebody: its plan, if it takes place and is theirs."""
    return plan if takes_place and tutor_id == account_id else None


@dataclass(frozen=True, slots=True)
class Made:
    """What a message says: the plan of the version that it was made for.

    It goes out only while that plan holds, so its first request, repeated byte for byte, says nothing else.
    """

    version: int
    plan: Plan | None


@dataclass(frozen=True, slots=True)
class Telling:
    """One message about a version of a shift. `at` is None where it only may have arrived."""

    version: int
    plan: Plan | None
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Belief:
    """What somebody may hold of a shift: what they were told last, and what may have arrived since. Oldest first."""

    tellings: tuple[Telling, ...]

    def wrong(self, plan: Plan | None) -> list[Plan | None]:
        """Whatever of it is not the plan; the first is what is best known to be believed."""
        return [telling.plan for telling in self.tellings if telling.plan != plan]

    def overtook(self, version: int, plan: Plan | None) -> bool:
        """Whether something that is not the plan was, or may have been, told of a later version than this."""
        return any(telling.version > version and telling.plan != plan for telling in self.tellings)

    def told_since(self, instant: datetime) -> bool:
        """Whether they were told, for certain, at this instant or later."""
        return any(telling.at is not None and telling.at >= instant for telling in self.tellings)


class Owed(StrEnum):
    """What is to be told."""

    REMINDER = "shift_reminder"
    CORRECTION = "shift_correction"


def owed(plan: Plan | None, belief: Belief | None, at: datetime) -> Owed | None:
    """What is owed to somebody who believes this while the plan is that.

    A wrong belief is corrected at once, as long as what it is about has not started. A right one is reminded of when
    the window comes, unless it was told, as a reminder or a correction, within the window.
    """
    wrong = belief.wrong(plan) if belief else []
    if wrong:
        return Owed.CORRECTION if last_start(plan, *wrong) > at else None
    if plan is None or not at < plan.starts_at <= at + WINDOW:
        return None
    return None if _told_inside(plan, belief) else Owed.REMINDER


def says_it(made: Made, plan: Plan | None, belief: Belief | None) -> bool:
    """Whether a message says what is to be said now: its plan is the plan, still or again.

    If something else may have been told since its version, it does not: it may have arrived before that.
    """
    return made.plan == plan and not (belief is not None and belief.overtook(made.version, plan))


def still_owed(kind: Owed, made: Made, plan: Plan | None, belief: Belief | None) -> bool:
    """Whether a message that was owed when it was made still is. Its own tries, which may have arrived, are no reason
    against it: what they say is the plan, and the retry key keeps the person from reading it twice.
    """
    if not says_it(made, plan, belief):
        return False
    wrong = belief is not None and bool(belief.wrong(plan))
    if kind is Owed.CORRECTION:
        return wrong
    return plan is not None and not wrong and not _told_inside(plan, belief)


def _told_inside(plan: Plan, belief: Belief | None) -> bool:
    return belief is not None and belief.told_since(plan.starts_at - WINDOW)


def last_start(*plans: Plan | None) -> datetime:
    """The later of the starts: after it there is nothing left to say. At least one plan must be there."""
    return max(plan.starts_at for plan in plans if plan is not None)
