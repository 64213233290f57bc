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
    _alerts_of(from_length=40, to_length=300)  # alerts name gates, too


def _alerts_of(from_length: int, to_length: int) -> None:
    with op.batch_alter_table("alert") as alert:
        alert.alter_column("about", existing_type=sa.String(length=from_length), type_=sa.String(length=to_length))


def downgrade() -> None:
    op.execute("DELETE FROM alert WHERE sort = 'gate_closed'")
    _alerts_of(from_length=300, to_length=40)
    op.drop_table("gate")
