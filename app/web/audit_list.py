"""Who did what to deliveries and gates, when, and why."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from flask import render_template, request, url_for
from flask_babel import LazyString
from flask_babel import gettext as _

from app.accounts.known import names_of
from app.audit import AuditEntry
from app.faults import Fault, InvalidInput
from app.operations import bulk, deliveries, gates, issues, ledger_acts
from app.operations.ledger_acts import Wanted
from app.place import Place
from app.web import cursors, words
from app.web.days import read_days
from app.web.forms import by_field, number_in, typed_in
from app.web.gates import name_of
from app.web.guards import ADMINS, Pages

ACTS_PER_PAGE = 50
FIELDS = ("act", "who", "subject", "from", "to")

pages = Pages("audit_list", open_to=ADMINS)


@dataclass(frozen=True, slots=True)
class Sort:
    """One sort of subject: the words of the acts on it, and the name of the one that an entry means, with its page."""

    acts: Mapping[str, LazyString]
    named: Callable[[AuditEntry], tuple[str, str]]


def _delivery(entry: AuditEntry) -> tuple[str, str]:
    return _("Delivery %(id)d", id=entry.subject_id), url_for("delivery.show", delivery_id=entry.subject_id)


def _gate(entry: AuditEntry) -> tuple[str, str]:
    return _("Gate %(name)s", name=name_of(str(entry.detail.get("gate")))), url_for("gates.index")


def _bulk_retry(entry: AuditEntry) -> tuple[str, str]:
    return _("Bulk retry %(id)d", id=entry.subject_id), url_for("bulk_retry.show", bulk_id=entry.subject_id)


def _issue(entry: AuditEntry) -> tuple[str, str]:
    channel, code = str(entry.detail.get("channel")), str(entry.detail.get("code"))
    return f"{words.CHANNELS.get(channel, channel)} {code}", url_for("overview.show", _anchor="issues")


SORTS: dict[str, Sort] = {
    deliveries.SUBJECT: Sort(words.ACTS_DONE, _delivery),
    gates.SUBJECT: Sort(words.GATE_ACTS_DONE, _gate),
    bulk.SUBJECT: Sort(words.BULK_ACTS_DONE, _bulk_retry),
    issues.SUBJECT: Sort(words.ISSUE_ACTS_DONE, _issue),
}
"""What is listed. A subject that is missing here is listed elsewhere: an account on its own page, a shift likewise."""


@dataclass(frozen=True, slots=True)
class ActRow:
    """One act. `link` leads to what it was done to, `subject` is its name."""

    id: int
    at: datetime
    who: str
    who_id: int | None
    what: LazyString | str
    subject: str
    link: str
    why: str
    bulk_retry: int | None
    """The bulk retry that it was part of."""
    doubled: bool
    """Whether a possible second copy was confirmed."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for, as typed, and what is wrong with it."""

    typed: Mapping[str, str]
    cursor: str
    after: Place | None
    who: str
    """The name of the account whose acts these are."""
    faults: Mapping[str, str]

    @property
    def narrowed(self) -> bool:
        """Whether anything narrows the list."""
        return any(self.typed.values())

    def address(self, **changes: str | int | None) -> str:
        """The address of this filter with some of it changed; the place in the list is dropped."""
        changed = {name: value for name, value in {**self.typed, **changes}.items() if value}
        return f"{url_for('audit_list.index')}?{urlencode(changed)}".removesuffix("?")


@pages.get("/audit")
def index() -> tuple[str, int]:
    """One page of them. A filter that cannot be read is explained and lists nothing."""
    asked = _asked(request.args)
    found = None if asked.faults else ledger_acts.page(_wanted(asked.typed), asked.after, ACTS_PER_PAGE)
    rows: Sequence[ActRow] = [_row(entry) for entry in found.entries] if found else []
    older = cursors.write(found.next) if found and found.next else None
    page = render_template("audit_list/index.html", asked=asked, rows=rows, older=older, acts=_acts())
    return page, 422 if asked.faults else 200


def _acts() -> dict[str, LazyString]:
    return {act: word for sort in SORTS.values() for act, word in sort.acts.items()}


def _asked(arguments: Mapping[str, str]) -> Asked:
    typed, cursor = typed_in(arguments, FIELDS), arguments.get("cursor", "")
    faults, after = _faults(typed), None
    try:
        after = cursors.read(cursor)
    except InvalidInput as error:
        faults += error.faults
    who = number_in(typed["who"])
    return Asked(typed, cursor, after, names_of([who]).get(who, "") if who else "", by_field(faults))


def _faults(typed: Mapping[str, str]) -> list[Fault]:
    faults: list[Fault] = []
    if typed["act"] and typed["act"] not in _acts():
        faults.append(Fault("act", _("Choose one of the list.")))
    if typed["who"] and number_in(typed["who"]) is None:
        faults.append(Fault("who", _("Whose acts are meant was not understood. Clear the filter to see all.")))
    if typed["subject"] and _subject(typed["subject"]) is None:
        faults.append(
            Fault("subject", _("What the acts were done to was not understood. Clear the filter to see all."))
        )
    return [*faults, *read_days(typed).faults]


def _wanted(typed: Mapping[str, str]) -> Wanted:
    days = read_days(typed)
    return Wanted(
        types=SORTS,
        act=typed["act"] or None,
        who=number_in(typed["who"]),
        subject=_subject(typed["subject"]),
        since=days.since,
        before=days.before,
    )


def _subject(written: str) -> tuple[str, int] | None:
    """What was acted on, such as `delivery:7`."""
    name, _colon, number = written.partition(":")
    subject_id = number_in(number)
    return (name, subject_id) if name in SORTS and subject_id else None


def _row(entry: AuditEntry) -> ActRow:
    sort = SORTS[entry.subject_type]
    subject, link = sort.named(entry)
    return ActRow(
        id=entry.id,
        at=entry.at,
        who=entry.who,
        who_id=entry.actor_id,
        what=sort.acts.get(entry.act, entry.act),
        subject=subject,
        link=link,
        why=entry.why,
        bulk_retry=number if isinstance(number := entry.detail.get("bulk_retry"), int) else None,
        doubled=entry.detail.get("may_double") is True,
    )
