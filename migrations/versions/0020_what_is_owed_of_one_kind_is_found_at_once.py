"""A worker goes on with what is owed of its kind, however much waits of others."""

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_delivery_kind_state", "delivery", ["kind", "state", "id"])


def downgrade() -> None:
    op.drop_index("ix_delivery_kind_state", "delivery")
