"""What customers ask stores, and what accounts tell each other."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
AT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "inquiry",
        sa.Column("id", BIG, nullable=False),
        sa.Column("store_id", BIG, nullable=False),
        sa.Column("opened_by", BIG, nullable=False),
        sa.Column("request_id", sa.String(length=43), nullable=False),
        sa.Column("subject", sa.String(length=100), nullable=False),
        sa.Column("created_at", AT, nullable=False),
        sa.Column("last_message_at", AT, nullable=False),
        sa.Column("closed_at", AT, nullable=True),
        sa.ForeignKeyConstraint(["opened_by"], ["account.id"], name=op.f("fk_inquiry_opened_by_account")),
        sa.ForeignKeyConstraint(["store_id"], ["store.id"], name=op.f("fk_inquiry_store_id_store")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inquiry")),
        sa.UniqueConstraint("opened_by", "request_id", name=op.f("uq_inquiry_opened_by_request_id")),
    )
    op.create_index("ix_inquiry_store", "inquiry", ["store_id", "last_message_at", "id"])
    _part("inquiry_asker", "inquiry")
    _message("inquiry_message", "inquiry", sa.Column("side", sa.String(length=10), nullable=False),
             sa.CheckConstraint("side IN ('asker', 'store')", name=op.f("ck_inquiry_message_side")))  # fmt: skip
    op.create_table(
        "inquiry_mention",
        sa.Column("message_id", BIG, nullable=False),
        sa.Column("account_id", BIG, nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"], ["inquiry_message.id"], name=op.f("fk_inquiry_mention_message_id_inquiry_message")
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_inquiry_mention_account_id_account")),
        sa.PrimaryKeyConstraint("message_id", "account_id", name=op.f("pk_inquiry_mention")),
    )
    op.create_index("ix_inquiry_mention_account", "inquiry_mention", ["account_id"])
    op.create_table(
        "conversation",
        sa.Column("id", BIG, nullable=False),
        sa.Column("started_by", BIG, nullable=False),
        sa.Column("request_id", sa.String(length=43), nullable=False),
        sa.Column("created_at", AT, nullable=False),
        sa.Column("last_message_at", AT, nullable=False),
        sa.ForeignKeyConstraint(["started_by"], ["account.id"], name=op.f("fk_conversation_started_by_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_conversation")),
        sa.UniqueConstraint("started_by", "request_id", name=op.f("uq_conversation_started_by_request_id")),
    )
    _part("conversation_member", "conversation", sa.Column("accepts", sa.Boolean(), nullable=False))
    _message("conversation_message", "conversation")


def downgrade() -> None:
    for table in ("conversation_message", "conversation_member", "conversation",
                  "inquiry_mention", "inquiry_message", "inquiry_asker", "inquiry"):  # fmt: skip
        op.drop_table(table)


def _part(table: str, whole: str, *more: sa.Column[bool]) -> None:
    """An account's part in one inquiry or conversation."""
    op.create_table(
        table,
        sa.Column(f"{whole}_id", BIG, nullable=False),
        sa.Column("account_id", BIG, nullable=False),
        sa.Column("since", AT, nullable=False),
        *more,
        sa.ForeignKeyConstraint([f"{whole}_id"], [f"{whole}.id"], name=op.f(f"fk_{table}_{whole}_id_{whole}")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f(f"fk_{table}_account_id_account")),
        sa.PrimaryKeyConstraint(f"{whole}_id", "account_id", name=op.f(f"pk_{table}")),
    )
    op.create_index(f"ix_{table}_account", table, ["account_id"])


def _message(table: str, whole: str, *more: sa.Column[str] | sa.CheckConstraint) -> None:
    """What was written in one inquiry or conversation."""
    op.create_table(
        table,
        sa.Column("id", BIG, nullable=False),
        sa.Column(f"{whole}_id", BIG, nullable=False),
        sa.Column("author_id", BIG, nullable=False),
        sa.Column("request_id", sa.String(length=43), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", AT, nullable=False),
        sa.Column("deleted_at", AT, nullable=True),
        *more,
        sa.ForeignKeyConstraint([f"{whole}_id"], [f"{whole}.id"], name=op.f(f"fk_{table}_{whole}_id_{whole}")),
        sa.ForeignKeyConstraint(["author_id"], ["account.id"], name=op.f(f"fk_{table}_author_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
        sa.UniqueConstraint("author_id", "request_id", name=op.f(f"uq_{table}_author_id_request_id")),
    )
    op.create_index(f"ix_{table}_{whole}", table, [f"{whole}_id", "id"])
