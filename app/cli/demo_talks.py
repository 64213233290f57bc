"""What the people of the demo ask a store and tell each other, once."""

from sqlalchemy import select

from app.accounts.models import Account
from app.accounts.stores import open_stores
from app.cli.demo_data import ADMIN, CLERK, HANAKO, STAFF, TAKESHI, Person
from app.extensions import db
from app.sources.conversations import converse, inquire
from app.sources.conversations.inquire import Wording
from app.sources.conversations.inquiries import inquiries
from app.transaction import Transaction

STORE = "渋谷店"
FORM = "demo"


def add_talks(tx: Transaction) -> None:
    """An inquiry that calls in the administrator, and a conversation with both planners, unless they are there."""
    hanako = _id_of(HANAKO)
    if any(inquiries(hanako, closed, None, 1) for closed in (False, True)):
        return
    store = next(store_id for store_id, name in open_stores().items() if name == STORE)
    question = Wording("参考書の取り寄せには何日くらいかかりますか？ 📚", [_id_of(ADMIN)], FORM)
    inquiry = inquire.open_inquiry(tx, hanako, store, "参考書の取り寄せ", question)
    inquire.write(tx, _id_of(CLERK), inquiry, Wording("ふつうは三、四日です。届いたらお知らせします。", (), FORM))
    message = "来週の教材の件で、少しご相談があります。お手すきのときにお返事ください。"
    converse.start(tx, _id_of(TAKESHI), [ADMIN.email, STAFF.email], message, FORM)


def _id_of(person: Person) -> int:
    return db.session.scalars(select(Account.id).where(Account.email == person.email)).one()
