"""Making a classroom."""

from flask_babel import gettext as _

from app.clock import now
from app.faults import Fault, InvalidInput
from app.names import faults_of
from app.sources.classroom.models import Classroom
from app.transaction import Transaction


def create_classroom(tx: Transaction, name: str) -> int:
    """Make a classroom and return its id. Raises InvalidInput for a name that is no name, or is taken."""
    name = name.strip()
    if faults := faults_of(name):
        raise InvalidInput(*faults)
    made = tx.session.scalar(
        tx.insert(Classroom)
        .values(name=name, created_at=now())
        .on_conflict_do_nothing(index_elements=["name"])
        .returning(Classroom.id)
    )
    if made is None:
        raise InvalidInput(Fault("name", _("A classroom with this name already exists.")))
    return int(made)
