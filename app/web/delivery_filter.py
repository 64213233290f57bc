"""The filter of the delivery list: read from the address, checked, and written back into links."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import url_for
from flask_babel import gettext as _
from flask_login import current_user

from app.codes import CancelReason, FailureCode
from app.faults import Fault, InvalidInput
from app.kinds import KINDS
from app.outbox.listing import Filter
from app.outbox.state import State
from app.place import Place
from app.web import cursors
from app.web.days import read_days
from app.web.delivery_rows import sees_people
from app.web.forms import by_field, number_in, typed_in
from app.web.words import CHANNELS

FIELDS = (
    "state", "subject", "person", "group", "kind", "channel", "code", "scope", "dead", "q", "from", "to", "order",
)  # fmt: skip
FOLDED = ("kind", "channel", "scope", "dead", "from", "to")
"""Fields that are folded away unless one of them narrows the list."""
LONGEST_SEARCH = 200
ROWS_SHOWN = 200
OLDEST_FIRST = "oldest"


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for: as typed, and as the ledger wants it. With a fault nothing is asked of the ledger."""

    typed: Mapping[str, str]
    filter: Filter
    place: Mapping[str, str]
    """Where in the list, as an address holds it: `cursor`, `before`, or nothing."""
    after: Place | None
    before: Place | None
    """Where the page ends that is wanted: the one before another."""
    seen: Place | None
    """The newest row when the reader opened the list: later ones are announced, not put under their eyes."""
    shown: Sequence[int]
    """The rows that the reader has before them, when a tick asks how they stand now."""
    faults: Mapping[str, str]

    @property
    def narrowed(self) -> bool:
        """Whether anything narrows the list."""
        return any(word for name, word in self.typed.items() if name != "order")

    @property
    def narrowed_by_folded(self) -> bool:
        """Whether a field narrows it that is folded away otherwise."""
        return any(self.typed[name] for name in FOLDED)

    @property
    def leaves_failed(self) -> bool:
        """Whether what failed is among what is looked at."""
        return self.filter.state in (None, State.FAILED)

    @property
    def oldest_first(self) -> bool:
        """Whether the list begins with the oldest."""
        return self.typed["order"] == OLDEST_FIRST

    def parameters(self, **changes: str | None) -> dict[str, str]:
        """What narrows the list, with some of it changed, as an address holds it."""
        return {name: value for name, value in {**self.typed, **changes}.items() if value}

    def address(self, **changes: str | None) -> str:
        """The address of this filter with some of it changed; the place in the list is dropped."""
        values: dict[str, Any] = self.parameters(**changes)
        return url_for("deliveries.index", **values)


def read(arguments: Mapping[str, str]) -> Asked:
    """Read an address. Faults are kept, so that the page can say all of them at their fields."""
    typed = typed_in(arguments, FIELDS)
    faults: list[Fault] = []
    place = {name: word for name in ("cursor", "before") if (word := arguments.get(name, ""))}
    after = before = seen = None
    try:
        after, before, seen = (cursors.read(arguments.get(name, "")) for name in ("cursor", "before", "seen"))
    except InvalidInput as error:
        faults += error.faults
    faults += _faults(typed)
    shown = [number for one in arguments.get("shown", "").split(",")[:ROWS_SHOWN] if (number := number_in(one))]
    return Asked(typed, Filter() if faults else _filter(typed), place, after, before, seen, shown, by_field(faults))


def _faults(typed: Mapping[str, str]) -> list[Fault]:
    choices: dict[str, Collection[str]] = {
        "state": list(State),
        "kind": KINDS,
        "channel": CHANNELS,
        "code": [*FailureCode, *CancelReason],
        "dead": ["1"],
        "order": [OLDEST_FIRST],
    }
    unknown = [name for name, known in choices.items() if typed[name] and typed[name] not in known]
    faults = [Fault(name, _("Choose one of the list.")) for name in unknown]
    if typed["subject"] and _subject(typed["subject"]) is None:
        unclear = _("What the deliveries are about was not understood. Clear the filter to see all.")
        faults.append(Fault("subject", unclear))
    if typed["scope"] and _subject(typed["scope"]) is None:
        faults.append(Fault("scope", _("Choose one of the list.")))
    faults += [
        Fault(name, _("Whose deliveries to show was not understood. Search for the name again."))
        for name in ("person", "group")
        if typed[name] and (number_in(typed[name]) is None or not sees_people(current_user.reader))
    ]
    if len(typed["q"]) > LONGEST_SEARCH:
        faults.append(Fault("q", _("Enter at most %(longest)d characters.", longest=LONGEST_SEARCH)))
    if ":" in typed["q"] and not sees_people(current_user.reader):  # a once-only key names the account it is for
        faults.append(Fault("q", _("Enter the number of a delivery, a retry key or a request id.")))
    return [*faults, *read_days(typed).faults]


def _filter(typed: Mapping[str, str]) -> Filter:
    days = read_days(typed)
    return Filter(
        state=typed["state"] or None,
        kind=typed["kind"] or None,
        subject=_subject(typed["subject"]),
        channel=typed["channel"] or None,
        scope=typed["scope"] or None,
        account_id=number_in(typed["person"]),
        group_id=number_in(typed["group"]),
        code=typed["code"] or None,
        dead_letter=bool(typed["dead"]),
        search=typed["q"] or None,
        created_from=days.since,
        created_before=days.before,
    )


def _subject(written: str) -> tuple[str, int] | None:
    """What links to this list say that it is about, such as `announcement:7`."""
    name, _colon, number = written.partition(":")
    subject_id = number_in(number)
    return (name, subject_id) if name and subject_id else None
