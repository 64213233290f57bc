"""What has not ended is found by its address and by the time at which it becomes too late, however much waits."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

INDEXES = (
    ("ix_delivery_owed_at", ["address_type", "address_id"]),
    ("ix_delivery_owed_until", ["expires_at"]),
)


def upgrade() -> None:
    where = sa.text("finished_at IS NULL")
    for name, columns in INDEXES:
        op.create_index(name, "delivery", columns, sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    for name, _columns in reversed(INDEXES):
        op.drop_index(name, "delivery")
