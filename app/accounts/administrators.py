"""What keeps an installation from being left without anybody who may run it."""

from flask_babel import gettext as _
from sqlalchemy import select

from app.accounts.known import Known, hold
from app.accounts.models import Account, Role
from app.audit import Actor
from app.faults import Fault, InvalidInput
from app.transaction import Transaction


def hold_to_restrict(tx: Transaction, actor: Actor, account_id: int) -> Known:
    """The account, held, which is about to lose rights. First in its transaction: it locks all accounts.

    Two administrators who suspend each other at once take turns here, and the second finds nobody else left.
    Raises InvalidInput for one's own account and for the last administrator who can sign in, NoSuchAccountError.
    """
    tx.lock(Account)
    account = hold(tx, account_id)
    if actor.account_id == account_id:
        raise InvalidInput(Fault("account", _("This is your own account: ask another administrator.")))
    if account.role is Role.ADMIN and account.active and not _others(tx, account_id):
        raise InvalidInput(
            Fault("account", _("Nobody else who can sign in is an administrator: make somebody one first."))
        )
    return account


def _others(tx: Transaction, account_id: int) -> bool:
    can_sign_in = Account.active & Account.password_hash.is_not(None)
    others = select(Account.id).where(Account.role == Role.ADMIN, can_sign_in, Account.id != account_id)
    return tx.session.scalar(others.limit(1)) is not None
