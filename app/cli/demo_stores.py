"""The stores of the demo and what was reported there, so that its inboxes are not empty."""

from dataclasses import dataclass

from sqlalchemy import select

from app.accounts.known import id_of, who
from app.accounts.signed_in import Who
from app.accounts.stores import Store
from app.audit import COMMAND_LINE
from app.cli.demo_data import CLERK, CUSTOMER, OWNER, Person
from app.sources.stores.fields import ReportFields, StoreFields
from app.sources.stores.models import Saying
from app.sources.stores.people import add_staff
from app.sources.stores.reports import make_report, react, resolve
from app.sources.stores.stores import open_store
from app.transaction import Transaction


@dataclass(frozen=True, slots=True)
class _DemoStore:
    request_id: str
    fields: StoreFields
    reports: tuple[ReportFields, ...]


SHIBUYA = _DemoStore(
    "demo-store-1",
    StoreFields("渋谷店", "東京都渋谷区道玄坂1-2-3", "03-0000-0001", "10:00–20:00\n水曜定休"),
    (
        ReportFields("自動ドアが閉まらない", "正面入口の右側です。今朝から半分開いたままになっています。"),
        ReportFields("トイレの電球が切れている", "2階の奥の個室です。"),
    ),
)
YOKOHAMA = _DemoStore(
    "demo-store-2",
    StoreFields("横浜店", "", "", ""),
    (ReportFields("駐車場の精算機が領収書を出さない", "B1の精算機です。ボタンを押しても何も出てきません。"),),
)


def load_stores(tx: Transaction) -> None:
    """Load those that were never loaded, with their people and reports. The second one is not set up yet."""
    for store in (SHIBUYA, YOKOHAMA):
        if tx.session.scalar(select(Store.id).where(Store.request_id == store.request_id)) is None:
            _add(tx, store)


def _add(tx: Transaction, store: _DemoStore) -> None:
    store_id = open_store(tx, COMMAND_LINE, store.fields, OWNER.email, store.request_id)
    add_staff(tx, _who(OWNER), store_id, CLERK.email)
    reports = [make_report(tx, _who(CUSTOMER), store_id, fields, _form_of(store, fields)) for fields in store.reports]
    react(tx, _who(CLERK), reports[0], Saying.ME_TOO)
    if len(reports) > 1:
        resolve(tx, _who(CLERK), reports[1])


def _who(person: Person) -> Who:
    return who(id_of(person.email))


def _form_of(store: _DemoStore, fields: ReportFields) -> str:
    return f"{store.request_id}-{store.reports.index(fields)}"
