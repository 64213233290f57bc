"""The people of a store: its owners and admins say who they are. Rights are read from `membership` at every reading.

Each verb first holds the store, so that of two who act at once the second finds what the first has left: two owners
cannot remove each other, and a store is never without an owner. Then it holds whom it gives a post.
"""

from flask_babel import gettext as _
from sqlalchemy import delete, select, update

from app import audit
from app.accounts.known import hold_active
from app.accounts.memberships import OWNERS, Membership, Post, members, other_owners
from app.accounts.models import Role
from app.accounts.signed_in import Who
from app.accounts.stores import Store
from app.audit import Actor
from app.clock import now
from app.faults import Fault, InvalidInput
from app.sources.stores.setup import SUBJECT, guide
from app.transaction import Transaction


class NotTheirsError(Exception):
    """Whoever acts may not do so at this store, or may no longer."""


def may_manage_all(who: Who) -> bool:
    """Whether this account looks after every store, archived ones included."""
    return who.role is Role.ADMIN


def add_staff(tx: Transaction, who: Who, store_id: int, email: str) -> None:
    """Let an account work for the store. Raises InvalidInput, NotTheirsError."""
    _hold(tx, who, store_id)
    (account,) = hold_active(tx, [email])
    made = tx.session.scalar(
        tx.insert(Membership)
        .values(store_id=store_id, account_id=account.id, post=Post.STAFF, since=now())
        .on_conflict_do_nothing(index_elements=["store_id", "account_id"])
        .returning(Membership.account_id)
    )
    if made is None:
        raise InvalidInput(Fault("email", _("%(name)s works for this store already.", name=account.name)))
    _note(tx, who.actor, "add_staff", store_id, account.id)


def remove(tx: Transaction, who: Who, store_id: int, account_id: int) -> bool:
    """End somebody's work for the store; False if it had ended.

    Raises InvalidInput for its last owner, NotTheirsError.
    """
    _hold(tx, who, store_id)
    _keep_an_owner(store_id, account_id)
    post = (Membership.store_id == store_id) & (Membership.account_id == account_id)
    if tx.session.scalar(delete(Membership).where(post).returning(Membership.account_id)) is None:
        return False
    _note(tx, who.actor, "remove", store_id, account_id)
    return True


def set_post(tx: Transaction, who: Who, store_id: int, account_id: int, post: Post) -> bool:
    """Make one of its people an owner or no more than staff; False if there is nothing to change.

    Raises InvalidInput for its last owner, NotTheirsError.
    """
    _hold(tx, who, store_id)
    if post is not Post.OWNER:
        _keep_an_owner(store_id, account_id)
    other = (Membership.store_id == store_id) & (Membership.account_id == account_id) & (Membership.post != post)
    changed = update(Membership).where(other).values(post=post, since=now()).returning(Membership.account_id)
    if tx.session.scalar(changed, execution_options={"synchronize_session": False}) is None:
        return False
    _note(tx, who.actor, "make_owner" if post is Post.OWNER else "make_staff", store_id, account_id)
    guide(tx, store_id, who.id)
    return True


def hand_over(tx: Transaction, who: Who, store_id: int, email: str) -> None:
    """Make this account the only owner: those before leave the store, its staff stay.

    It holds everywhere from the commit on; what waits for the former owners ends at its recheck.
    Raises InvalidInput, NotTheirsError.
    """
    _hold(tx, who, store_id)
    (account,) = hold_active(tx, [email])
    if members(store_id, OWNERS) == [account.id]:
        raise InvalidInput(Fault("email", _("%(name)s is the owner already.", name=account.name)))
    others = (Membership.post == Post.OWNER) & (Membership.account_id != account.id)
    tx.session.execute(delete(Membership).where(Membership.store_id == store_id, others))
    owning = {"post": Post.OWNER, "since": now()}
    tx.session.execute(
        tx.insert(Membership)
        .values(store_id=store_id, account_id=account.id, **owning)
        .on_conflict_do_update(index_elements=["store_id", "account_id"], set_=owning)
    )
    _note(tx, who.actor, "hand_over", store_id, account.id)
    guide(tx, store_id, who.id)


def _hold(tx: Transaction, who: Who, store_id: int) -> None:
    """Nobody else changes the people of this store until the end of the transaction; SQLite has one writer anyway."""
    held = select(Store.archived_at).where(Store.id == store_id).with_for_update(key_share=True)
    archived_at = tx.session.execute(held).one().archived_at
    if not may_manage_all(who) and (archived_at is not None or who.id not in members(store_id, OWNERS)):
        raise NotTheirsError


def _keep_an_owner(store_id: int, leaving: int) -> None:
    if leaving in members(store_id, OWNERS) and not other_owners(store_id, leaving):
        raise InvalidInput(Fault("people", _("A store needs an owner: make somebody else an owner first.")))


def _note(tx: Transaction, actor: Actor, act: str, store_id: int, account_id: int) -> None:
    audit.note(tx, actor, act, (SUBJECT, store_id), {"account_id": account_id})
