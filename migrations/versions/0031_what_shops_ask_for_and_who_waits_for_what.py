"""What shops ask for, who waits for what, what was found and what was said."""

import sqlalchemy as sa
from alembic import op

from app.columns import Amount, BigInt, UtcDateTime

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "item",
        sa.Column("id", BigInt, nullable=False),
        sa.Column("url", sa.String(length=2000), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("adapter", sa.String(length=10), nullable=False),
        sa.Column("price_path", sa.String(length=200), nullable=False),
        sa.Column("stock_path", sa.String(length=200), nullable=False),
        sa.Column("title", sa.String(length=300), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=True),
        sa.Column("last_price", Amount(), nullable=True),
        sa.Column("in_stock", sa.Boolean(), nullable=True),
        sa.Column("read_at", UtcDateTime(), nullable=True),
        sa.Column("observed_at", UtcDateTime(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("unreadable_since", UtcDateTime(), nullable=True),
        sa.Column("unreadable_why", sa.String(length=40), nullable=True),
        sa.Column("next_look_at", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("adapter IN ('page', 'json', 'sandbox')", name="ck_item_adapter"),
        sa.PrimaryKeyConstraint("id", name="pk_item"),
        sa.UniqueConstraint("url", "price_path", "stock_path", name="uq_item_url_price_path_stock_path"),
        sqlite_autoincrement=True,
    )
    looked_at = sa.text("next_look_at IS NOT NULL")
    op.create_index("ix_item_next_look", "item", ["next_look_at", "id"],
                    sqlite_where=looked_at, postgresql_where=looked_at)  # fmt: skip
    op.create_table(
        "watch",
        sa.Column("id", BigInt, nullable=False),
        sa.Column("account_id", BigInt, nullable=False),
        sa.Column("item_id", BigInt, nullable=False),
        sa.Column("trigger", sa.String(length=20), nullable=False),
        sa.Column("target", Amount(), nullable=True),
        sa.Column("percent", sa.Integer(), nullable=True),
        sa.Column("baseline", Amount(), nullable=True),
        sa.Column("paused_at", UtcDateTime(), nullable=True),
        sa.Column("removed_at", UtcDateTime(), nullable=True),
        sa.Column("last_notified_price", Amount(), nullable=True),
        sa.Column("last_notified_at", UtcDateTime(), nullable=True),
        sa.Column("last_notified_trigger", sa.String(length=20), nullable=True),
        sa.Column("false_since", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("trigger IN ('below_target', 'percent_drop', 'back_in_stock')", name="ck_watch_trigger"),
        sa.CheckConstraint("(trigger = 'below_target') = (target IS NOT NULL)", name="ck_watch_target"),
        sa.CheckConstraint("(trigger = 'percent_drop') = (percent IS NOT NULL)", name="ck_watch_percent"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_watch_account_id_account"),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name="fk_watch_item_id_item"),
        sa.PrimaryKeyConstraint("id", name="pk_watch"),
        sqlite_autoincrement=True,
    )
    live = sa.text("removed_at IS NULL")
    op.create_index("uq_watch_live", "watch", ["account_id", "item_id", "trigger"], unique=True,
                    sqlite_where=live, postgresql_where=live)  # fmt: skip
    op.create_index("ix_watch_item", "watch", ["item_id", "id"], sqlite_where=live, postgresql_where=live)
    op.create_table(
        "observation",
        sa.Column("item_id", BigInt, nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("price", Amount(), nullable=True),
        sa.Column("in_stock", sa.Boolean(), nullable=False),
        sa.Column("why", sa.String(length=40), nullable=True),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name="fk_observation_item_id_item"),
        sa.PrimaryKeyConstraint("item_id", "at", name="pk_observation"),
    )
    op.create_table(
        "finding",
        sa.Column("id", BigInt, nullable=False),
        sa.Column("watch_id", BigInt, nullable=False),
        sa.Column("trigger", sa.String(length=20), nullable=False),
        sa.Column("local_day", sa.Date(), nullable=False),
        sa.Column("price", Amount(), nullable=True),
        sa.Column("found_at", UtcDateTime(), nullable=False),
        sa.Column("told_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["watch_id"], ["watch.id"], name="fk_finding_watch_id_watch"),
        sa.PrimaryKeyConstraint("id", name="pk_finding"),
        sa.UniqueConstraint("watch_id", "trigger", "local_day", name="uq_finding_watch_id_trigger_local_day"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "said",
        sa.Column("delivery_id", BigInt, nullable=False),
        sa.Column("finding_id", BigInt, nullable=False),
        sa.Column("price", Amount(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("read_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["delivery_id"], ["delivery.id"], name="fk_said_delivery_id_delivery"),
        sa.ForeignKeyConstraint(["finding_id"], ["finding.id"], name="fk_said_finding_id_finding"),
        sa.PrimaryKeyConstraint("delivery_id", name="pk_said"),
    )
    op.create_index("ix_said_finding", "said", ["finding_id", "read_at"])


def downgrade() -> None:
    for table in ("said", "finding", "observation", "watch", "item"):
        op.drop_table(table)
