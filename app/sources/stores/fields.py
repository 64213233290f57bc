"""What people may write into a store and a report."""

from collections.abc import Iterator
from dataclasses import dataclass

from flask_babel import gettext as _

from app.faults import Fault, InvalidInput
from app.names import faults_of, faults_of_text, fits_one_line

LONGEST_TITLE = 100
LONGEST_DESCRIPTION = 2000
LONGEST_ADDRESS = 200
LONGEST_PHONE = 40
LONGEST_HOURS = 500


@dataclass(frozen=True, slots=True)
class StoreFields:
    """What an owner says of a store; all but the name may be empty until it is known."""

    name: str
    address: str
    phone: str
    hours: str


@dataclass(frozen=True, slots=True)
class ReportFields:
    """What somebody found at a store."""

    title: str
    description: str


def check_store(fields: StoreFields) -> None:
    """Raises InvalidInput with every fault."""
    if faults := list(_store_faults(fields)):
        raise InvalidInput(*faults)


def report_faults(fields: ReportFields) -> Iterator[Fault]:
    """What is wrong with it, if anything."""
    if not fits_one_line(fields.title, LONGEST_TITLE):
        yield Fault("title", _("Enter 1 to %(number)d characters on one line.", number=LONGEST_TITLE))
    yield from faults_of_text(fields.description, LONGEST_DESCRIPTION, "description")


def _store_faults(fields: StoreFields) -> Iterator[Fault]:
    yield from faults_of(fields.name)
    for field, typed, longest in (("address", fields.address, LONGEST_ADDRESS), ("phone", fields.phone, LONGEST_PHONE)):
        if typed and not fits_one_line(typed, longest):
            yield Fault(field, _("Expected at most %(number)d characters on one line.", number=longest))
    yield from faults_of_text(fields.hours, LONGEST_HOURS, "hours", required=False)
