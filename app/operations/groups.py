"""The LINE groups, as an admin enters and names them; written down, but for their LINE ids."""

from dataclasses import dataclass

from flask_babel import gettext as _
from sqlalchemy import select, update

from app import audit
from app.audit import Actor
from app.config import LANGUAGES
from app.extensions import db
from app.faults import Fault, InvalidInput
from app.names import faults_of
from app.reach import groups
from app.reach.models import LineGroup
from app.transaction import Transaction

SUBJECT = "line_group"
TAIL = 4


@dataclass(frozen=True, slots=True)
class GroupLine:
    """One group. `tail` is the end of its LINE id: enough to tell two apart, no use for anything else."""

    id: int
    name: str
    language: str
    tail: str
    is_default: bool
    """Whether LINE_GROUP_ID names it."""


def known_groups(default: str | None) -> list[GroupLine]:
    """All of them, by name. `default` is LINE_GROUP_ID."""
    rows = db.session.scalars(select(LineGroup).order_by(LineGroup.name, LineGroup.id))
    return [
        GroupLine(one.id, one.name, one.language, f"…{one.line_group_id[-TAIL:]}", one.line_group_id == default)
        for one in rows
    ]  # fmt: skip


def add_group(tx: Transaction, actor: Actor, line_group_id: str, name: str, language: str) -> int:
    """Enter a group, and return its id. Raises InvalidInput with every fault, also for one that is entered already."""
    line_group_id = line_group_id.strip()
    tx.lock(LineGroup)  # one that somebody else is entering right now is entered, and keeps the name given there
    if tx.session.scalar(select(LineGroup.id).where(LineGroup.line_group_id == line_group_id)) is not None:
        raise InvalidInput(Fault("line_group_id", _("This group is entered already: change it in the list.")))
    made = groups.add_group(tx, line_group_id, name, language)
    audit.note(tx, actor, "add", (SUBJECT, made))
    return made


def change_group(tx: Transaction, actor: Actor, group_id: int, name: str, language: str) -> bool:
    """Name a group, and choose its language; False when there is no such group. Raises InvalidInput."""
    name = name.strip()
    faults = faults_of(name)
    if language not in LANGUAGES:
        faults.append(Fault("language", _("Choose one of: %(choices)s.", choices=", ".join(LANGUAGES))))
    if faults:
        raise InvalidInput(*faults)
    changed = update(LineGroup).where(LineGroup.id == group_id).values(name=name, language=language)
    if tx.session.scalar(changed.returning(LineGroup.id)) is None:
        return False
    audit.note(tx, actor, "change", (SUBJECT, group_id), {"language": language})
    return True
