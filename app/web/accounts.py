"""The accounts: who signs in, who is told things, and how."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from flask import abort, render_template, request, url_for
from flask_login import current_user

from app import audit
from app.accounts import invitations, sessions
from app.accounts.known import SUBJECT
from app.accounts.models import Role
from app.reach.people import Person, get_person, people
from app.sources.invitations.send_by_line import is_sending
from app.web import words
from app.web.cursors import BIGGEST_ID
from app.web.forms import number_in
from app.web.guards import ADMINS, Pages

ADDRESS = f"/settings/accounts/<int(min=1, max={BIGGEST_ID}):account_id>"
ROWS_PER_PAGE = 50
LONGEST_SEARCH = 200
NOTHING: Mapping[str, str] = MappingProxyType({})

pages = Pages("accounts", open_to=ADMINS)


@pages.get("/settings/accounts")
def index() -> str:
    """The accounts by name, those whose name or e-mail address holds the words in the address."""
    wanted = request.args.get("q", "").strip()[:LONGEST_SEARCH]
    found = people(wanted, _after(), ROWS_PER_PAGE + 1)
    shown = found[:ROWS_PER_PAGE]
    further = None
    if len(found) > ROWS_PER_PAGE:
        further = url_for("accounts.index", q=wanted or None, name=shown[-1].name, id=shown[-1].id)
    return render_template("accounts/index.html", people=shown, q=wanted, further=further, words=words)


@pages.get(ADDRESS)
def show(account_id: int) -> str | tuple[str, int]:
    """One account, and what may be set for it; of one that was deleted, no more than who did what."""
    if person_of(account_id).deleted_at is not None:
        return render_template("accounts/deleted.html", person=person_of(account_id), acts=_acts(account_id)), 410
    return page(account_id)


def page(account_id: int, faults: Mapping[str, str] = NOTHING, typed: Mapping[str, str] | None = None) -> str:
    """The account as it stands now. What was typed as a LINE id is not shown again."""
    person = person_of(account_id)
    return render_template(
        "accounts/guest.html" if person.role is Role.GUEST else "accounts/show.html",
        person=person,
        own=account_id == current_user.id,
        invited=invitations.open_one(account_id),
        sending=_sending(account_id),
        browsers=sessions.browsers(account_id),
        typed=typed,
        faults=faults,
        acts=_acts(account_id),
        words=words,
    )


def _sending(account_id: int) -> int | None:
    """The delivery of this account's link that was asked for just now, if the address names one."""
    delivery_id = number_in(request.args.get("delivery", ""))
    return delivery_id if delivery_id is not None and is_sending(delivery_id, account_id) else None


def _acts(account_id: int) -> list[tuple[datetime, str, str]]:
    entries = audit.entries(SUBJECT, account_id)
    return [(one.at, one.who, str(words.ACCOUNT_ACTS_DONE.get(one.act, one.act))) for one in entries]


def person_of(account_id: int) -> Person:
    """The account; 404 if there is none."""
    return get_person(account_id) or abort(404)


def _after() -> tuple[str, int] | None:
    number = number_in(request.args.get("id", ""))
    return (request.args.get("name", ""), number) if number else None
