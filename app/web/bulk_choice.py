"""Which deliveries somebody wants retried: a filter such as the list of deliveries has, or rows that were ticked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from app.clock import now
from app.faults import Fault, InvalidInput
from app.operations.bulk_plan import Matching, Picked, Selection
from app.place import Place
from app.web import cursors, delivery_filter
from app.web.delivery_filter import Asked
from app.web.forms import by_field, number_in

PERSONAL = ("person", "group", "q")
NOT_SAID = 1
"""Of these fields it is kept that there was something: it may name somebody."""
NO_CONDITIONS = ("state", "order")
"""What failed is retried, in no order, whatever the list showed."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen, as typed and as it is asked of the ledger; with a fault nothing is asked."""

    asked: Asked
    at: datetime
    """When its reader was told what would happen."""
    ids: Sequence[str]
    selection: Selection
    faults: Mapping[str, str]

    @property
    def seen(self) -> str:
        """The word for that time, for a form to carry."""
        return told_at(self.at)

    @property
    def fields(self) -> list[tuple[str, str]]:
        """What a form has to carry to mean the same."""
        if self.ids:
            return [("ids", one) for one in self.ids]
        return [(name, value) for name, value in self.asked.typed.items() if value]

    @property
    def kept(self) -> dict[str, str | int]:
        """What of it is kept, for words on a page."""
        if self.ids:
            return {"ids": len(self.ids)}
        narrowing = ((name, value) for name, value in self.fields if name not in NO_CONDITIONS)
        return {name: NOT_SAID if name in PERSONAL else value for name, value in narrowing}


def told_at(instant: datetime) -> str:
    """The word by which `seen` carries an instant."""
    return cursors.write(Place(instant, 1))


def read(arguments: MultiDict[str, str]) -> Choice:
    """Read an address or a form; `seen` is when its reader was told what would happen. Rows that were ticked count
    alone, whatever filter stood over them."""
    asked, ids = delivery_filter.read(arguments), list(dict.fromkeys(arguments.getlist("ids")))
    at = asked.seen.at if asked.seen else now()
    matching = Matching(asked.filter, at)
    if not ids:
        return Choice(asked, at, ids, matching, asked.faults)
    try:
        return Choice(asked, at, ids, Picked(_numbers(ids)), {})
    except InvalidInput as error:
        return Choice(asked, at, ids, matching, by_field(error.faults))


def _numbers(ids: Sequence[str]) -> tuple[int, ...]:
    """Raises InvalidInput."""
    numbers = [number for one in ids if (number := number_in(one))]
    if len(numbers) < len(ids):
        raise InvalidInput(Fault("ids", _("Which deliveries were ticked was not understood. Tick them anew.")))
    return tuple(numbers)
