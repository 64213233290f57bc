"""Invitations: a link that an administrator passes on, by which one person sets a password and is let in, once."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from flask_babel import gettext as _
from sqlalchemy import func, select, update

from app import audit, tokens
from app.accounts.create import create_account
from app.accounts.known import SUBJECT, Known, NoSuchAccountError, hold
from app.accounts.models import Account, Invitation
from app.audit import Actor
from app.clock import now
from app.extensions import db
from app.faults import Fault, InvalidInput
from app.transaction import Transaction

GOOD_FOR = timedelta(days=7)


class Standing(StrEnum):
    """What an invitation is good for; all but the first: for nothing."""

    OPEN = "open"
    USED = "used"
    EXPIRED = "expired"
    REPLACED = "replaced"
    SUSPENDED = "suspended"


@dataclass(frozen=True, slots=True)
class Invited:
    """Whom an invitation is for."""

    account_id: int
    email: str
    name: str
    standing: Standing


def invite_somebody(
    tx: Transaction, actor: Actor, *, email: str, name: str, role: str, language: str
) -> tuple[int, str]:
    """Make an account and an invitation for it; its id and the token. Raises InvalidInput with every fault."""
    account_id = create_account(tx, email=email, name=name, role=role, language=language, password_hash=None)
    return account_id, invite(tx, actor, account_id)


def invite(tx: Transaction, actor: Actor, account_id: int) -> str:
    """Make an invitation, also for somebody who forgot the password, and return its token; older ones end.

    Raises InvalidInput for an account that is suspended, NoSuchAccountError.
    """
    if not hold(tx, account_id).active:
        raise InvalidInput(Fault("account", _("This account is suspended: resume it first.")))
    token, at = tokens.secret(), now()
    tx.session.add(
        Invitation(
            account_id=account_id, token_hash=tokens.digest(token), created_at=at, expires_at=at + GOOD_FOR,
            created_by=actor.account_id,
        )
    )  # fmt: skip
    audit.note(tx, actor, "invite", (SUBJECT, account_id))
    return token


def look(token: str) -> Invited | None:
    """Whom it is for and whether it is good; None if nobody made it, or its account was deleted. Changes nothing."""
    row = db.session.execute(
        select(Invitation, Account)
        .join(Account, Account.id == Invitation.account_id)
        .where(Invitation.token_hash == tokens.digest(token))
    ).one_or_none()
    if row is None:
        return None
    invitation, account = row
    return Invited(account.id, account.email, account.name, _standing(invitation, account))


def use(tx: Transaction, token: str) -> Known | None:
    """Whom it lets in, held; it is good no more from now on. None, and nothing changes, if it is not good."""
    this = Invitation.token_hash == tokens.digest(token)
    account_id = tx.session.scalar(select(Invitation.account_id).where(this))
    if account_id is None:
        return None
    try:
        account = hold(tx, account_id)  # looked at before, it might be used, replaced, suspended or deleted by now
    except NoSuchAccountError:
        return None
    invited = look(token)
    if invited is None or invited.standing is not Standing.OPEN:
        return None
    tx.session.execute(update(Invitation).where(this).values(used_at=now()))
    return account


def end_open(tx: Transaction, account_id: int) -> None:
    """No invitation of this account is good from now on."""
    still_open = (Invitation.account_id == account_id) & Invitation.used_at.is_(None) & (Invitation.expires_at > now())
    tx.session.execute(update(Invitation).where(still_open).values(expires_at=now()))


def open_until(account_id: int) -> datetime | None:
    """Until when an invitation of this account is good; None when there is none."""
    newest = select(Invitation).where(Invitation.account_id == account_id).order_by(Invitation.id.desc()).limit(1)
    invitation = db.session.scalar(newest)
    if invitation is None or invitation.used_at is not None or invitation.expires_at <= now():
        return None
    return invitation.expires_at


def _standing(invitation: Invitation, account: Account) -> Standing:
    newest = db.session.scalar(select(func.max(Invitation.id)).where(Invitation.account_id == account.id))
    if not account.active:
        return Standing.SUSPENDED
    if invitation.used_at is not None:
        return Standing.USED
    if invitation.id != newest:
        return Standing.REPLACED
    return Standing.OPEN if invitation.expires_at > now() else Standing.EXPIRED
