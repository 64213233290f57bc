"""Inboxes, devices and what people chose about being reached."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
AT = sa.DateTime(timezone=True)
BOX = ["account_id", "created_at", "id"]
UNREAD = sa.text("read_at IS NULL AND archived_at IS NULL")
ARCHIVED = sa.text("archived_at IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "notification",
        sa.Column("id", BIG, nullable=False),
        sa.Column("account_id", BIG, nullable=False),
        sa.Column("event_key", sa.String(length=120), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("subject_type", sa.String(length=40), nullable=False),
        sa.Column("subject_id", BIG, nullable=False),
        sa.Column("created_at", AT, nullable=False),
        sa.Column("read_at", AT, nullable=True),
        sa.Column("archived_at", AT, nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_notification_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notification")),
        sa.UniqueConstraint("account_id", "event_key", name=op.f("uq_notification_account_id_event_key")),
    )
    op.create_index("ix_notification_box", "notification", BOX)
    op.create_index("ix_notification_unread", "notification", BOX, sqlite_where=UNREAD, postgresql_where=UNREAD)
    op.create_index("ix_notification_archived", "notification", BOX, sqlite_where=ARCHIVED, postgresql_where=ARCHIVED)
    op.create_index("ix_notification_subject", "notification", ["subject_type", "subject_id"])
    op.create_table(
        "device",
        sa.Column("id", BIG, nullable=False),
        sa.Column("account_id", BIG, nullable=False),
        sa.Column("endpoint", sa.String(length=2048), nullable=False),
        sa.Column("endpoint_hash", sa.String(length=64), nullable=False),
        sa.Column("p256dh", sa.String(length=100), nullable=False),
        sa.Column("auth", sa.String(length=30), nullable=False),
        sa.Column("vapid_key", sa.String(length=90), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("created_at", AT, nullable=False),
        sa.Column("last_success_at", AT, nullable=True),
        sa.Column("last_failure_at", AT, nullable=True),
        sa.Column("last_failure_code", sa.String(length=40), nullable=True),
        sa.CheckConstraint("language IN ('ja', 'en')", name=op.f("ck_device_language")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_device_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_device")),
        sa.UniqueConstraint("endpoint_hash", name=op.f("uq_device_endpoint_hash")),
    )
    op.create_index("ix_device_account", "device", ["account_id"])
    op.create_table(
        "preference",
        sa.Column("account_id", BIG, nullable=False),
        sa.Column("category", sa.String(length=40), nullable=False),
        sa.Column("channel", sa.String(length=20), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_preference_account_id_account")),
        sa.PrimaryKeyConstraint("account_id", "category", "channel", name=op.f("pk_preference")),
    )
    op.create_table(
        "quiet_hours",
        sa.Column("account_id", BIG, nullable=False),
        sa.Column("starts_at_minute", sa.Integer(), nullable=False),
        sa.Column("ends_at_minute", sa.Integer(), nullable=False),
        sa.CheckConstraint("starts_at_minute BETWEEN 0 AND 1439", name=op.f("ck_quiet_hours_starts")),
        sa.CheckConstraint("ends_at_minute BETWEEN 0 AND 1439", name=op.f("ck_quiet_hours_ends")),
        sa.CheckConstraint("starts_at_minute <> ends_at_minute", name=op.f("ck_quiet_hours_some")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_quiet_hours_account_id_account")),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_quiet_hours")),
    )


def downgrade() -> None:
    for table in ("quiet_hours", "preference", "device", "notification"):
        op.drop_table(table)
