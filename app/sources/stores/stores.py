"""Opening a store, changing what is known of it, archiving it and opening it again. Each act is written down."""

from dataclasses import asdict

from sqlalchemy import ColumnElement, update

from app import audit
from app.accounts.known import hold_active
from app.accounts.memberships import OWNERS, Membership, Post
from app.accounts.signed_in import Who
from app.accounts.stores import Store
from app.audit import Actor
from app.clock import now
from app.once import make_once
from app.sources.stores.audience import works_here
from app.sources.stores.fields import StoreFields, check_store
from app.sources.stores.people import may_manage_all
from app.sources.stores.setup import SUBJECT, guide
from app.transaction import Transaction


def open_store(tx: Transaction, actor: Actor, fields: StoreFields, owner_email: str, request_id: str) -> int:
    """Make a store with its first owner, once for each `request_id`, and return its id.

    Raises InvalidInput with every fault, also for a form that was sent before with something else in it.
    """
    check_store(fields)
    (owner,) = hold_active(tx, [owner_email])
    written, form = asdict(fields), {"request_id": request_id}
    made = make_once(tx, Store, form, [written, owner.id], **written, created_at=now())
    if made.again:
        return made.id
    tx.session.add(Membership(store_id=made.id, account_id=owner.id, post=Post.OWNER, since=now()))
    audit.note(tx, actor, "add", (SUBJECT, made.id), {"account_id": owner.id})
    guide(tx, made.id, actor.account_id)
    return made.id


def change_store(tx: Transaction, who: Who, store_id: int, fields: StoreFields) -> bool:
    """Change what is known of a store; False when this account may not, or no more. Raises InvalidInput.

    Whatever it completes, its owners have waiting: that ends at its recheck.
    """
    check_store(fields)
    theirs = Store.id == store_id
    if not may_manage_all(who):
        theirs &= works_here(who.reader, Store.id, OWNERS)
    return _set(tx, who.actor, "change", store_id, theirs, **asdict(fields))


def archive_store(tx: Transaction, actor: Actor, store_id: int) -> bool:
    """Close a store: from now on nothing of it is told or seen by its people; False if it was closed before."""
    is_open = (Store.id == store_id) & Store.archived_at.is_(None)
    return _set(tx, actor, "archive", store_id, is_open, archived_at=now())


def reopen_store(tx: Transaction, actor: Actor, store_id: int) -> bool:
    """Open an archived store: its people see everything as they left it; False if it was open."""
    is_archived = (Store.id == store_id) & Store.archived_at.is_not(None)
    return _set(tx, actor, "reopen", store_id, is_archived, archived_at=None)


def _set(tx: Transaction, actor: Actor, act: str, store_id: int, which: ColumnElement[bool], **values: object) -> bool:
    changed = update(Store).where(which).values(**values).returning(Store.id)
    if tx.session.scalar(changed, execution_options={"synchronize_session": False}) is None:
        return False
    audit.note(tx, actor, act, (SUBJECT, store_id))
    return True
