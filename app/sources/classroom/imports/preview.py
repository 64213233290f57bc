"""What an import would do, as a page or a command shows it before anything is stored."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from app.clock import now
from app.sources.classroom.imports.csv_file import ShiftFile
from app.sources.classroom.imports.file_clashes import FileClash, clashes_of
from app.sources.classroom.imports.import_shifts import Change, Prepared, prepare
from app.sources.classroom.imports.matching import Known, Wanted
from app.sources.classroom.models import ShiftStatus
from app.sources.classroom.shifts.listing import NotReached, not_reached
from app.sources.classroom.shifts.standing import account_names, classroom_names
from app.sources.classroom.telling.audience import reachable
from app.sources.classroom.telling.beliefs import beliefs
from app.sources.classroom.telling.plans import Owed, Plan, owed, plan_for


@dataclass(frozen=True, slots=True)
class PreviewedShift:
    """One shift, before or after. `deleted` is only ever true of one that would come back."""

    external_id: str | None
    tutor: str
    classroom: str
    starts_at: datetime
    ends_at: datetime
    status: ShiftStatus
    note: str
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class PreviewedChange:
    """One shift that would change. `corrected`: the names of those who were told of it and would get a correction."""

    shift_id: int
    old: PreviewedShift
    new: PreviewedShift
    corrected: Sequence[str]


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be added and changed, in the order of the file; `unchanged` counts its lines that change nothing.

    `unreachable`: tutors of lines to come who take no LINE messages now. `clashes`: of what the file adds and moves.
    """

    added: Sequence[PreviewedShift]
    changed: Sequence[PreviewedChange]
    unchanged: int
    new_classrooms: Sequence[str]
    unreachable: Sequence[NotReached]
    clashes: Sequence[FileClash]


def preview(file: ShiftFile, *, create_classrooms: bool) -> Preview:
    """Say what importing this file now would do; reads only. Raises InvalidInput with every fault of the file."""
    return preview_of(prepare(file, create_classrooms=create_classrooms))


def preview_of(prepared: Prepared) -> Preview:
    """What was prepared, in the words of a page."""
    names = _Names.of(prepared)
    corrected = _corrected(prepared.changed)
    return Preview(
        added=[names.after(one) for one in prepared.added],
        changed=[
            PreviewedChange(one.known.id, names.before(one.known), names.changed(one), corrected.get(one.known.id, ()))
            for one in prepared.changed
        ],
        unchanged=len(prepared.file.rows) - len(prepared.added) - len(prepared.changed),
        new_classrooms=prepared.new_classrooms,
        unreachable=not_reached(_tutors_to_come(prepared)),
        clashes=clashes_of(prepared),
    )


@dataclass(frozen=True, slots=True)
class _Names:
    tutors: Mapping[int, str]
    classrooms: Mapping[int, str]

    @classmethod
    def of(cls, prepared: Prepared) -> "_Names":
        tutors = {one.tutor_id for one in prepared.added}
        for change in prepared.changed:
            tutors |= {change.known.tutor_id, change.wanted.tutor_id}
        return cls(account_names(tutors), classroom_names({change.known.classroom_id for change in prepared.changed}))

    def before(self, known: Known) -> PreviewedShift:
        tutor, classroom = self.tutors[known.tutor_id], self.classrooms[known.classroom_id]
        status, deleted = ShiftStatus(known.status), known.deleted_at is not None
        return PreviewedShift(
            known.external_id, tutor, classroom, known.starts_at, known.ends_at, status, known.note, deleted
        )

    def after(self, one: Wanted) -> PreviewedShift:
        tutor, status = self.tutors[one.tutor_id], ShiftStatus(one.status)
        return PreviewedShift(one.external_id, tutor, one.classroom, one.starts_at, one.ends_at, status, one.note or "")

    def changed(self, change: Change) -> PreviewedShift:
        known, one = change.known, change.wanted
        note = known.note if one.note is None else one.note
        return replace(self.after(one), external_id=one.external_id or known.external_id, note=note)


def _tutors_to_come(prepared: Prepared) -> set[int]:
    to_come = {row.tutor_email for row in prepared.file.rows if row.starts_at > now()}
    return {prepared.found.tutors[email] for email in to_come}


def _corrected(changed: Collection[Change]) -> dict[int, list[str]]:
    """Who would be corrected about each shift."""
    anew = {change.known.id: change.wanted for change in changed if change.told_anew}
    at = now()
    wrong = [
        (shift_id, account_id)
        for (shift_id, account_id), belief in sorted(beliefs(anew).items())
        if owed(_plan_for(account_id, anew[shift_id]), belief, at) is Owed.CORRECTION
    ]
    people = reachable({account_id for _, account_id in wrong})
    corrected: dict[int, list[str]] = {}
    for shift_id, account_id in wrong:
        if account_id in people:
            corrected.setdefault(shift_id, []).append(people[account_id].name)
    return corrected


def _plan_for(account_id: int, one: Wanted) -> Plan | None:
    # A classroom still to be made differs from every one that anybody was told of.
    plan = Plan(one.classroom_id or 0, one.starts_at, one.ends_at)
    takes_place = one.status == ShiftStatus.CONFIRMED
    return plan_for(account_id, tutor_id=one.tutor_id, takes_place=takes_place, plan=plan)
