"""LINE groups: the one that the settings name, and those that an admin entered."""

from flask_babel import gettext as _

from app.clock import now
from app.config import LANGUAGES
from app.faults import Fault, InvalidInput
from app.names import faults_of
from app.reach.models import LINE_GROUP_ID, LineGroup
from app.transaction import Transaction

DEFAULT_NAME = "LINE_GROUP_ID"
"""What the group of the settings is called until somebody names it."""


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
