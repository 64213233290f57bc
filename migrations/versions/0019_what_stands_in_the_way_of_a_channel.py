"""A gate closes a channel, or one push host, by an operator or by the circuit breaker."""

import sqlalchemy as sa
from alembic import op

from app.columns import BigInt, UtcDateTime

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "gate",
        sa.Column("key", sa.String(length=300), nullable=False),
        sa.Column("why", sa.String(length=300), nullable=False),
        sa.Column("paused_at", UtcDateTime(), nullable=True),
        sa.Column("breaker_until", UtcDateTime(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("last_failed_id", BigInt, nullable=True),
        sa.Column("openings", sa.Integer(), nullable=False),
        sa.Column("probe_id", BigInt, nullable=True),
        sa.PrimaryKeyConstraint("key", name="pk_gate"),
    )


def downgrade() -> None:
    op.drop_table("gate")
