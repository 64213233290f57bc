"""Whom a message may call in, and what is forgotten of whoever is deleted."""

from collections.abc import Collection, Iterator

from flask_babel import gettext as _
from sqlalchemy import delete, select

from app.accounts.models import STAFF, Account
from app.extensions import db
from app.faults import Fault
from app.sources.conversations.models import ConversationMember, InquiryAsker, InquiryMention
from app.transaction import Transaction


def platform_staff(but: int) -> dict[int, str]:
    """The names of those who may be mentioned by this account, by their ids, in the order of their names."""
    rows = select(Account.id, Account.name).where(Account.role.in_(STAFF), Account.active, Account.id != but)
    return dict(db.session.execute(rows.order_by(Account.name, Account.id)).all())


def faults_of_mentions(account_ids: Collection[int], by: int) -> Iterator[Fault]:
    """Only the platform's staff can be mentioned."""
    if account_ids and not set(account_ids) <= platform_staff(but=by).keys():
        yield Fault("mentions", _("Choose from the list: only people who run this platform can be mentioned."))


def forget(tx: Transaction, account_id: int) -> None:
    """An account that is deleted asks nothing, takes part in nothing and is called in nowhere; what it wrote stays."""
    for part in (ConversationMember, InquiryAsker, InquiryMention):
        tx.session.execute(delete(part).where(part.account_id == account_id))
