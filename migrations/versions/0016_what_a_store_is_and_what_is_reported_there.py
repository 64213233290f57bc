"""What a store is, and the faults that are reported there."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
AT = sa.DateTime(timezone=True)


def upgrade() -> None:
    # Not as a batch: SQLite would make the table anew, which the memberships that point to it do not allow.
    for name, length in (("address", 200), ("phone", 40), ("hours", 500)):
        op.add_column("store", sa.Column(name, sa.String(length=length), nullable=False, server_default=""))
    op.add_column("store", sa.Column("request_id", sa.String(length=43), nullable=True))
    op.create_index("ix_store_request_id", "store", ["request_id"], unique=True)
    op.create_table(
        "report",
        sa.Column("id", BIG, nullable=False),
        sa.Column("store_id", BIG, nullable=False),
        sa.Column("reporter_id", BIG, nullable=False),
        sa.Column("title", sa.String(length=100), nullable=False),
        sa.Column("description", sa.String(length=2000), nullable=False),
        sa.Column("request_id", sa.String(length=43), nullable=False),
        sa.Column("created_at", AT, nullable=False),
        sa.Column("resolved_at", AT, nullable=True),
        sa.Column("resolutions", sa.Integer(), nullable=False),
        sa.Column("deleted_at", AT, nullable=True),
        sa.ForeignKeyConstraint(["reporter_id"], ["account.id"], name=op.f("fk_report_reporter_id_account")),
        sa.ForeignKeyConstraint(["store_id"], ["store.id"], name=op.f("fk_report_store_id_store")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report")),
        sa.UniqueConstraint("reporter_id", "request_id", name=op.f("uq_report_reporter_id_request_id")),
    )
    op.create_index("ix_report_store", "report", ["store_id", "id"])
    op.create_index("ix_report_reporter", "report", ["reporter_id", "id"])
    op.create_table(
        "reaction",
        sa.Column("id", BIG, nullable=False),
        sa.Column("report_id", BIG, nullable=False),
        sa.Column("account_id", BIG, nullable=False),
        sa.Column("says", sa.String(length=10), nullable=False),
        sa.Column("created_at", AT, nullable=False),
        sa.Column("taken_back_at", AT, nullable=True),
        sa.CheckConstraint("says IN ('me_too', 'solved')", name=op.f("ck_reaction_says")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_reaction_account_id_account")),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_reaction_report_id_report")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reaction")),
        sa.UniqueConstraint("report_id", "account_id", "says", name=op.f("uq_reaction_report_id_account_id_says")),
    )


def downgrade() -> None:
    op.drop_table("reaction")
    op.drop_table("report")
    op.drop_index("ix_store_request_id", "store")
    for name in ("request_id", "hours", "phone", "address"):
        op.drop_column("store", name)
