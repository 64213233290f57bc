"""What pages show of stores: plain values, of what the reader may see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, select, true
from sqlalchemy.orm import aliased

from app.accounts.memberships import Membership, Post
from app.accounts.models import Account, Role
from app.accounts.stores import Store
from app.extensions import db
from app.kinds import Reader
from app.sources.stores.audience import oversees, visible_stores, works_here
from app.sources.stores.setup import missing_of


@dataclass(frozen=True, slots=True)
class Person:
    """One of the people of a store."""

    account_id: int
    name: str
    email: str
    post: Post
    active: bool

    @property
    def owns(self) -> bool:
        """Whether they are an owner."""
        return self.post is Post.OWNER


@dataclass(frozen=True, slots=True)
class StoreLine:
    """One store, and what its reader is to it. `missing` is what is still to be set up; `post` is the reader's own."""

    id: int
    name: str
    address: str
    phone: str
    hours: str
    archived_at: datetime | None
    missing: Sequence[str]
    post: Post | None
    seen_whole: bool
    may_manage: bool


def stores_of(reader: Reader) -> list[StoreLine]:
    """The stores that this reader works for, or looks after, by name; archived ones last."""
    return _lines(reader, _of_reader(reader))


def store_names(reader: Reader) -> dict[int, str]:
    """Of the same stores, in the same order: their names, by id."""
    rows = select(Store.id, Store.name).where(visible_stores(reader), _of_reader(reader)).order_by(*_BY_NAME)
    return dict(db.session.execute(rows).all())


def get_store(reader: Reader, store_id: int) -> StoreLine | None:
    """One store; None if there is none that this reader may see."""
    return next(iter(_lines(reader, Store.id == store_id)), None)


def people_of(store_id: int) -> list[Person]:
    """Who works for a store, the owners first."""
    rows = db.session.execute(
        select(Account.id, Account.name, Account.email, Membership.post, Account.active)
        .join(Membership, Membership.account_id == Account.id)
        .where(Membership.store_id == store_id)
        .order_by(Membership.post != Post.OWNER, Account.name, Account.id)
    )
    return [Person(account_id, name, email, Post(post), active) for account_id, name, email, post, active in rows]


def sizes_of(stores: Sequence[StoreLine]) -> Mapping[int, int]:
    """How many people work for each."""
    ids = [store.id for store in stores]
    counted = select(Membership.store_id, func.count()).where(Membership.store_id.in_(ids))
    return dict(db.session.execute(counted.group_by(Membership.store_id)).all())


def _lines(reader: Reader, which: ColumnElement[bool]) -> list[StoreLine]:
    mine = aliased(Membership)  # `which` may ask for memberships too
    theirs = (mine.store_id == Store.id) & (mine.account_id == reader.account_id)
    rows = select(Store, mine.post).outerjoin(mine, theirs).where(visible_stores(reader), which)
    in_order = db.session.execute(rows.order_by(*_BY_NAME))
    return [_line(reader, store, Post(post) if post else None) for store, post in in_order]


_BY_NAME = (Store.archived_at.is_not(None), Store.name, Store.id)


def _of_reader(reader: Reader) -> ColumnElement[bool]:
    return true() if oversees(reader) else works_here(reader, Store.id)


def _line(reader: Reader, store: Store, post: Post | None) -> StoreLine:
    return StoreLine(
        id=store.id,
        name=store.name,
        address=store.address,
        phone=store.phone,
        hours=store.hours,
        archived_at=store.archived_at,
        missing=missing_of(store),
        post=post,
        seen_whole=post is not None or oversees(reader),
        may_manage=reader.role == Role.ADMIN or (post is Post.OWNER and store.archived_at is None),
    )
