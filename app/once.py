"""What a form makes, once: sent again it makes nothing, and sent again with something else in it, it is refused.

Whoever goes back in the browser and writes something else sends it under the id of the form before. Taken for the same
act it would be lost, while the page says that it was sent. What was sent is kept as a digest beside that id: the row
itself changes with the years, and whoever sends the same form again would read that it is another.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _
from sqlalchemy import select

from app.columns import Base
from app.faults import Fault, InvalidInput
from app.tokens import digest
from app.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Made:
    """The row of a form. `again`: the form had made it before."""

    id: int
    again: bool


def make_once(
    tx: Transaction, table: type[Base], form: Mapping[str, object], sent: Sequence[object], **values: object
) -> Made:
    """Insert a row unless this form did. `form` holds the columns that tell forms apart, `sent` all that was typed.

    Raises InvalidInput when the form was sent before with something else in it. Of many at once, one inserts.
    """
    column, sent_hash = table.__table__.c, digest(json.dumps(sent))
    made: int | None = tx.session.scalar(
        tx.insert(table)
        .values(**form, **values, sent_hash=sent_hash)
        .on_conflict_do_nothing(index_elements=list(form))
        .returning(column.id)
    )
    if made is not None:
        return Made(made, again=False)
    this = [column[name] == value for name, value in form.items()]
    stored = tx.session.execute(select(column.id, column.sent_hash).where(*this)).one()
    if stored.sent_hash not in (sent_hash, None):  # None: made before digests were kept
        refused = _(
            "This form was sent before, with something else in it. Look at what was sent then; "
            "to send this as well, send it again."
        )
        raise InvalidInput(Fault("request_id", refused))
    return Made(stored.id, again=True)
