"""What is watched, who watches it for what, what was found, and what was said of it."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.columns import Amount, Base, BigInt, UtcDateTime

_LIVE = text("removed_at IS NULL")
_LOOKED_AT = text("next_look_at IS NOT NULL")


class Adapter(StrEnum):
    """How a shop is read."""

    PAGE = "page"
    JSON = "json"
    SANDBOX = "sandbox"


class Trigger(StrEnum):
    """What a watch waits for."""

    BELOW_TARGET = "below_target"
    PERCENT_DROP = "percent_drop"
    BACK_IN_STOCK = "back_in_stock"


class Item(Base):
    """Something that a shop sells. `url` is canonical; the paths are those of a JSON endpoint, else empty.

    What stands here of price and stock is what was last read, at `read_at`. `currency` never changes once it is known:
    whoever names or reads another one watches an item of its own, by `named_currency`, which is empty where none was
    known at first. `next_look_at` is None while nobody watches it.

    `failures` counts looks in a row that gave no price, the first of them at `failing_since`; `unreadable_since`: the
    shop answers, but with something else than this product, `unreadable_why` (`shops.offer.Why`). `reported_at`: its
    watchers were told of that.
    """

    __tablename__ = "item"
    __table_args__ = (
        UniqueConstraint("url", "price_path", "stock_path", "named_currency"),
        CheckConstraint("adapter IN ('page', 'json', 'sandbox')", name="adapter"),
        Index("ix_item_next_look", "next_look_at", "id", sqlite_where=_LOOKED_AT, postgresql_where=_LOOKED_AT),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    url: Mapped[str] = mapped_column(String(2000))
    adapter: Mapped[str] = mapped_column(String(10))
    price_path: Mapped[str] = mapped_column(String(200), default="")
    stock_path: Mapped[str] = mapped_column(String(200), default="")
    title: Mapped[str] = mapped_column(String(300))
    named_currency: Mapped[str] = mapped_column(String(3), default="")
    currency: Mapped[str | None] = mapped_column(String(3))
    last_price: Mapped[Decimal | None] = mapped_column(Amount)
    in_stock: Mapped[bool | None]
    read_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    observed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    """When the newest observation was kept."""
    failures: Mapped[int] = mapped_column(default=0)
    failing_since: Mapped[datetime | None] = mapped_column(UtcDateTime)
    unreadable_since: Mapped[datetime | None] = mapped_column(UtcDateTime)
    unreadable_why: Mapped[str | None] = mapped_column(String(40))
    reported_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    next_look_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Watch(Base):
    """One account waits for one thing to happen to an item. Paused: looked at no more, and nothing of it is sent.

    `baseline` is the price that `percent` is counted from: what it cost when this was wished last or, if that could not
    be read, the first price that is read from then on. `last_notified_*` move only when something was sent.
    `false_since`: when it was first seen since then that what it waits for does not hold.
    """

    __tablename__ = "watch"
    __table_args__ = (
        CheckConstraint("trigger IN ('below_target', 'percent_drop', 'back_in_stock')", name="trigger"),
        CheckConstraint("(trigger = 'below_target') = (target IS NOT NULL)", name="target"),
        CheckConstraint("(trigger = 'percent_drop') = (percent IS NOT NULL)", name="percent"),
        Index("uq_watch_live", "account_id", "item_id", "trigger", unique=True,
              sqlite_where=_LIVE, postgresql_where=_LIVE),
        Index("ix_watch_item", "item_id", "id", sqlite_where=_LIVE, postgresql_where=_LIVE),
        {"sqlite_autoincrement": True},
    )  # fmt: skip

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"))
    item_id: Mapped[int] = mapped_column(BigInt, ForeignKey("item.id"))
    trigger: Mapped[str] = mapped_column(String(20))
    target: Mapped[Decimal | None] = mapped_column(Amount)
    percent: Mapped[int | None]
    baseline: Mapped[Decimal | None] = mapped_column(Amount)
    paused_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    removed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    last_notified_price: Mapped[Decimal | None] = mapped_column(Amount)
    last_notified_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    false_since: Mapped[datetime | None] = mapped_column(UtcDateTime)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Observation(Base):
    """What was read of an item at one moment. Kept when something changed, and once a day.

    `price` is None where there was none to read; `why`: it could not be read at all.
    """

    __tablename__ = "observation"

    item_id: Mapped[int] = mapped_column(BigInt, ForeignKey("item.id"), primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime, primary_key=True)
    price: Mapped[Decimal | None] = mapped_column(Amount)
    in_stock: Mapped[bool]
    why: Mapped[str | None] = mapped_column(String(40))


class Finding(Base):
    """What a watch waits for was seen on one local day: at most one a day. The subject of deliveries.

    What detection read stands nowhere: it is never sent. `told_at`: when the first delivery of it was sent.
    """

    __tablename__ = "finding"
    __table_args__ = (UniqueConstraint("watch_id", "trigger", "local_day"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    watch_id: Mapped[int] = mapped_column(BigInt, ForeignKey("watch.id"))
    trigger: Mapped[str] = mapped_column(String(20))
    local_day: Mapped[date]
    told_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Said(Base):
    """What a delivery that was sent said: the price that was read right before, when that was, and the wish that it
    spoke of, as that stood then."""

    __tablename__ = "said"
    __table_args__ = (Index("ix_said_finding", "finding_id", "read_at"),)

    delivery_id: Mapped[int] = mapped_column(BigInt, ForeignKey("delivery.id"), primary_key=True)
    finding_id: Mapped[int] = mapped_column(BigInt, ForeignKey("finding.id"))
    price: Mapped[Decimal] = mapped_column(Amount)
    currency: Mapped[str] = mapped_column(String(3))
    target: Mapped[Decimal | None] = mapped_column(Amount)
    percent: Mapped[int | None]
    baseline: Mapped[Decimal | None] = mapped_column(Amount)
    read_at: Mapped[datetime] = mapped_column(UtcDateTime)
