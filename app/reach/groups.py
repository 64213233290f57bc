"""LINE groups: the one that the settings name, and those that an admin entered."""

from dataclasses import dataclass

from flask_babel import gettext as _
from sqlalchemy import select

from app.clock import now
from app.config import LANGUAGES
from app.extensions import db
from app.faults import Fault, InvalidInput
from app.names import faults_of
from app.reach.models import LINE_GROUP_ID, LineGroup
from app.transaction import Transaction

DEFAULT_NAME = "LINE_GROUP_ID"
"""What the group of the settings is called until somebody names it."""


@dataclass(frozen=True, slots=True)
class Group:
    """A LINE group as pages show it, without LINE's id of it."""

    id: int
    name: str


def groups_called(words: str, size: int) -> list[Group]:
    """The first groups by name whose name holds these words."""
    found = LineGroup.name.icontains(words, autoescape=True)
    rows = select(LineGroup.id, LineGroup.name).where(found).order_by(LineGroup.name, LineGroup.id).limit(size)
    return [Group(*row) for row in db.session.execute(rows)]


def get_group(group_id: int) -> Group | None:
    """One group."""
    row = db.session.execute(select(LineGroup.id, LineGroup.name).where(LineGroup.id == group_id)).one_or_none()
    return Group(*row) if row else None


def group_of_settings(tx: Transaction, line_group_id: str) -> int:
    """The id of the group that LINE_GROUP_ID names; it is entered when it is new."""
    return _enter(tx, line_group_id, DEFAULT_NAME, LANGUAGES[0])


def add_group(tx: Transaction, line_group_id: str, name: str, language: str) -> int:
    """Enter a group, and return its id. Raises InvalidInput with every fault."""
    name = name.strip()
    faults = faults_of(name)
    if not LINE_GROUP_ID.fullmatch(line_group_id):
        faults.append(Fault("line_group_id", _("Enter a LINE group id: C or R, and 32 digits or letters a to f.")))
    if language not in LANGUAGES:
        faults.append(Fault("language", _("Choose one of: %(choices)s.", choices=", ".join(LANGUAGES))))
    if faults:
        raise InvalidInput(*faults)
    return _enter(tx, line_group_id, name, language)


def _enter(tx: Transaction, line_group_id: str, name: str, language: str) -> int:
    new = tx.insert(LineGroup).values(line_group_id=line_group_id, name=name, language=language, created_at=now())
    # One that is known keeps what it has; an UPDATE of nothing makes its id come back.
    known = new.on_conflict_do_update(index_elements=["line_group_id"], set_={"line_group_id": line_group_id})
    return tx.session.scalars(known.returning(LineGroup.id)).one()
