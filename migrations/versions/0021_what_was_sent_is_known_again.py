"""What was sent is known again: a form by its digest when its row has changed, a file after it was imported."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

TABLES = ("store", "report", "inquiry", "inquiry_message", "conversation", "conversation_message")


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column("sent_hash", sa.String(length=64), nullable=True))
    op.add_column("import_file", sa.Column("imported_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("import_file", "imported_at")
    for table in TABLES:
        op.drop_column(table, "sent_hash")
