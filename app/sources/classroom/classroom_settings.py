"""Classrooms as an admin keeps them: their names, and the LINE group that each one's table goes to."""

from dataclasses import dataclass

from flask_babel import gettext as _
from sqlalchemy import select, update

from app import audit
from app.audit import Actor
from app.extensions import db
from app.faults import Fault, InvalidInput
from app.names import faults_of
from app.reach.models import LineGroup
from app.sources.classroom.classrooms import create_classroom
from app.sources.classroom.models import Classroom
from app.transaction import Transaction

SUBJECT = "classroom"


@dataclass(frozen=True, slots=True)
class ClassroomLine:
    """One classroom. `group_id` is None where LINE_GROUP_ID gets the table."""

    id: int
    name: str
    group_id: int | None


def classrooms() -> list[ClassroomLine]:
    """All of them, by name."""
    rows = db.session.execute(select(Classroom.id, Classroom.name, Classroom.group_id).order_by(Classroom.name))
    return [ClassroomLine(*row) for row in rows]


def add_classroom(tx: Transaction, actor: Actor, name: str, group_id: int | None) -> int:
    """Make a classroom, and return its id. Raises InvalidInput with every fault."""
    _check_group(group_id)
    made = create_classroom(tx, name)
    tx.session.execute(update(Classroom).where(Classroom.id == made).values(group_id=group_id))
    audit.note(tx, actor, "add", (SUBJECT, made))
    return made


def change_classroom(tx: Transaction, actor: Actor, classroom_id: int, name: str, group_id: int | None) -> bool:
    """Rename a classroom and choose its group; False when there is no such classroom.

    Nobody is told of a new name: what was said with the old one still means the same place. Raises InvalidInput.
    """
    name = name.strip()
    tx.lock(Classroom)  # a name that somebody else is taking right now is taken
    faults = faults_of(name)
    others = (Classroom.name == name) & (Classroom.id != classroom_id)
    if not faults and tx.session.scalar(select(Classroom.id).where(others)) is not None:
        faults = [Fault("name", _("A classroom with this name already exists."))]
    if faults:
        raise InvalidInput(*faults)
    _check_group(group_id)
    changed = update(Classroom).where(Classroom.id == classroom_id).values(name=name, group_id=group_id)
    if tx.session.scalar(changed.returning(Classroom.id)) is None:
        return False
    audit.note(tx, actor, "change", (SUBJECT, classroom_id), {"group_id": group_id})
    return True


def _check_group(group_id: int | None) -> None:
    if group_id is not None and db.session.get(LineGroup, group_id) is None:
        raise InvalidInput(Fault("group", _("Choose one of the list.")))
