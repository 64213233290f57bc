"""Stores and who works for them."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
AT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "store",
        sa.Column("id", BIG, nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("created_at", AT, nullable=False),
        sa.Column("archived_at", AT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_store")),
    )
    op.create_table(
        "membership",
        sa.Column("store_id", BIG, nullable=False),
        sa.Column("account_id", BIG, nullable=False),
        sa.Column("post", sa.String(length=10), nullable=False),
        sa.Column("since", AT, nullable=False),
        sa.CheckConstraint("post IN ('owner', 'staff')", name=op.f("ck_membership_post")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_membership_account_id_account")),
        sa.ForeignKeyConstraint(["store_id"], ["store.id"], name=op.f("fk_membership_store_id_store")),
        sa.PrimaryKeyConstraint("store_id", "account_id", name=op.f("pk_membership")),
    )
    op.create_index("ix_membership_account", "membership", ["account_id"])


def downgrade() -> None:
    op.drop_table("membership")
    op.drop_table("store")
