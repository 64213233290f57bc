"""What lies ahead, and what failed of late, is found at once beside years of history."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

INDEXES = (
    ("ix_shift_changed", "shift", ["starts_at"], "version > 1"),
    ("ix_shift_told_starts", "shift_told", ["starts_at"], None),
    ("ix_delivery_unsent", "delivery", ["subject_type", "expires_at"], "state <> 'sent' AND channel = 'line'"),
    ("ix_delivery_failed", "delivery", ["state", "finished_at"], "state = 'failed'"),
)


def upgrade() -> None:
    op.drop_index("ix_delivery_code", "delivery")
    failed = sa.text("failure_code IS NOT NULL")
    columns = ["failure_code", "created_at"]
    op.create_index("ix_delivery_code", "delivery", columns, sqlite_where=failed, postgresql_where=failed)
    for name, table, columns, only in INDEXES:
        where = sa.text(only) if only else None
        op.create_index(name, table, columns, sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    for name, table, _columns, _only in reversed(INDEXES):
        op.drop_index(name, table)
    op.drop_index("ix_delivery_code", "delivery")
    op.create_index("ix_delivery_code", "delivery", ["failure_code", "created_at"])
