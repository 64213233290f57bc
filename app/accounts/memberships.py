"""Who works for which store: its owners and its staff, as they are at this moment."""

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ColumnElement, ForeignKey, Index, SQLColumnExpression, String, and_, select
from sqlalchemy.orm import Mapped, aliased, mapped_column

from app.accounts.models import Account
from app.accounts.stores import Store
from app.columns import Base, BigInt, UtcDateTime, there_is
from app.extensions import db


class Post(StrEnum):
    """What an account is to a store. An owner is staff, too."""

    OWNER = "owner"
    STAFF = "staff"


class Membership(Base):
    """One account's post at one store. A hand-over deletes and inserts rows, so it holds everywhere at once."""

    __tablename__ = "membership"
    __table_args__ = (
        CheckConstraint("post IN ('owner', 'staff')", name="post"),
        Index("ix_membership_account", "account_id"),
    )

    store_id: Mapped[int] = mapped_column(BigInt, ForeignKey("store.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"), primary_key=True)
    post: Mapped[str] = mapped_column(String(10))
    since: Mapped[datetime] = mapped_column(UtcDateTime)


EVERY_POST = tuple(Post)
OWNERS = (Post.OWNER,)


def works_for(
    account_id: SQLColumnExpression[int], store_id: SQLColumnExpression[int], posts: Collection[Post] = EVERY_POST
) -> ColumnElement[bool]:
    """SQL: whether this account holds one of these posts at this store now."""
    post = and_(Membership.store_id == store_id, Membership.account_id == account_id, Membership.post.in_(posts))
    return there_is(Membership, where=post)


def members(store_id: int, posts: Collection[Post] = EVERY_POST) -> list[int]:
    """The accounts that hold one of these posts at this store now."""
    rows = select(Membership.account_id).where(Membership.store_id == store_id, Membership.post.in_(posts))
    return list(db.session.scalars(rows.order_by(Membership.account_id)))


def only_owner_of(account_id: int) -> dict[int, str]:
    """The stores of this owner that would have no owner who can act if this account were not: ids and names."""
    other = aliased(Membership)
    heir = (other.store_id == Membership.store_id) & (other.post == Post.OWNER) & (other.account_id != account_id)
    heir &= (Account.id == other.account_id) & Account.active
    owned = select(Store.id, Store.name).join(Membership, Membership.store_id == Store.id)
    alone = (
        (Membership.account_id == account_id) & (Membership.post == Post.OWNER) & ~there_is(other, Account, where=heir)
    )
    return dict(db.session.execute(owned.where(alone).order_by(Store.name, Store.id)).all())


def other_owners(store_id: int, leaving: int) -> bool:
    """Whether a store has an owner who can act besides this one."""
    owners = (Membership.store_id == store_id) & (Membership.post == Post.OWNER) & (Membership.account_id != leaving)
    acting = owners & (Account.id == Membership.account_id) & Account.active
    return bool(db.session.scalar(select(there_is(Membership, Account, where=acting))))
