"""The filter of the delivery list: read from the address, checked, and written back into links."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from flask import url_for
from flask_babel import gettext as _

from app.clock import now
from app.codes import CancelReason, FailureCode
from app.faults import Fault, InvalidInput
from app.kinds import KINDS
from app.outbox.listing import Filter
from app.outbox.state import State
from app.place import Place
from app.web import cursors
from app.web.days import midnight, read_day
from app.web.forms import by_field, number_in, typed_in
from app.web.words import CHANNELS

FIELDS = ("state", "subject", "kind", "channel", "code", "q", "from", "to")
LONGEST_SEARCH = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for: as typed, and as the ledger wants it. With a fault nothing is asked of the ledger."""

    typed: Mapping[str, str]
    filter: Filter
    cursor: str
    after: Place | None
    seen: datetime
    """When the reader opened the list: rows made later are announced, not put under their eyes."""
    faults: Mapping[str, str]

    @property
    def narrowed(self) -> bool:
        """Whether anything narrows the list."""
        return any(self.typed.values())

    @property
    def narrowed_by_details(self) -> bool:
        """Whether a field narrows it that is folded away otherwise."""
        return any(self.typed[name] for name in ("kind", "channel", "from", "to"))

    def address(self, **changes: str | None) -> str:
        """The address of this filter with some of it changed; the place in the list is dropped."""
        changed = {name: value for name, value in {**self.typed, **changes}.items() if value}
        return f"{url_for('deliveries.index')}?{urlencode(changed)}".removesuffix("?")


def read(arguments: Mapping[str, str]) -> Asked:
    """Read an address. Faults are kept, so that the page can say all of them at their fields."""
    typed = typed_in(arguments, FIELDS)
    faults: list[Fault] = []
    cursor = arguments.get("cursor", "")
    try:
        after = cursors.read(cursor)
    except InvalidInput as error:
        after, faults = None, [*error.faults]
    seen = _instant(arguments.get("seen", "")) or now()
    faults += _faults(typed)
    return Asked(typed, Filter() if faults else _filter(typed), cursor, after, seen, by_field(faults))


def _faults(typed: Mapping[str, str]) -> list[Fault]:
    choices: dict[str, Collection[str]] = {
        "state": list(State),
        "kind": KINDS,
        "channel": CHANNELS,
        "code": [*FailureCode, *CancelReason],
    }
    unknown = [name for name, known in choices.items() if typed[name] and typed[name] not in known]
    faults = [Fault(name, _("Choose one of the list.")) for name in unknown]
    if typed["subject"] and _subject(typed["subject"]) is None:
        unclear = _("What the deliveries are about was not understood. Clear the filter to see all.")
        faults.append(Fault("subject", unclear))
    if len(typed["q"]) > LONGEST_SEARCH:
        faults.append(Fault("q", _("Enter at most %(longest)d characters.", longest=LONGEST_SEARCH)))
    for name in ("from", "to"):
        if typed[name] and read_day(typed[name]) is None:
            faults.append(Fault(name, _("Enter a date such as 2026-11-30.")))
    first, last = read_day(typed["from"]), read_day(typed["to"])
    if first and last and last < first:
        faults.append(Fault("to", _("The last day is before the first.")))
    return faults


def _filter(typed: Mapping[str, str]) -> Filter:
    first, last = read_day(typed["from"]), read_day(typed["to"])
    return Filter(
        state=typed["state"] or None,
        kind=typed["kind"] or None,
        subject=_subject(typed["subject"]),
        channel=typed["channel"] or None,
        code=typed["code"] or None,
        search=typed["q"] or None,
        created_from=midnight(first) if first else None,
        created_before=midnight(last + timedelta(days=1)) if last else None,
    )


def _subject(written: str) -> tuple[str, int] | None:
    """What links to this list say that it is about, such as `announcement:7`."""
    name, _colon, number = written.partition(":")
    subject_id = number_in(number)
    return (name, subject_id) if name and subject_id else None


def _instant(written: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(written)
        return found.astimezone(UTC) if found.tzinfo and found.year > 1970 else None
    except (ValueError, OverflowError):
        return None
