"""What a form was sent with is kept as a digest, so that the same form is known again when its row has changed."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0018"
branch_labels = None
depends_on = None

TABLES = ("store", "report", "inquiry", "inquiry_message", "conversation", "conversation_message")


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column("sent_hash", sa.String(length=64), nullable=True))


def downgrade() -> None:
    for table in TABLES:
        op.drop_column(table, "sent_hash")
