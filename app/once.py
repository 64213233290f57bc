"""What a form makes, once: sent again it makes nothing, and sent again with something else in it, it is refused.

Whoever goes back in the browser and writes something else sends it under the id of the form before. Taken for the same
act it would be lost, while the page says that it was sent.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from flask_babel import gettext as _
from sqlalchemy import select

from app.columns import Base
from app.faults import Fault, InvalidInput
from app.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Made:
    """The row of a form. `again`: the form had made it before."""

    id: int
    again: bool


def make_once(
    tx: Transaction, table: type[Base], form: Mapping[str, object], written: Mapping[str, object], **beside: object
) -> Made:
    """Insert a row unless this form did. `form` holds the columns that tell forms apart, `written` what was typed.

    Raises InvalidInput when the form was sent before with something else in it. Of many at once, one inserts.
    """
    column = table.__table__.c
    made: int | None = tx.session.scalar(
        tx.insert(table)
        .values(**form, **written, **beside)
        .on_conflict_do_nothing(index_elements=list(form))
        .returning(column.id)
    )
    if made is not None:
        return Made(made, again=False)
    this = [column[name] == value for name, value in form.items()]
    stored = tx.session.execute(select(column.id, *(column[name] for name in written)).where(*this)).one()
    demand_same(tuple(stored[1:]), tuple(written.values()))
    return Made(stored.id, again=True)


def demand_same(stored: object, sent: object) -> None:
    """What a form that was sent before made is what it asks for now. Raises InvalidInput."""
    if stored != sent:
        refused = _(
            "This form was sent before, with something else in it. Look at what was sent then; "
            "to send this as well, send it again."
        )
        raise InvalidInput(Fault("request_id", refused))
