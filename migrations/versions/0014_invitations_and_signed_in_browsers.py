"""Invitations, signed-in browsers, and accounts that were deleted."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("account", sa.Column("deleted_at", sa.DateTime(timezone=True)))
    op.create_table(
        "invitation",
        sa.Column("id", BIG, nullable=False),
        sa.Column("account_id", BIG, nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True)),
        sa.Column("created_by", BIG),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_invitation_account_id_account")),
        sa.ForeignKeyConstraint(["created_by"], ["account.id"], name=op.f("fk_invitation_created_by_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitation")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_invitation_token_hash")),
    )
    op.create_index("ix_invitation_account", "invitation", ["account_id", "id"])
    op.create_table(
        "browser_session",
        sa.Column("id", BIG, nullable=False),
        sa.Column("account_id", BIG, nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("browser", sa.String(length=60), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_browser_session_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_browser_session")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_browser_session_token_hash")),
    )
    op.create_index("ix_browser_session_account", "browser_session", ["account_id", "seen_at"])
    _rename_acts({"activate": "resume", "deactivate": "suspend"})


def downgrade() -> None:
    _rename_acts({"resume": "activate", "suspend": "deactivate"})
    op.drop_table("browser_session")
    op.drop_table("invitation")
    op.drop_column("account", "deleted_at")


def _rename_acts(names: dict[str, str]) -> None:
    entry = sa.table("audit_entry", sa.column("act"), sa.column("subject_type"))
    for before, after in names.items():
        ours = (entry.c.subject_type == "account") & (entry.c.act == before)
        op.execute(entry.update().where(ours).values(act=after))
