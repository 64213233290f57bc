"""The ledger of deliveries and attempts."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "delivery",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("channel", sa.String(length=20), nullable=False),
        sa.Column("dedup_key", sa.String(length=200), nullable=False),
        sa.Column("subject_type", sa.String(length=40), nullable=False),
        sa.Column("subject_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("subject_version", sa.Integer(), nullable=True),
        sa.Column("notification_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("address_type", sa.String(length=20), nullable=False),
        sa.Column("address_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("address_label", sa.String(length=200), nullable=False),
        sa.Column("scope", sa.String(length=60), nullable=True),
        sa.Column("gate_key", sa.String(length=300), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("round_attempts", sa.Integer(), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_trigger", sa.String(length=10), nullable=False),
        sa.Column("rescues", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("retry_key", sa.String(length=36), nullable=True),
        sa.Column("retry_key_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("key_ambiguous", sa.Boolean(), nullable=False),
        sa.Column("frozen_request", sa.LargeBinary(), nullable=True),
        sa.Column("lease_token", sa.String(length=32), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failure_code", sa.String(length=40), nullable=True),
        sa.Column("dead_letter", sa.Boolean(), nullable=False),
        sa.Column("cancel_reason", sa.String(length=40), nullable=True),
        sa.Column("cancel_detail", sa.String(length=300), nullable=True),
        sa.Column("provider_request_id", sa.String(length=100), nullable=True),
        sa.Column("already_accepted", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("queued_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "state IN ('pending', 'queued', 'sending', 'retry', 'sent', 'canceled', 'failed')",
            name=op.f("ck_delivery_state"),
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_delivery_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_delivery")),
        sa.UniqueConstraint("dedup_key", name=op.f("uq_delivery_dedup_key")),
    )
    op.create_index("ix_delivery_account", "delivery", ["account_id", "created_at"])
    op.create_index("ix_delivery_code", "delivery", ["failure_code", "created_at"])
    op.create_index("ix_delivery_created", "delivery", ["created_at", "id"])
    op.create_index(
        "ix_delivery_frozen",
        "delivery",
        ["retry_key_used_at"],
        sqlite_where=sa.text("frozen_request IS NOT NULL"),
        postgresql_where=sa.text("frozen_request IS NOT NULL"),
    )
    op.create_index("ix_delivery_state_created", "delivery", ["state", "created_at", "id"])
    op.create_index("ix_delivery_subject", "delivery", ["subject_type", "subject_id"])
    op.create_table(
        "attempt",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("delivery_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("trigger", sa.String(length=10), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("outcome", sa.String(length=20), nullable=True),
        sa.Column("code", sa.String(length=40), nullable=True),
        sa.Column("http_status", sa.Integer(), nullable=True),
        sa.Column("detail", sa.String(length=400), nullable=True),
        sa.Column("retry_key", sa.String(length=36), nullable=True),
        sa.Column("provider_request_id", sa.String(length=100), nullable=True),
        sa.Column("duration_ms", sa.Integer(), nullable=True),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["delivery_id"], ["delivery.id"], name=op.f("fk_attempt_delivery_id_delivery")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempt")),
        sa.UniqueConstraint("delivery_id", "number", name=op.f("uq_attempt_delivery_id_number")),
    )


def downgrade() -> None:
    op.drop_table("attempt")
    op.drop_table("delivery")
