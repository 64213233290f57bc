"""A session knows which device its browser is, so that signing it out elsewhere ends its pushes, too."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("browser_session", sa.Column("browser_hash", sa.String(length=64), nullable=True))


def downgrade() -> None:
    op.drop_column("browser_session", "browser_hash")
