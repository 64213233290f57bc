"""Sending somebody their sign-in link by LINE: a delivery like any other, of which no row holds the link."""

from flask_babel import gettext as _
from sqlalchemy import select

from app import audit
from app.accounts.invitations import Invited, look_at, make, open_one
from app.accounts.known import SUBJECT as ACCOUNT
from app.accounts.known import hold
from app.accounts.models import Account
from app.audit import Actor
from app.extensions import db
from app.faults import Fault, InvalidInput
from app.outbox.enqueue import NewDelivery, enqueue
from app.outbox.models import Delivery
from app.reach.models import LineLink
from app.reach.preferences import LINE
from app.reach.reachable import is_reachable
from app.reach.resolve import LINE_LINK
from app.transaction import Transaction

KIND = "invitation"
SUBJECT = "invitation"


def send_by_line(tx: Transaction, actor: Actor, account_id: int, invitation_id: int | None = None) -> int:
    """Owe this account an invitation on LINE, and return the delivery's id: this one while it is good, else a new one.

    One that was owed already is not owed again: who presses twice sends once.
    Raises InvalidInput for an account that takes no LINE messages, NoSuchAccountError.
    """
    name = hold(tx, account_id).name
    link_id = _link_of(tx, account_id)
    good_id = _good(account_id, invitation_id) or make(tx, actor, account_id)[0]
    wanted = _wanted(look_at([good_id])[good_id], link_id, name)
    if made := enqueue(tx, [wanted]):
        audit.note(tx, actor, "send_invitation", (ACCOUNT, account_id))
        return made[0]
    return tx.session.execute(select(Delivery.id).where(Delivery.dedup_key == wanted.dedup_key)).scalar_one()


def is_sending(delivery_id: int, account_id: int) -> bool:
    """Whether this delivery is a sign-in link for this account."""
    which = (Delivery.id == delivery_id) & (Delivery.kind == KIND) & (Delivery.account_id == account_id)
    return db.session.scalar(select(Delivery.id).where(which)) is not None


def _link_of(tx: Transaction, account_id: int) -> int:
    linked = select(LineLink.id).join(Account, Account.id == LineLink.account_id)
    found = tx.session.scalar(linked.where(Account.id == account_id, is_reachable()))
    if found is None:
        raise InvalidInput(Fault("account", _("This account takes no LINE messages now.")))
    return found


def _good(account_id: int, invitation_id: int | None) -> int | None:
    present = open_one(account_id)
    return present.id if present and present.id == invitation_id and present.token is not None else None


def _wanted(invited: Invited, link_id: int, name: str) -> NewDelivery:
    return NewDelivery(
        kind=KIND,
        channel=LINE,
        dedup_key=f"{KIND}:{invited.id}",
        subject_type=SUBJECT,
        subject_id=invited.id,
        subject_version=None,
        account_id=invited.account_id,
        address_type=LINE_LINK,
        address_id=link_id,
        address_label=name,
        scope=None,
        gate_key=LINE,
        expires_at=invited.expires_at,
    )
