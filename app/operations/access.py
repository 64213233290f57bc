"""Who is let in: suspension, role, password, sign-in link, sessions; who is signed out elsewhere gets no pushes there.

The account is held first, then come its sessions and devices, then deliveries: everywhere in this order.
"""

from dataclasses import dataclass

from sqlalchemy import update

from app import audit
from app.accounts import invitations, sessions
from app.accounts.administrators import hold_to_restrict
from app.accounts.create import role_faults
from app.accounts.guests import demand_named
from app.accounts.known import SUBJECT, hold
from app.accounts.memberships import only_owner_of
from app.accounts.models import Account, Role
from app.audit import Actor
from app.codes import CancelReason
from app.faults import InvalidInput
from app.operations import devices
from app.operations.recipients import wake_for_reach
from app.outbox import queries, transitions
from app.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Here:
    """The browser in which somebody acts, and what devices know it by."""

    session_id: int
    browser_hash: str | None


def leave(tx: Transaction, actor: Actor, account_id: int, here: Here, *, keep_pushes: bool) -> None:
    """Sign out in this browser, and get no more pushes there unless they are to be kept. Raises NoSuchAccountError.

    All in one: a browser that registers at this moment finds its session over, or its device is removed.
    """
    hold(tx, account_id)
    sessions.end(tx, account_id, here.session_id)
    if here.browser_hash is not None and not keep_pushes:
        devices.sign_out(tx, actor, account_id, here.browser_hash)


def sign_out(tx: Transaction, actor: Actor, account_id: int, session_id: int) -> bool:
    """End one browser's session from elsewhere, and its pushes for this account; False if there was none.

    Raises NoSuchAccountError.
    """
    hold(tx, account_id)
    ended = sessions.end(tx, account_id, session_id)
    if ended is None:
        return False
    audit.note(tx, actor, "sign_out", (SUBJECT, account_id))
    if ended.browser_hash is not None:
        devices.sign_out(tx, actor, account_id, ended.browser_hash)
    return True


def sign_out_everywhere(tx: Transaction, actor: Actor, account_id: int) -> None:
    """End every session of an account, with their pushes. Raises NoSuchAccountError."""
    hold(tx, account_id)
    audit.note(tx, actor, "sign_out_everywhere", (SUBJECT, account_id))
    sessions.end_all(tx, account_id)
    _end_pushes(tx, actor, account_id, None)


def sign_out_elsewhere(tx: Transaction, actor: Actor, account_id: int, here: Here) -> str:
    """End every session of an account but this, with their pushes; the new secret for the cookie here.

    Raises NoSuchAccountError, NoSuchSessionError.
    """
    hold(tx, account_id)
    audit.note(tx, actor, "sign_out_elsewhere", (SUBJECT, account_id))
    return _end_others(tx, actor, account_id, here)


def set_role(tx: Transaction, actor: Actor, account_id: int, role: str) -> bool:
    """Give another role; False if it is so already. The account is signed out everywhere.

    First in its transaction: it locks all accounts. Raises InvalidInput as `hold_to_restrict` does and for a role that
    is none and for a guest, NoSuchAccountError.
    """
    if faults := list(role_faults(role)):
        raise InvalidInput(*faults)
    account = hold_to_restrict(tx, actor, account_id)
    demand_named(account.role)
    if account.role == role:
        return False
    tx.session.execute(update(Account).where(Account.id == account_id).values(role=role))
    audit.note(tx, actor, "set_role", (SUBJECT, account_id), {"from": account.role.value, "to": Role(role).value})
    sessions.end_all(tx, account_id)
    _end_pushes(tx, actor, account_id, None)
    return True


def suspend(tx: Transaction, actor: Actor, account_id: int) -> list[str] | None:
    """Neither let an account in nor tell it anything; None if it was so already. First in its transaction.

    Its devices stay, so that Resume restores its pushes; until then nothing is sent to them. Returns the names of the
    stores that nobody acts for as their owner from now on.
    Raises InvalidInput for one's own account and for the last administrator, NoSuchAccountError.
    """
    if not hold_to_restrict(tx, actor, account_id).active:
        return None
    tx.session.execute(update(Account).where(Account.id == account_id).values(active=False))
    sessions.end_all(tx, account_id)
    transitions.cancel(tx, queries.waiting_for(account_id), CancelReason.RECIPIENT_DISABLED)
    audit.note(tx, actor, "suspend", (SUBJECT, account_id))
    return [*only_owner_of(account_id).values()]


def resume(tx: Transaction, actor: Actor, account_id: int) -> bool:
    """Let a suspended account in again and tell it things; False if it was so already. Raises NoSuchAccountError."""
    if hold(tx, account_id).active:
        return False
    tx.session.execute(update(Account).where(Account.id == account_id).values(active=True))
    wake_for_reach(tx)
    audit.note(tx, actor, "resume", (SUBJECT, account_id))
    return True


def change_password(
    tx: Transaction, actor: Actor, account_id: int, present_hash: str, password_hash: str, here: Here
) -> str | None:
    """Replace the password whose hash was `present_hash`; the new secret for the cookie here.

    None, and nothing changes, if it was replaced meanwhile. The account is signed out everywhere but here, and an
    invitation that is still open ends. Raises NoSuchAccountError, NoSuchSessionError.
    """
    if hold(tx, account_id).password_hash != present_hash:
        return None
    tx.session.execute(update(Account).where(Account.id == account_id).values(password_hash=password_hash))
    invitations.end_open(tx, account_id)
    audit.note(tx, actor, "change_password", (SUBJECT, account_id))
    return _end_others(tx, actor, account_id, here)


def accept_invitation(
    tx: Transaction, token: str, password_hash: str, browser: str, browser_hash: str | None
) -> str | None:
    """Set the password, let them in and return the secret for the cookie; None if the invitation is good no more.

    Whoever was signed in as this account is signed out: the password may be new because the old one got about.
    """
    account = invitations.use(tx, token)
    if account is None:
        return None
    actor = Actor(account.id, account.name)
    tx.session.execute(update(Account).where(Account.id == account.id).values(password_hash=password_hash))
    audit.note(tx, actor, "accept_invitation", (SUBJECT, account.id))
    sessions.end_all(tx, account.id)
    _end_pushes(tx, actor, account.id, browser_hash)
    return sessions.begin(tx, account.id, browser, browser_hash)


def _end_others(tx: Transaction, actor: Actor, account_id: int, here: Here) -> str:
    """The session here goes on with another secret, for its cookie may be what got about."""
    renewed = sessions.renew(tx, account_id, here.session_id)
    sessions.end_all(tx, account_id, here.session_id)
    _end_pushes(tx, actor, account_id, here.browser_hash)
    return renewed


def _end_pushes(tx: Transaction, actor: Actor, account_id: int, browser_hash: str | None) -> None:
    """Devices that no session knows go as well: one signed out with "keep" may be a stranger's, who knew the password.

    So may one whose session was forgotten because nobody came for so long: it may have been lost since.
    """
    devices.remove_others(tx, actor, account_id, browser_hash)
