"""What operators made of failures that are alike, and how many jobs stand in the queues of Redis."""

import sqlalchemy as sa
from alembic import op

from app.columns import BigInt, UtcDateTime

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "issue",
        sa.Column("id", BigInt, nullable=False),
        sa.Column("channel", sa.String(length=20), nullable=False),
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("standing", sa.String(length=20), nullable=False),
        sa.Column("marked_at", UtcDateTime(), nullable=False),
        sa.Column("marked_by", BigInt, nullable=True),
        sa.ForeignKeyConstraint(["marked_by"], ["account.id"], name="fk_issue_marked_by_account"),
        sa.PrimaryKeyConstraint("id", name="pk_issue"),
        sa.UniqueConstraint("channel", "code", name="uq_issue_channel_code"),
    )
    op.create_table(
        "queue_depth",
        sa.Column("queue", sa.String(length=20), nullable=False),
        sa.Column("jobs", sa.Integer(), nullable=False),
        sa.Column("seen_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("queue", name="pk_queue_depth"),
    )


def downgrade() -> None:
    op.drop_table("queue_depth")
    op.drop_table("issue")
