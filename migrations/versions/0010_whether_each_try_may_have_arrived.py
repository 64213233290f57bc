"""Whether each try may have arrived."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("attempt", sa.Column("may_have_arrived", sa.Boolean()))
    # The answers after which LINE may have accepted the request, and silence (DESIGN.md section 5).
    op.execute(
        "UPDATE attempt SET may_have_arrived = "
        "outcome IS NULL OR outcome IN ('accepted', 'already_accepted', 'lost') "
        "OR (outcome IN ('transient', 'rejected') AND COALESCE(code, '') IN "
        "('LINE_SERVER_ERROR', 'LINE_TIMEOUT', 'LINE_CONNECTION_LOST', 'LINE_REDIRECTED', 'LINE_CONFLICT'))"
    )
    with op.batch_alter_table("attempt") as attempt:
        attempt.alter_column("may_have_arrived", existing_type=sa.Boolean(), nullable=False)


def downgrade() -> None:
    op.drop_column("attempt", "may_have_arrived")
