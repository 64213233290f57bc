"""Where a reader stands in a list, as an opaque word in the address."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime

from flask_babel import gettext as _

from app.faults import Fault, InvalidInput
from app.place import Place

BIGGEST_ID = 2**63 - 1
YEARS = range(1970, 9000)
"""At the ends of the calendar there are zones in which an instant has no date."""


def write(place: Place) -> str:
    """The word for this place."""
    return urlsafe_b64encode(f"{place.at.isoformat()}|{place.id}".encode()).decode().rstrip("=")


def read(word: str) -> Place | None:
    """The place that a word stands for; None for the empty one. Raises InvalidInput for a broken one."""
    if not word:
        return None
    try:
        instant, _bar, number = urlsafe_b64decode(word + "=" * (-len(word) % 4)).decode().partition("|")
        at = datetime.fromisoformat(instant)
        place = Place(at.astimezone(UTC), int(number)) if at.tzinfo and at.year in YEARS else None
    except (ValueError, OverflowError):
        place = None
    if place is None or not 0 < place.id <= BIGGEST_ID:
        raise InvalidInput(Fault("cursor", _("The place in the list was not understood. Start at the newest.")))
    return place
