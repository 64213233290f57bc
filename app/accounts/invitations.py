"""Invitations: a link that an administrator passes on, by which one person sets a password and is let in, once."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from flask import current_app
from flask_babel import gettext as _
from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import aliased

from app import audit, tokens
from app.accounts.create import create_account
from app.accounts.guests import demand_named
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
    """An invitation, and whom it is for.

    `by`: the name of whoever made it; None for the command line, and for an account that was deleted. `token` is None
    where it cannot be made again: the invitation is older than salts, or the signing key is another now.
    """

    id: int
    account_id: int
    email: str
    name: str
    standing: Standing
    expires_at: datetime
    by: str | None
    token: str | None = field(repr=False)


def invite_somebody(
    tx: Transaction, actor: Actor, *, email: str, name: str, role: str, language: str
) -> tuple[int, str]:
    """Make an account and an invitation for it; its id and the token. Raises InvalidInput with every fault."""
    account_id = create_account(tx, email=email, name=name, role=role, language=language, password_hash=None)
    return account_id, invite(tx, actor, account_id)


def invite(tx: Transaction, actor: Actor, account_id: int) -> str:
    """Make an invitation and return its token, as `make` does."""
    return make(tx, actor, account_id)[1]


def make(tx: Transaction, actor: Actor, account_id: int) -> tuple[int, str]:
    """Make an invitation, also for somebody who forgot the password; its id and its token. Older ones end.

    Raises InvalidInput for an account that is suspended and for a guest, NoSuchAccountError.
    """
    account = hold(tx, account_id)
    demand_named(account.role)
    if not account.active:
        raise InvalidInput(Fault("account", _("This account is suspended: resume it first.")))
    salt, at = tokens.salt(), now()
    token = _derived(salt)
    made = Invitation(
        account_id=account_id, token_hash=tokens.digest(token), created_at=at, expires_at=at + GOOD_FOR,
        created_by=actor.account_id, salt=salt,
    )  # fmt: skip
    tx.session.add(made)
    audit.note(tx, actor, "invite", (SUBJECT, account_id))
    tx.session.flush()
    return made.id, token


def look(token: str) -> Invited | None:
    """Whom it is for and whether it is good; None if nobody made it, or its account was deleted. Changes nothing."""
    return next(iter(_found(Invitation.token_hash == tokens.digest(token))), None)


def look_at(invitation_ids: Collection[int]) -> Mapping[int, Invited]:
    """Those of these that are there, by their ids. One query."""
    return {invited.id: invited for invited in _found(Invitation.id.in_(invitation_ids))}


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


def open_one(account_id: int) -> Invited | None:
    """The invitation of this account that is good; None when there is none."""
    theirs = _found(Invitation.account_id == account_id)
    return next((invited for invited in theirs if invited.standing is Standing.OPEN), None)


def _found(which: ColumnElement[bool]) -> list[Invited]:
    later, inviter = aliased(Invitation), aliased(Account)
    newest = select(func.max(later.id)).where(later.account_id == Invitation.account_id).correlate(Invitation)
    rows = db.session.execute(
        select(Invitation, Account, newest.scalar_subquery(), inviter.name)
        .join(Account, Account.id == Invitation.account_id)
        .outerjoin(inviter, inviter.id == Invitation.created_by)
        .where(which)
    )
    return [
        Invited(
            invitation.id, account.id, account.email, account.name, _standing(invitation, account, newest_id),
            invitation.expires_at, by or None, _token_of(invitation),
        )
        for invitation, account, newest_id, by in rows
    ]  # fmt: skip


def _token_of(invitation: Invitation) -> str | None:
    token = _derived(invitation.salt) if invitation.salt is not None else None
    return token if token is not None and tokens.digest(token) == invitation.token_hash else None


def _derived(salt: str) -> str:
    return tokens.derived(current_app.config["SECRET_KEY"], "invitation", salt)


def _standing(invitation: Invitation, account: Account, newest: int) -> Standing:
    if not account.active:
        return Standing.SUSPENDED
    if invitation.used_at is not None:
        return Standing.USED
    if invitation.id != newest:
        return Standing.REPLACED
    return Standing.OPEN if invitation.expires_at > now() else Standing.EXPIRED
