"""Bulk retries, and the deliveries of each: no delivery waits in two."""

import sqlalchemy as sa
from alembic import op

from app.columns import BigInt, UtcDateTime

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "bulk_retry",
        sa.Column("id", BigInt, nullable=False),
        sa.Column("made_by", BigInt, nullable=False),
        sa.Column("request_id", sa.String(length=43), nullable=False),
        sa.Column("sent_hash", sa.String(length=64), nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=False),
        sa.Column("why", sa.String(length=300), nullable=False),
        sa.Column("asked", sa.JSON(), nullable=False),
        sa.Column("rate", sa.Integer(), nullable=False),
        sa.Column("with_doubles", sa.Boolean(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("released", sa.Integer(), nullable=False),
        sa.Column("skipped", sa.Integer(), nullable=False),
        sa.Column("released_until", UtcDateTime(), nullable=False),
        sa.Column("stopped_at", UtcDateTime(), nullable=True),
        sa.Column("stopped_by", BigInt, nullable=True),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["made_by"], ["account.id"], name="fk_bulk_retry_made_by_account"),
        sa.ForeignKeyConstraint(["stopped_by"], ["account.id"], name="fk_bulk_retry_stopped_by_account"),
        sa.PrimaryKeyConstraint("id", name="pk_bulk_retry"),
        sa.UniqueConstraint("made_by", "request_id", name="uq_bulk_retry_made_by_request_id"),
    )
    op.create_table(
        "bulk_retry_item",
        sa.Column("bulk_retry_id", BigInt, nullable=False),
        sa.Column("delivery_id", BigInt, nullable=False),
        sa.Column("seen_attempts", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("why", sa.String(length=20), nullable=True),
        sa.Column("acted_at", UtcDateTime(), nullable=True),
        sa.CheckConstraint("state IN ('waiting', 'released', 'skipped')", name="ck_bulk_retry_item_state"),
        sa.ForeignKeyConstraint(
            ["bulk_retry_id"], ["bulk_retry.id"], name="fk_bulk_retry_item_bulk_retry_id_bulk_retry"
        ),
        sa.ForeignKeyConstraint(["delivery_id"], ["delivery.id"], name="fk_bulk_retry_item_delivery_id_delivery"),
        sa.PrimaryKeyConstraint("bulk_retry_id", "delivery_id", name="pk_bulk_retry_item"),
    )
    waiting = sa.text("state = 'waiting'")
    op.create_index(
        "uq_bulk_retry_item_waiting",
        "bulk_retry_item",
        ["delivery_id"],
        unique=True,
        sqlite_where=waiting,
        postgresql_where=waiting,
    )
    op.create_index("ix_bulk_retry_item_state", "bulk_retry_item", ["bulk_retry_id", "state", "delivery_id"])


def downgrade() -> None:
    op.drop_table("bulk_retry_item")
    op.drop_table("bulk_retry")
