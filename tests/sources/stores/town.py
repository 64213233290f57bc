"""Stores, their people and their reports."""

from collections.abc import Callable
from itertools import count
from threading import Barrier, Thread

from flask import Flask

from app.accounts.known import who
from app.audit import Actor
from app.extensions import db
from app.sources.stores.fields import ReportFields, StoreFields
from app.sources.stores.models import Saying
from app.sources.stores.people import add_staff
from app.sources.stores.reports import make_report, react, resolve
from app.sources.stores.stores import open_store
from app.transaction import writing
from tests.factories import make_account, make_tutor
from tests.inbox.inboxes import chosen

ADMIN = Actor(None, "admin")
KNOWN = ("東京都渋谷区1-2-3", "03-1234-5678", "10:00–20:00")

_numbers = count(1)


def people(number: int) -> list[int]:
    """So many members."""
    return [make_account(name=f"会員{one}", language="en") for one in range(1, number + 1)]


def on_line(category: str = "reports") -> int:
    """A member who wants this category told over LINE, too."""
    account = make_tutor(name="LINEの人")
    chosen(account, category, "line", True)
    return account


def make_store(owner: int, *staff: int, name: str = "渋谷店", set_up: bool = True, request_id: str = "") -> int:
    """A store with its people, and its id. One that is set up tells nobody that it is not."""
    fields = StoreFields(name, *(KNOWN if set_up else ("", "", "")))
    with writing() as tx:
        form = request_id or f"store-{next(_numbers)}"
        store = open_store(tx, ADMIN, fields, who(owner).email, form)
        for one in staff:
            add_staff(tx, who(owner), store, who(one).email)
    return store


def report_at(store: int, reporter: int, title: str = "自動ドアが開かない", request_id: str = "") -> int:
    """A report, and its id."""
    with writing() as tx:
        fields = ReportFields(title, "正面の入口です。")
        return make_report(tx, who(reporter), store, fields, request_id or f"report-{next(_numbers)}")


def resolve_as(account: int, report: int) -> bool:
    """Resolve a report."""
    with writing() as tx:
        return resolve(tx, who(account), report)


def react_as(account: int, report: int, says: Saying = Saying.ME_TOO) -> bool:
    """React to a report."""
    with writing() as tx:
        return react(tx, who(account), report, says)


def at_once(app: Flask, *acts: Callable[[], object]) -> list[BaseException]:
    """Each act in a thread of its own, all at the same moment; what they raised."""
    together, faults = Barrier(len(acts)), list[BaseException]()

    def run(act: Callable[[], object]) -> None:
        with app.app_context():
            together.wait()
            try:
                act()
            except BaseException as fault:
                faults.append(fault)
            db.session.remove()

    db.session.remove()
    threads = [Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return faults
