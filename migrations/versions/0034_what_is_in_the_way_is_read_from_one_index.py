"""What is in the way is read from one index, however many deliveries there are and wherever they lie."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

NAME = "ix_delivery_in_the_way"
COLUMNS = ["channel", "failure_code", "state", "dead_letter", "created_at", "finished_at"]
IN_THE_WAY = sa.text("failure_code IS NOT NULL AND state <> 'canceled'")


def upgrade() -> None:
    op.create_index(NAME, "delivery", COLUMNS, sqlite_where=IN_THE_WAY, postgresql_where=IN_THE_WAY)


def downgrade() -> None:
    op.drop_index(NAME, table_name="delivery")
