"""Making a classroom, and what its name may be."""

import re

from flask_babel import gettext as _

from app.clock import now
from app.faults import Fault, InvalidInput
from app.sources.classroom.models import Classroom
from app.transaction import Transaction

LONGEST_NAME = 100

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def create_classroom(tx: Transaction, name: str) -> int:
    """Make a classroom and return its id. Raises InvalidInput for a name that is no name, or is taken."""
    name = name.strip()
    if not fits_one_line(name, LONGEST_NAME):
        raise InvalidInput(Fault("name", _("Enter a name of 1 to 100 characters on one line.")))
    made = tx.session.scalar(
        tx.insert(Classroom)
        .values(name=name, created_at=now())
        .on_conflict_do_nothing(index_elements=["name"])
        .returning(Classroom.id)
    )
    if made is None:
        raise InvalidInput(Fault("name", _("A classroom with this name already exists.")))
    return int(made)


def fits_one_line(words: str, longest: int) -> bool:
    """Whether these are 1 to `longest` characters without a line break or another control character."""
    return 1 <= len(words) <= longest and not _CONTROL.search(words)
