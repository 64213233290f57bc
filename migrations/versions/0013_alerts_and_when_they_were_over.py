"""Alerts and when they were over."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

OPEN = sa.text("ended_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "alert",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("sort", sa.String(length=20), nullable=False),
        sa.Column("about", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert")),
    )
    op.create_index("uq_alert_open", "alert", ["sort", "about"], unique=True, sqlite_where=OPEN, postgresql_where=OPEN)


def downgrade() -> None:
    op.drop_table("alert")
