"""What stands in the fields of a form that was sent, and what is wrong with them."""

from collections.abc import Collection, Mapping

from flask import abort, request

from app.faults import Fault
from app.names import without_edges
from app.web.cursors import BIGGEST_ID

LONGEST_REQUEST_ID = 43


def typed_in(given: Mapping[str, str], fields: Collection[str]) -> dict[str, str]:
    """These fields, as people meant them."""
    return {name: without_edges(given.get(name, "")) for name in fields}


def request_id() -> str:
    """The form's own id; 400 for a form that has none."""
    given = request.form.get("request_id", "")
    return given if 0 < len(given) <= LONGEST_REQUEST_ID and given.isascii() else abort(400)


def number_in(given: str) -> int | None:
    """The id that was typed or chosen, or that an address holds; None if it is none."""
    return int(given) if given.isdecimal() and len(given) < 20 and 0 < int(given) <= BIGGEST_ID else None


def by_field(faults: Collection[Fault]) -> dict[str, str]:
    """What is wrong at each field, in sentences."""
    fields = dict.fromkeys(fault.field for fault in faults)
    return {field: " ".join(fault.message for fault in faults if fault.field == field) for field in fields}
