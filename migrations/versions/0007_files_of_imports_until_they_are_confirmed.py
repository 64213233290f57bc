"""Files of imports, until they are confirmed."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "import_file",
        sa.Column("token", sa.String(length=43), nullable=False),
        sa.Column("account_id", BIG, nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("create_classrooms", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_import_file_account_id_account")),
        sa.PrimaryKeyConstraint("token", name=op.f("pk_import_file")),
    )
    op.create_index("ix_import_file_created", "import_file", ["created_at"])


def downgrade() -> None:
    op.drop_table("import_file")
