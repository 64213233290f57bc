"""LINE groups have no switch: nothing ever set it."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_column("line_group", "enabled")


def downgrade() -> None:
    op.add_column("line_group", sa.Column("enabled", sa.Boolean(), nullable=False, server_default=sa.true()))
