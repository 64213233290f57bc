"""Announcements, what they say in each language, and how far each has been told."""

import sqlalchemy as sa
from alembic import op

from app.columns import BigInt, UtcDateTime

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "announcement",
        sa.Column("id", BigInt, nullable=False),
        sa.Column("phase", sa.String(length=10), nullable=False),
        sa.Column("audience", sa.String(length=10), nullable=False),
        sa.Column("fallback", sa.String(length=2), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("created_by", BigInt, nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("publish_at", UtcDateTime(), nullable=True),
        sa.Column("published_at", UtcDateTime(), nullable=True),
        sa.Column("edited_at", UtcDateTime(), nullable=True),
        sa.Column("archived_at", UtcDateTime(), nullable=True),
        sa.Column("request_id", sa.String(length=43), nullable=False),
        sa.Column("sent_hash", sa.String(length=64), nullable=False),
        sa.CheckConstraint("audience IN ('everyone', 'staff', 'members')", name="ck_announcement_audience"),
        sa.CheckConstraint("fallback IN ('ja', 'en')", name="ck_announcement_fallback"),
        sa.CheckConstraint("phase IN ('draft', 'published', 'archived')", name="ck_announcement_phase"),
        sa.ForeignKeyConstraint(["created_by"], ["account.id"], name="fk_announcement_created_by_account"),
        sa.PrimaryKeyConstraint("id", name="pk_announcement"),
        sa.UniqueConstraint("created_by", "request_id", name="uq_announcement_created_by_request_id"),
    )
    op.create_table(
        "announcement_text",
        sa.Column("announcement_id", BigInt, nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("title", sa.String(length=100), nullable=False),
        sa.Column("body", sa.String(length=4000), nullable=False),
        sa.CheckConstraint("language IN ('ja', 'en')", name="ck_announcement_text_language"),
        sa.ForeignKeyConstraint(
            ["announcement_id"], ["announcement.id"], name="fk_announcement_text_announcement_id_announcement"
        ),
        sa.PrimaryKeyConstraint("announcement_id", "language", name="pk_announcement_text"),
    )
    op.create_table(
        "fan_out",
        sa.Column("announcement_id", BigInt, nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("cursor", BigInt, nullable=False),
        sa.Column("last_id", BigInt, nullable=False),
        sa.Column("notified", sa.Integer(), nullable=False),
        sa.Column("skipped", sa.Integer(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("lease_token", sa.String(length=32), nullable=True),
        sa.Column("lease_until", UtcDateTime(), nullable=True),
        sa.Column("stopped_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["announcement_id"], ["announcement.id"], name="fk_fan_out_announcement_id_announcement"
        ),
        sa.PrimaryKeyConstraint("announcement_id", "edition", name="pk_fan_out"),
    )


def downgrade() -> None:
    op.drop_table("fan_out")
    op.drop_table("announcement_text")
    op.drop_table("announcement")
