"""Classrooms, their shifts, and what was told of them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "classroom",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_classroom")),
        sa.UniqueConstraint("name", name=op.f("uq_classroom_name")),
    )
    op.create_table(
        "shift",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("external_id", sa.String(length=100), nullable=True),
        sa.Column("tutor_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("classroom_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("note", sa.String(length=500), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("status IN ('draft', 'confirmed')", name=op.f("ck_shift_status")),
        sa.CheckConstraint("starts_at < ends_at", name=op.f("ck_shift_ends_after_start")),
        sa.ForeignKeyConstraint(["classroom_id"], ["classroom.id"], name=op.f("fk_shift_classroom_id_classroom")),
        sa.ForeignKeyConstraint(["tutor_id"], ["account.id"], name=op.f("fk_shift_tutor_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shift")),
        sa.UniqueConstraint("external_id", name=op.f("uq_shift_external_id")),
    )
    op.create_index("ix_shift_starts", "shift", ["starts_at"])
    op.create_index("ix_shift_tutor", "shift", ["tutor_id", "starts_at"])
    op.create_table(
        "shift_told",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("shift_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("classroom", sa.String(length=100), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_shift_told_account_id_account")),
        sa.ForeignKeyConstraint(["shift_id"], ["shift.id"], name=op.f("fk_shift_told_shift_id_shift")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shift_told")),
        sa.UniqueConstraint(
            "shift_id", "account_id", "kind", "version", name=op.f("uq_shift_told_shift_id_account_id_kind_version")
        ),
    )


def downgrade() -> None:
    op.drop_table("shift_told")
    op.drop_table("shift")
    op.drop_table("classroom")
