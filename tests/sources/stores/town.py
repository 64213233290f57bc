"""Stores, their people and their reports."""

from itertools import count

from app.accounts.sign_in import SignedIn, load
from app.audit import Actor
from app.extensions import db
from app.sources.stores.fields import ReportFields, StoreFields
from app.sources.stores.people import add_staff
from app.sources.stores.reports import make_report
from app.sources.stores.stores import open_store
from app.transaction import writing
from tests.factories import make_account

ADMIN = Actor(None, "admin")

_numbers = count(1)


def somebody(account_id: int) -> SignedIn:
    """This account, signed in."""
    db.session.rollback()
    who = load(str(account_id))
    assert who is not None
    return who


def email_of(account_id: int) -> str:
    """The e-mail address of an account."""
    return somebody(account_id).email


def make_store(owner: int, *staff: int, name: str = "渋谷店", set_up: bool = True) -> int:
    """A store with its people, and its id. One that is set up tells nobody that it is not."""
    known = ("東京都渋谷区1-2-3", "03-1234-5678", "10:00–20:00") if set_up else ("", "", "")
    fields, owner_email, emails = StoreFields(name, *known), email_of(owner), [email_of(one) for one in staff]
    with writing() as tx:
        store = open_store(tx, ADMIN, fields, owner_email, f"store-{next(_numbers)}")
    for email in emails:
        with writing() as tx:
            add_staff(tx, somebody_in(tx, owner), store, email)
    return store


def somebody_in(_tx: object, account_id: int) -> SignedIn:
    """The same inside a transaction."""
    who = load(str(account_id))
    assert who is not None
    return who


def report_at(
    store: int,
    reporter: int,
    title: str = "自動ドアが開かない",
    description: str = "正面の入口です。",
    request_id: str = "",
) -> int:
    """A report, and its id."""
    who = somebody(reporter)
    with writing() as tx:
        return make_report(
            tx, who, store, ReportFields(title, description), request_id or f"report-{next(_numbers)}"
        )  # fmt: skip


def people(number: int) -> list[int]:
    """So many members."""
    return [make_account(name=f"会員{one}") for one in range(1, number + 1)]
